/** The cards, drawn: 5 : 7, a large index, pips for numbers, a plain bold letter for the court. */

import { h, svg } from "./dom.js";
import { GLYPHS } from "./glyphs.js";
import { cardName } from "./tell.js";

/** Within 100 × 100. */
const SUITS = {
  S: "M50 4C56 22 93 40 93 64c0 13-9 21-20 21-8 0-14-4-17-10 1 10 4 17 11 21H33c7-4 10-11 11-21-3 6-9 10-17 10C16 85 7 77 7 64 7 40 44 22 50 4Z",
  H: "M50 93C22 68 6 51 6 32 6 18 16 8 29 8c9 0 17 5 21 14C54 13 62 8 71 8c13 0 23 10 23 24 0 19-16 36-44 61Z",
  D: "M50 3C58 20 72 37 87 50 72 63 58 80 50 97 42 80 28 63 13 50 28 37 42 20 50 3Z",
  C: "M50 5a21 21 0 0 1 17 33.3A21 21 0 1 1 56 74c1 10 4 18 11 22H33c7-4 10-12 11-22a21 21 0 1 1-11-35.7A21 21 0 0 1 50 5Z",
};

const [LEFT, MIDDLE, RIGHT] = [131, 173, 215];
const ROWS = { 1: 62, 2: 106, 3: 137, 4: 175, 5: 213, 6: 244, 7: 288, a: 118, b: 232, c: 137.3, d: 212.7 };
/** Where the pips of a number are: columns and rows. */
const PIPS = {
  2: "m1 m7", 3: "m1 m4 m7", 4: "l1 r1 l7 r7", 5: "l1 r1 m4 l7 r7", 6: "l1 r1 l4 r4 l7 r7",
  7: "l1 r1 ma l4 r4 l7 r7", 8: "l1 r1 ma l4 r4 mb l7 r7", 9: "l1 r1 lc rc m4 ld rd l7 r7",
  T: "l1 r1 m2 lc rc ld rd m5+ l7 r7",
};
const COLUMNS = { l: LEFT, m: MIDDLE, r: RIGHT };

/** A card as an element: `AS`, or `??` for one that is face down. @param {string} card */
export function drawCard(card) {
  const isHidden = card === "??";
  const picture = svg("svg", { viewBox: "0 0 250 350", role: "img", "aria-label": cardName(card) });
  picture.append(...(isHidden ? back() : face(card)));
  return h("li", { class: "card", data: { card, suit: isHidden ? "" : card[1] } }, picture);
}

function face(card) {
  const [rank, suit] = card;
  return [
    svg("rect", { class: "paper", x: 1.5, y: 1.5, width: 247, height: 347, rx: 20 }),
    glyph(rank, "index", 52, 62, 0.9),
    pip(suit, 52, 142, 58),
    ...inside(rank, suit),
  ];
}

function inside(rank, suit) {
  if (rank === "A") return [pip(suit, 166, 205, 126)];
  if (rank in PIPS) return PIPS[rank].split(" ").map((place) => pipAt(suit, place));
  return [
    svg("rect", { class: "court", x: 110, y: 30, width: 122, height: 290, rx: 12 }),
    glyph(rank, "letter", 171, 175, 1.4),
    pip(suit, 137, 66, 38),
    pip(suit, 205, 284, 38, true),
  ];
}

/** A rank around a point: as wide as the letter, so that ten stays in its column. */
function glyph(rank, className, x, y, scale) {
  const width = rank === "T" ? 0.78 : 1;
  const transform = `translate(${x} ${y}) scale(${scale * width} ${scale}) translate(-30 -42)`;
  return svg("path", { class: className, d: GLYPHS[rank], transform });
}

function pipAt(suit, place) {
  const y = place.endsWith("+") ? 244 : ROWS[place[1]];
  return pip(suit, COLUMNS[place[0]], y, 38, y > 176);
}

function pip(suit, x, y, size, isTurned = false) {
  const scale = size / 100;
  const turn = isTurned ? " rotate(180)" : "";
  const transform = `translate(${x} ${y})${turn} scale(${scale}) translate(-50 -50)`;
  return svg("path", { class: "pip", d: SUITS[suit], transform });
}

/** One calm pattern: a lattice of lozenges in a frame. */
function back() {
  const lozenges = [];
  for (let row = 0; row < 11; row += 1) {
    for (let column = 0; column < 7; column += 1) {
      const [x, y] = [35 + column * 30, 40 + row * 27];
      lozenges.push(`M${x} ${y - 10}l9 10-9 10-9-10Z`);
    }
  }
  return [
    svg("rect", { class: "paper", x: 1.5, y: 1.5, width: 247, height: 347, rx: 20 }),
    svg("rect", { class: "back", x: 13, y: 13, width: 224, height: 324, rx: 12 }),
    svg("path", { class: "lattice", d: lozenges.join("") }),
    svg("rect", { class: "frame", x: 21, y: 21, width: 208, height: 308, rx: 8 }),
  ];
}

/** A suit's sign alone, for the felt's print. */
export function drawSuit(suit) {
  return svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, svg("path", { d: SUITS[suit] }));
}
