/** The dealer's and the player's hands on the felt: what a round says, and how it came there. */

import { drawCard } from "./cards.js";
import { drawStack } from "./chips.js";
import { h, write } from "./dom.js";
import { t } from "./i18n.js";
import { money } from "./money.js";
import * as motion from "./motion.js";
import { play } from "./sound.js";
import { badgeOf, netOf } from "./tell.js";

const CARDS_MAX = 5;

/** @param {{dealer: HTMLElement, hands: HTMLElement, shoe: HTMLElement, tray: HTMLElement}} places */
export function makeHands({ dealer, hands, shoe, tray }) {
  /** @type {any} */
  let shown = null; // the round that lies there
  let seats = []; // an element and its parts, for each hand
  const dealerCards = dealer.querySelector(".cards");
  const dealerBadge = dealer.querySelector(".badge");

  /**
   * Lay a round, or clear the table for the next bet.
   * @returns {number} when the last of what is new lies, ms
   */
  function lay(round, currency) {
    const isSame = shown?.round_id === round?.round_id;
    if (!isSame) sweep();
    if (!round) {
      shown = null;
      return 0;
    }
    const before = motion.places(hands.querySelectorAll(".card"));
    if (isSame) splitSeats(round);
    while (seats.length < round.hands.length) addSeat(seats.length);
    const fresh = [...layDealer(round, isSame), ...layPlayer(round)];
    seats.forEach((seat, index) => describe(seat, round.hands[index], index, round, currency));
    slideToActive(round);
    motion.glide(before);
    const endMs = showArrival(fresh, !isSame);
    settle(round, currency, endMs);
    shown = round;
    return endMs;
  }

  function sweep() {
    dealerCards.replaceChildren();
    hands.replaceChildren();
    seats = [];
    write(dealerBadge, "");
    shown = null;
  }

  function addSeat(index, cards = []) {
    const seat = {
      name: h("h3", { class: "unseen" }),
      cards: h("ol", { class: "cards", role: "list" }),
      badge: h("p", { class: "badge" }),
      dots: h("span", { class: "dots", role: "img" }),
      stake: h("div", { class: "stakes" }),
      amount: h("span", { class: "amount" }),
      result: h("p", { class: "result" }),
    };
    for (let dot = 0; dot < CARDS_MAX; dot += 1) seat.dots.append(h("i", {}));
    seat.cards.append(...cards);
    seat.root = h("section", { class: "hand", "aria-labelledby": (seat.name.id = `hand-${Date.now()}-${index}`) },
      seat.name, seat.cards,
      h("div", { class: "under" }, seat.badge, seat.dots),
      h("div", { class: "bet" }, seat.stake, seat.amount, seat.result));
    seats.splice(index, 0, seat);
    hands.insertBefore(seat.root, hands.children[index] ?? null);
    return seat;
  }

  /** A split puts its second hand, with the second card, right behind its first. */
  function splitSeats(round) {
    for (const { action, hand } of round.actions.slice(shown.seq)) {
      if (action === "split") addSeat(hand + 1, [seats[hand].cards.lastElementChild]);
    }
  }

  function layDealer(round, isSame) {
    const turned = isSame && round.dealer.cards[0] !== "??" && shown.dealer.cards[0] === "??";
    const fresh = layCards(dealerCards, round.dealer.cards);
    dealerCards.dataset.count = String(round.dealer.cards.length);
    return fresh.map((card, index) => ({ card, isTurn: turned && index < 2, isDealer: true }));
  }

  function layPlayer(round) {
    return round.hands.flatMap((hand, index) =>
      layCards(seats[index].cards, hand.cards).map((card) => ({ card, isTurn: false })));
  }

  /** Make a list of cards what it is to be; returns the cards that are new in it. */
  function layCards(list, cards) {
    const fresh = [];
    cards.forEach((card, index) => {
      const there = list.children[index];
      if (there?.dataset.card === card) return;
      const drawn = drawCard(card);
      if (there) there.replaceWith(drawn);
      else list.append(drawn);
      fresh.push(drawn);
    });
    while (list.children.length > cards.length) list.lastElementChild.remove();
    return fresh;
  }

  function describe(seat, hand, index, round, currency) {
    const isActive = round.active_hand === index;
    seat.root.dataset.state = isActive ? "active" : round.active_hand === null ? "over" : hand.status;
    seat.root.dataset.outcome = hand.outcome ?? "";
    seat.root.dataset.kind = hand.kind;
    if (isActive) seat.root.setAttribute("aria-current", "true");
    else seat.root.removeAttribute("aria-current");
    const many = round.hands.length > 1;
    write(seat.name, many ? t("hand.of", { number: index + 1, count: round.hands.length }) : t("hand"));
    write(seat.badge, badgeOf(hand));
    write(seat.amount, money(hand.wager_minor, currency, { isShort: true }));
    [...seat.dots.children].forEach((dot, place) => dot.classList.toggle("on", place < hand.cards.length));
    seat.dots.setAttribute("aria-label", t("dots", { count: hand.cards.length, max: CARDS_MAX }));
    stackUp(seat, hand, currency);
  }

  /** The stake's stack, and one of its own for what a double added. */
  function stackUp(seat, hand, currency) {
    const parts = hand.doubled ? [hand.stake_minor, hand.wager_minor - hand.stake_minor] : [hand.wager_minor];
    const old = seat.stake.children.length;
    for (const part of parts.slice(old)) {
      const stack = drawStack(part, currency);
      seat.stake.append(stack);
      motion.slideChips(stack, tray);
      play("chip", 0);
    }
  }

  /** What was won comes from the dealer and lies beside the wager. */
  function payOut({ stake }, hand, currency, endMs) {
    const stack = drawStack(netOf(hand), currency);
    stake.append(stack);
    motion.slideChips(stack, dealer, endMs);
    play("chip", endMs);
  }

  /** Where the hands are wider than the table, the strip slides to the active one. */
  function slideToActive(round) {
    hands.dataset.count = hands.closest(".felt").dataset.hands = String(round.hands.length);
    hands.dataset.over = String(round.active_hand === null);
    const [room, width] = [hands.clientWidth, hands.scrollWidth];
    const seat = seats[round.active_hand ?? 0].root;
    const wanted = room / 2 - (seat.offsetLeft - hands.offsetLeft) - seat.offsetWidth / 2;
    const shift = width <= room ? 0 : Math.min(0, Math.max(room - width, wanted));
    hands.style.setProperty("--shift", `${shift}px`);
  }

  function showArrival(fresh, isDeal) {
    const cards = isDeal ? inDealOrder(fresh) : [...fresh].sort((one, other) => Number(!!one.isDealer) - Number(!!other.isDealer));
    cards.forEach(({ card, isTurn }, order) => {
      const isFaceUp = card.dataset.card !== "??";
      if (isTurn) motion.turnCard(card, order);
      else motion.dealCard(card, shoe, order, isFaceUp);
      play(isTurn ? "turn" : "card", motion.startOf(order));
    });
    return motion.endOf(cards.length);
  }

  /** Player, dealer, player, dealer; then whatever came after. */
  function inDealOrder(fresh) {
    const [house, mine] = [fresh.filter((one) => one.isDealer), fresh.filter((one) => !one.isDealer)];
    const first = [mine[0], house[0], mine[1], house[1]].filter(Boolean);
    return [...first, ...mine.slice(2), ...house.slice(2)];
  }

  function settle(round, currency, endMs) {
    write(dealerBadge, badgeOf(round.dealer));
    if (dealerBadge.textContent) motion.appear(dealerBadge, endMs);
    round.hands.forEach((hand, index) => {
      const { result, root } = seats[index];
      const was = result.textContent;
      write(result, resultOf(hand, currency));
      // What comes back is no win unless it is more than all that was wagered (RGT-04).
      root.dataset.win = String(Boolean(round.is_win) && isGain(hand) && round.state !== "voided");
      if (!result.textContent || was) return;
      root.style.setProperty("--end", `${endMs}ms`);
      motion.appear(result, endMs);
      if (isGain(hand) && round.state === "settled") payOut(seats[index], hand, currency, endMs);
    });
  }
  return { lay };
}

function isGain(hand) {
  return hand.outcome === "won" && netOf(hand) > 0;
}

function resultOf(hand, currency) {
  if (!hand.outcome) return "";
  const word = t(`outcome.${hand.outcome}`);
  if (hand.outcome === "voided") return `${word} ${money(hand.payout_minor, currency, { isShort: true })}`;
  return `${word} ${money(netOf(hand), currency, { isSigned: true, isShort: true })}`;
}
