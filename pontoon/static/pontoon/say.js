/** Tell a screen reader, politely, what has happened at the table. */

import { byId } from "./dom.js";

let waiting = [];

/** Say a sentence; what is said in one turn is read as one. @param {string} sentence */
export function say(sentence) {
  if (!sentence) return;
  if (!waiting.length) setTimeout(utter, 60);
  waiting.push(sentence);
}

function utter() {
  // A new paragraph each time: the same sentence twice is news twice.
  const line = document.createElement("p");
  line.textContent = waiting.join(" ");
  waiting = [];
  byId("said").replaceChildren(line);
}

/** Take back what was said: it was in another language. */
export function hush() {
  byId("said").replaceChildren();
}
