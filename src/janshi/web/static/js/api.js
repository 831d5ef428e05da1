/**
 * Requests to the server over HTTP. `schema.d.ts` has the types of requests and responses of every route.
 * @module
 */
import { errorText } from "./error_words.js";
import { sentence, t } from "./i18n.js";

/** @typedef {import("./schema.js").Routes} Routes */

/**
 * What is sent to a route: parameters of its path and query (empty ones of the query are left out), a body as JSON or
 * as a form, and a signal that aborts the request.
 * @template {keyof Routes} R
 * @typedef {{params?: Routes[R]["params"], body?: Routes[R]["body"], form?: FormData, signal?: AbortSignal}} Sent
 */

/** A failed request: `status` (0 if there was no response) and a message in the language of the page. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

/**
 * The address of a path such as "/api/live/{id}": names in braces are filled in, other parameters become its query.
 * @param {string} path
 * @param {Record<string, unknown>} [params]
 * @returns {string}
 */
export function address(path, params = {}) {
  const left = new Map(Object.entries(params));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = String(left.get(name));
    left.delete(name);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of left) {
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text ? `${filled}?${text}` : filled;
}

/**
 * What a route answers: `ask("GET /api/live/{id}", {params: {id}})`.
 * @template {keyof Routes} R
 * @param {R} route
 * @param {Sent<R>} [sent]
 * @returns {Promise<Routes[R]["answer"]>}
 */
export async function ask(route, sent = {}) {
  const answer = await reach(route, sent);
  const text = await answer.text();
  return text ? JSON.parse(text) : null;
}

/**
 * The same for a route that returns a file.
 * @template {keyof Routes} R
 * @param {R} route
 * @param {Sent<R>} [sent]
 * @returns {Promise<string>}
 */
export async function askText(route, sent = {}) {
  return (await reach(route, sent)).text();
}

/**
 * @template {keyof Routes} R
 * @param {R} route
 * @param {Sent<R>} sent
 * @returns {Promise<Response>} a success; anything else is thrown
 */
async function reach(route, { params, body, form, signal }) {
  const [method = "", path = ""] = route.split(" ");
  const json =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const content = form ? { body: form } : json;
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(address(path, params), { method, credentials: "same-origin", signal, ...content });
  } catch (problem) {
    if (signal?.aborted) throw problem;
    throw new ApiError(0, t("error.network"));
  }
  if (!answer.ok) throw new ApiError(answer.status, await messageOf(answer));
  return answer;
}

/**
 * The message of an error response.
 * @param {Response} answer
 * @returns {Promise<string>}
 */
async function messageOf(answer) {
  const body = await answer.json().catch(() => null);
  return body?.error?.code ? sentence(await errorText(body.error)) : `${answer.status} ${answer.statusText}`;
}
