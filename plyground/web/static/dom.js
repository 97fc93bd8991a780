// The one way to make nodes. Text is only ever text: a name that looks like markup stays a name.

const SVG = "http://www.w3.org/2000/svg";

/**
 * What stands in an element; what is missing is left out.
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
const present = (children) => children.flatMap((child) => {
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

/**
 * Give a node other children.
 * @param {Element} node
 * @param {Child[]} children
 */
export const refill = (node, ...children) => node.replaceChildren(...present(children));

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
  el("select", properties, options.map(([value, words]) => el("option", { value, selected: value === chosen }, words)));

/**
 * A button; `pressed` makes it a switch.
 * @param {string} words
 * @param {(event: MouseEvent) => unknown} onclick
 * @param {Properties} [properties]
 */
export const button = (words, onclick, { pressed, ...more } = {}) => {
  const switched = pressed === undefined ? null : String(pressed);
  return el("button", { type: "button", onclick, "aria-pressed": switched, ...more }, words);
};
