/**
 * Motion that explains: the document is true at once, and what has moved is shown on its way. Only
 * transform and opacity are animated; who asks for less motion sees a short fade.
 */

const SLIDE_MS = 180;
const NEXT_MS = 90;
const TURN_MS = 240;
const CHIP_MS = 220;
const OUT = "cubic-bezier(.2,.8,.3,1)";

const wantsLess = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the player has asked his device for less motion. */
export function isCalm() {
  return wantsLess.matches;
}

/** Where these elements are now. @param {Iterable<Element>} elements */
export function places(elements) {
  return new Map(Array.from(elements, (element) => [element, element.getBoundingClientRect()]));
}

/** Show elements that were elsewhere on their way. @param {Map<Element, DOMRect>} before */
export function glide(before) {
  if (isCalm()) return;
  for (const [element, was] of before) {
    if (!element.isConnected) continue;
    const is = element.getBoundingClientRect();
    const [x, y] = [was.left - is.left, was.top - is.top];
    if (Math.abs(x) + Math.abs(y) < 1 || !is.width) continue;
    const from = `translate(${x}px, ${y}px) scale(${was.width / is.width})`;
    element.animate([{ transform: from }, { transform: "none" }], { duration: CHIP_MS, easing: OUT });
  }
}

/** When the card of this place in the deal begins to move, ms. */
export function startOf(order) {
  return isCalm() ? 0 : order * NEXT_MS;
}

/** When the last of so many cards lies, ms. */
export function endOf(count) {
  return isCalm() || !count ? 0 : (count - 1) * NEXT_MS + SLIDE_MS + TURN_MS;
}

/** Slide a card from the shoe; one that is face up turns as it lies. */
export function dealCard(card, shoe, order, isFaceUp) {
  if (isCalm()) return fade(card);
  const [from, to] = [shoe.getBoundingClientRect(), card.getBoundingClientRect()];
  const delay = startOf(order);
  const start = `translate(${from.left - to.left}px, ${from.top - to.top}px) rotate(8deg)`;
  card.animate(
    [{ transform: start, opacity: 0 }, { opacity: 1, offset: 0.15 }, { transform: "none", opacity: 1 }],
    { duration: SLIDE_MS, delay, easing: OUT, fill: "backwards" },
  );
  if (isFaceUp) turn(card.firstElementChild, delay + SLIDE_MS * 0.6);
  return undefined;
}

/** Turn a card that lay face down. */
export function turnCard(card, order) {
  if (isCalm()) return fade(card);
  return turn(card.firstElementChild, startOf(order));
}

function turn(picture, delay) {
  picture.animate(
    [{ transform: "perspective(60rem) rotateY(90deg)" }, { transform: "perspective(60rem) rotateY(0)" }],
    { duration: TURN_MS / 2, delay, easing: "ease-out", fill: "backwards" },
  );
}

/** Let something appear when the cards before it lie. */
export function appear(element, delay) {
  element.animate(
    isCalm() ? [{ opacity: 0 }, { opacity: 1 }] : [{ opacity: 0, transform: "translateY(.3rem)" }, { opacity: 1, transform: "none" }],
    { duration: 160, delay: isCalm() ? 0 : delay, easing: OUT, fill: "backwards" },
  );
}

/** Let chips travel to where they belong. @param {Element} stack @param {Element} from */
export function slideChips(stack, from, delay = 0) {
  if (isCalm()) return fade(stack);
  const [was, is] = [from.getBoundingClientRect(), stack.getBoundingClientRect()];
  const start = `translate(${was.left + was.width / 2 - is.left - is.width / 2}px, ${was.top - is.top}px)`;
  return stack.animate([{ transform: start }, { transform: "none" }], { duration: CHIP_MS, delay, easing: OUT, fill: "backwards" });
}

function fade(element) {
  element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 120 });
}

/** Count a number up to what it is, in a copy that only eyes see. */
export function countUp(element, target, show, delay) {
  if (isCalm()) return;
  const begin = performance.now() + delay;
  const step = (now) => {
    const share = Math.min(1, Math.max(0, (now - begin) / 700));
    element.textContent = show(Math.round(target * (1 - (1 - share) ** 3)));
    if (share < 1 && element.isConnected) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
