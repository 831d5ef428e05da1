/**
 * Making elements. Text always goes in as text nodes, never as markup.
 * @module
 */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Child | Child[] | Child[][]} Children */
/** @typedef {Record<string, unknown>} Props */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element. Props that start with `on` are listeners, `class`, `dataset` and `style` (an object) do what they say,
 * names of properties (`value`, `disabled`, …) are set as such, everything else is an attribute; false, null and
 * undefined are left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props | null} [props]
 * @param {...Children} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  setProps(element, props ?? {});
  append(element, ...children);
  return element;
}

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Props | null} [props]
 * @param {...Children} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, props, ...children) {
  const element = document.createElementNS(SVG, tag);
  setProps(element, props ?? {});
  append(element, ...children);
  return element;
}

/**
 * @param {HTMLElement | SVGElement} element
 * @param {Props} props
 */
export function setProps(element, props) {
  for (const [name, value] of Object.entries(props)) setProp(element, name, value);
}

const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "hidden", "open", "indeterminate"]);

/**
 * @param {HTMLElement | SVGElement} element
 * @param {string} name
 * @param {unknown} value
 */
function setProp(element, name, value) {
  if (value === null || value === undefined) return;
  if (name.startsWith("on") && typeof value === "function") {
    element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
  } else if (name === "style" && typeof value === "object") {
    for (const [key, text] of Object.entries(value)) element.style.setProperty(key, String(text));
  } else if (name === "dataset" && typeof value === "object") {
    Object.assign(element.dataset, value);
  } else if (PROPERTIES.has(name) && name in element) {
    Reflect.set(element, name, value);
  } else if (value !== false) {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {Element | DocumentFragment} element
 * @param {...Children} children
 */
export function append(element, ...children) {
  for (const child of children.flat(2)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Replaces all children.
 * @param {Element} element
 * @param {...Children} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, ...children);
}

/**
 * The element with an id; the page must have it.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

/** Milliseconds that a page waits for its content before it is shown without. */
const MOMENT = 400;

/**
 * Waits for content, but only for a moment, so that a page appears whole where it can and does not jump. What is shown
 * afterwards belongs in a place that was appended before, because another page may have been opened meanwhile.
 * @param {Promise<unknown>} content
 * @returns {Promise<void>}
 */
export async function soon(content) {
  await Promise.race([content, new Promise((done) => setTimeout(done, MOMENT))]);
}

/**
 * Opens a dialog over the page and returns it; it is removed when closed.
 * @param {string} title
 * @param {string} close words of the closing button
 * @param {...Children} children
 * @returns {HTMLDialogElement}
 */
export function dialog(title, close, ...children) {
  const id = `dialog-${Math.random().toString(36).slice(2)}`;
  const box = h(
    "dialog",
    { class: "dialog", "aria-labelledby": id },
    h(
      "header",
      { class: "dialog-head" },
      h("h2", { id }, title),
      h("button", { class: "icon", type: "button", "aria-label": close, onclick: () => box.close() }, "×"),
    ),
    h("div", { class: "dialog-body" }, ...children),
  );
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  document.body.append(box);
  box.showModal();
  return box;
}
