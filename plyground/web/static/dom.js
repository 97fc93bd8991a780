// The one way to make nodes. Text is only ever text: a name that looks like markup stays a name.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.setAttribute("class", value);
    else if (key in node && typeof node[key] !== "object" && !(node instanceof SVGElement)) node[key] = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An HTML element: el("button", { class: "quiet", onclick: f }, "Undo"). */
export const el = (tag, properties = {}, ...children) => fill(document.createElement(tag), properties, children);

/** An SVG element. */
export const svg = (tag, properties = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), properties, children);

let fields = 0;

/** A labelled field of a form. */
export function field(label, control) {
  control.id ||= `field-${++fields}`;
  return el("div", { class: "field" }, el("label", { for: control.id }, label), control);
}

/** A drop-down of [value, words] pairs. */
export const select = (options, chosen, properties = {}) =>
  el("select", properties, options.map(([value, words]) => el("option", { value, selected: value === chosen }, words)));

/** A button; `pressed` makes it a switch. */
export const button = (words, onclick, { pressed, ...more } = {}) => {
  const switched = pressed === undefined ? null : String(pressed);
  return el("button", { type: "button", onclick, "aria-pressed": switched, ...more }, words);
};
