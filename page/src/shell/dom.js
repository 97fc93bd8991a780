// The one way to make nodes. Text is only ever text: a name that looks like markup stays a name.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Content of an element; missing parts are left out.
 * @typedef {string | Node | null | undefined | false | "" | Child[]} Child
 */

/**
 * Attributes, properties and `on…` listeners by name.
 * @typedef {Record<string, any>} Properties
 */

/**
 * Those children that are there.
 * @param {Child[]} children
 * @returns {(string | Node)[]}
 */
const present = (children) =>
  children.flatMap((child) => {
    if (Array.isArray(child)) return present(child);
    return child === null || child === undefined || child === false || child === "" ? [] : [child];
  });

/**
 * @template {Element} E
 * @param {E} node
 * @param {Properties} properties
 * @param {Child[]} children
 */
function fill(node, properties, children) {
  const own = /** @type {Record<string, any>} */ (node);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.setAttribute("class", value);
    else if (key in own && typeof own[key] !== "object" && !(node instanceof SVGElement)) own[key] = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...present(children));
  return node;
}

/**
 * An HTML element: el("button", { class: "quiet", onclick: f }, "Undo").
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {Child[]} children
 */
export const el = (tag, properties = {}, ...children) => fill(document.createElement(tag), properties, children);

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {Child[]} children
 */
export const svg = (tag, properties = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), properties, children);

const STOPS = "a[href], button, input, select, summary, [tabindex]";

/** Name by which a person knows an element. @param {Element} node */
const knownBy = (node) => `${node.tagName} ${node.getAttribute("aria-label") ?? node.textContent}`;

/**
 * Give a node other children. Whoever was at one of them is at the one that has its name afterwards, or else at its
 * place: the keyboard does not begin again at the top of the page. What was opened stays open, by its id.
 * @param {Element} node
 * @param {Child[]} children
 */
export function refill(node, ...children) {
  const focused = document.activeElement;
  const isHeld = focused !== null && focused !== node && node.contains(focused);
  const before = isHeld ? [...node.querySelectorAll(STOPS)].indexOf(focused) : -1;
  const name = isHeld ? knownBy(focused) : "";
  const opened = [...node.querySelectorAll("details[open][id]")].map(({ id }) => id);
  node.replaceChildren(...present(children));
  for (const details of node.querySelectorAll("details")) if (opened.includes(details.id)) details.open = true;
  if (!isHeld) return;
  const stops = /** @type {HTMLElement[]} */ ([...node.querySelectorAll(STOPS)]);
  const isSame = (/** @type {Element} */ stop) => stop === focused || knownBy(stop) === name;
  const there = [stops[before], ...stops].find((stop) => stop && isSame(stop));
  const next = there ?? stops[Math.min(before, stops.length - 1)] ?? document.querySelector("main");
  next?.focus({ preventScroll: true });
}

let fields = 0;

/**
 * A labelled field of a form.
 * @param {string} label
 * @param {HTMLElement} control
 */
export function field(label, control) {
  control.id ||= `field-${++fields}`;
  return el("div", { class: "field" }, el("label", { for: control.id }, label), control);
}

/**
 * A drop-down of [value, words] pairs.
 * @param {string[][]} options
 * @param {string} chosen
 * @param {Properties} [properties]
 */
export const select = (options, chosen, properties = {}) =>
  el(
    "select",
    properties,
    options.map(([value, words]) => el("option", { value, selected: value === chosen }, words)),
  );

/**
 * A button; `pressed` makes it a switch. One that is disabled can be gone to and read, and does nothing, so that the
 * keyboard's place is not lost with it.
 * @param {string} words
 * @param {(event: MouseEvent) => unknown} onclick
 * @param {Properties} [properties]
 */
export const button = (words, onclick, { pressed, disabled = false, ...more } = {}) => {
  const switched = pressed === undefined ? null : String(pressed);
  const act = (/** @type {MouseEvent} */ event) => !disabled && onclick(event);
  const off = disabled ? "true" : null;
  return el("button", { type: "button", onclick: act, "aria-pressed": switched, "aria-disabled": off, ...more }, words);
};

/** A style that not every page needs; told when it is there, or cannot be had. @param {string} href */
export const style = (href) =>
  new Promise((resolve) => {
    document.head.append(el("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
  });
