/** Elements, made by name. Text goes in as text: nothing here reads markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an HTML element. `on…` are listeners, `data` is a dataset, names with a dash and `role` are
 * attributes, all else are properties.
 * @param {string} tag
 * @param {Record<string, any>} [about]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {any}
 */
export function h(tag, about = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) put(element, name, value);
  element.append(...children.filter((child) => child != null && child !== false));
  return element;
}

function put(element, name, value) {
  if (value === undefined || value === null) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "data") Object.assign(element.dataset, value);
  else if (name.includes("-") || name === "role") element.setAttribute(name, value);
  else if (name === "class") element.className = value;
  else element[name] = value;
}

/**
 * Make an SVG element with attributes.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** The element of an id that the page's template has. @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/** Write a text only where it differs, so that nothing is announced or laid out for nothing. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
