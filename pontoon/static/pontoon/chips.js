/** The chips, drawn: a colour and a spot pattern of its own for each, so that colour is not needed. */

import { h, svg } from "./dom.js";
import { chipsOf } from "./bet.js";

/** From the least to the largest, as casinos colour them; the number of edge spots differs too. */
const KINDS = ["white", "red", "green", "black", "purple"];
const SPOTS = [4, 6, 8, 3, 5];
const SHOWN_MAX = 5;

/** A chip's picture. @param {number} minor @param {any} currency */
export function drawChip(minor, currency) {
  const index = Math.max(0, currency.chips_minor.indexOf(minor)) % KINDS.length;
  return svg(
    "svg",
    { class: `chip ${KINDS[index]}`, viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("circle", { class: "body", cx: 50, cy: 50, r: 48 }),
    svg("circle", { class: "spots", cx: 50, cy: 50, r: 41, pathLength: SPOTS[index] * 10, "stroke-dasharray": "4.2 5.8", "stroke-dashoffset": 2.1 }),
    svg("circle", { class: "ring", cx: 50, cy: 50, r: 33 }),
    svg("circle", { class: "face", cx: 50, cy: 50, r: 30 }),
    svg("text", { x: 50, y: 51, "text-anchor": "middle", "dominant-baseline": "central" }, valueOf(minor, currency)),
  );
}

/** A chip's value in few signs. */
function valueOf(minor, { exponent }) {
  const value = minor / 10 ** exponent;
  return value >= 1000 ? `${value / 1000}k` : String(value);
}

/** A stack of the chips that make up an amount, the largest below. */
export function drawStack(minor, currency) {
  const chips = chipsOf(minor, currency);
  const stack = h("span", { class: "stack", "aria-hidden": "true" });
  for (const chip of chips.slice(-SHOWN_MAX)) stack.append(drawChip(chip, currency));
  return stack;
}
