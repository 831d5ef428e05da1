/**
 * Talking with the server over HTTP.
 * @module
 */
import { errorWords, t } from "./i18n.js";

/** An answer that is not a success: `status` (0 if there was no answer) and a message in the language of the page. */
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
 * @param {string} path such as "/api/rules"
 * @param {Record<string, string | number | boolean | null | undefined>} [query] empty values are left out
 * @returns {string}
 */
export function address(path, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

/**
 * @param {string} path
 * @param {Record<string, string | number | boolean | null | undefined>} [query]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export function getJson(path, query, signal) {
  return ask(address(path, query), { signal });
}

/**
 * A file as text.
 * @param {string} path
 * @param {Record<string, string | number | boolean | null | undefined>} [query]
 * @returns {Promise<string>}
 */
export async function getText(path, query) {
  const answer = await reach(address(path, query), {});
  const text = await answer.text();
  if (!answer.ok) throw new ApiError(answer.status, messageOf(parse(text)) ?? `${answer.status} ${answer.statusText}`);
  return text;
}

/**
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export function postJson(path, body, signal) {
  return ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
}

/**
 * Uploads a form (files).
 * @param {string} path
 * @param {FormData} form
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export function postForm(path, form, signal) {
  return ask(path, { method: "POST", body: form, signal });
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export function deleteJson(path, signal) {
  return ask(path, { method: "DELETE", signal });
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<any>}
 */
async function ask(path, options) {
  const answer = await reach(path, options);
  const text = await answer.text();
  const body = parse(text);
  if (!answer.ok) throw new ApiError(answer.status, messageOf(body) ?? `${answer.status} ${answer.statusText}`);
  return body;
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<Response>}
 */
async function reach(path, options) {
  try {
    return await fetch(path, { credentials: "same-origin", ...options });
  } catch (problem) {
    if (options.signal?.aborted) throw problem;
    throw new ApiError(0, t("error.network"));
  }
}

/**
 * @param {string} text
 * @returns {any}
 */
function parse(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return text;
  }
}

/**
 * The readable part of an error's body: its phrase in the language of the page, `message`, `detail` or the first of FastAPI's list.
 * @param {any} body
 * @returns {string | null}
 */
function messageOf(body) {
  if (body?.error?.phrase) return errorWords(body.error);
  const found = body?.message ?? body?.error?.message ?? body?.detail ?? body?.error;
  if (typeof found === "string") return found;
  if (Array.isArray(found) && found[0]?.msg) return `${(found[0].loc ?? []).join(".")}: ${found[0].msg}`;
  return null;
}
