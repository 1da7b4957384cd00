/** A replay of one round: marked as one, stepped by buttons or arrow keys, its money beside it. */

import { drawCard } from "../cards.js";
import { h, write } from "../dom.js";
import { valueOf } from "../fairness.js";
import { t } from "../i18n.js";
import { money } from "../money.js";
import { framesOf } from "../replay.js";
import { badgeOf, cardName, verdictOf } from "../tell.js";
import { dateTime } from "../when.js";
import { button, pairs } from "./parts.js";

const STEP_MS = 900;

/**
 * @param {{place: HTMLElement, view: HTMLElement}} where it is built, and where its keys are heard
 * @param {any} round @param {any} context
 */
export function buildReplay({ place, view }, round, { state, open }) {
  const { currency } = state.get();
  const frames = framesOf(round);
  let at = frames.length - 1;
  let timer = 0;
  const felt = h("div", { class: "mini-felt" });
  const told = h("p", { class: "told", "aria-live": "polite" });
  const count = h("span", { class: "count" });
  const range = h("input", {
    type: "range", min: "0", max: String(at), value: String(at), "aria-label": t("replay.step"),
    oninput: () => go(Number(range.value)),
  });
  const play = button(t("replay.play"), () => (timer ? stop() : start()), "main");
  const controls = h(
    "div",
    { class: "controls", role: "group", "aria-label": t("replay.controls") },
    iconButton("|‹", t("replay.first"), () => go(0)),
    iconButton("‹", t("replay.previous"), () => go(at - 1)),
    play,
    iconButton("›", t("replay.next"), () => go(at + 1)),
    iconButton("›|", t("replay.last"), () => go(frames.length - 1)),
  );

  function go(to) {
    at = Math.max(0, Math.min(frames.length - 1, to));
    range.value = String(at);
    range.setAttribute("aria-valuetext", wordsOf(frames[at], round, currency));
    write(count, t("replay.of", { number: at + 1, count: frames.length }));
    write(told, wordsOf(frames[at], round, currency));
    showFrame(felt, frames[at], at === frames.length - 1 ? round : null, currency);
    if (at === frames.length - 1) stop();
  }
  function start() {
    if (at === frames.length - 1) go(0);
    timer = setInterval(() => (felt.isConnected ? go(at + 1) : stop()), STEP_MS);
    write(play, t("replay.pause"));
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    write(play, t("replay.play"));
  }

  view.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: frames.length - 1 };
    if (event.target === range || !(event.key in steps)) return;
    event.preventDefault();
    stop();
    go(steps[event.key]);
  });
  place.append(
    h("p", { class: "mark" }, t("replay.mark")),
    explain(round),
    felt, told, range,
    h("div", { class: "bar" }, controls, count),
    moneyOf(round, currency),
    button(t("replay.check"), () => open("fairness", { round }), "quiet"),
  );
  if (!frames.length) return;
  go(at);
}

function iconButton(sign, label, onclick) {
  return h("button", { type: "button", class: "icon step", "aria-label": label, onclick }, h("span", { "aria-hidden": "true" }, sign));
}

/** Why a round's money waits, or was given back; or who played it. */
function explain(round) {
  const keys = [
    [round.state === "held" && round.held_reason === "malfunction", "replay.why.malfunction"],
    [round.state === "held" && round.held_reason !== "malfunction", "replay.why.large_win"],
    [round.state === "voided", "replay.why.voided"],
    [round.state === "open", "replay.why.open"],
    [round.actions.some(({ by }) => by === "house"), "replay.why.house"],
  ];
  const sentences = keys.filter(([holds]) => holds).map(([, key]) => t(String(key)));
  if (round.void) sentences.push(t("notice.reason", { reason: round.void.reason }), round.void.appeal);
  return h("div", { class: "replay" }, ...sentences.map((sentence) => h("p", { class: "aside" }, sentence)));
}

function showFrame(felt, frame, round, currency) {
  const row = (title, cards, more, isActive) =>
    h(
      "div",
      { class: isActive ? "mini-hand active" : "mini-hand" },
      h("h3", {}, title),
      h("ol", { class: "mini-cards", role: "list" }, ...cards.map((card) => drawCard(card))),
      h("p", { class: "mini-more" }, more),
    );
  const isShut = frame.dealer.includes("??");
  const ofHand = (hand, index) => {
    const title = frame.hands.length > 1 ? t("hand.of", { number: index + 1, count: frame.hands.length }) : t("hand");
    return row(title, hand.cards, handWords(hand, round?.hands[index], currency), hand.isActive);
  };
  felt.replaceChildren(
    row(t("dealer"), frame.dealer, isShut || !frame.dealer.length ? "" : badgeOf(valueOf(frame.dealer)), false),
    h("div", { class: "mini-hands" }, ...frame.hands.map(ofHand)),
  );
}

function handWords(hand, over, currency) {
  const badge = hand.cards.length && !hand.cards.includes("??") ? badgeOf(valueOf(hand.cards)) : "";
  const wager = money(hand.wager, currency, { isShort: true });
  const result = over?.outcome ? t(`outcome.${over.outcome}`) : "";
  return [badge, wager, result].filter(Boolean).join(" · ");
}

function wordsOf(frame, round, currency) {
  const by = frame.by === "house" ? ` (${t("replay.by_house")})` : "";
  const card = frame.card && frame.card !== "??" ? cardName(frame.card) : "";
  if (frame.what === "act") return [t(`action.${frame.action}`) + by, card].filter(Boolean).join(": ");
  if (frame.what === "card") return t("replay.card", { card });
  if (frame.what === "dealer_card") return t("replay.dealer_card");
  const cards = frame.dealer.map(cardName).join(", ");
  const isLast = frame.dealer.length === round.dealer.cards.length;
  const line = t(frame.what === "turn" ? "replay.turn" : "replay.dealer_draw", { cards, card });
  return isLast ? `${line} ${verdictOf(round, currency)}` : line;
}

/** All the money of a round, from before its deal to after its end. */
function moneyOf(round, currency) {
  const amount = (minor, how = {}) => (minor === null ? "–" : money(minor, currency, how));
  return pairs([
    [t("replay.opened"), dateTime(round.opened_at)],
    [t("replay.before"), amount(round.balance_before_minor)],
    [t("replay.wagered"), amount(round.wagered_minor)],
    [t("replay.payout"), amount(round.payout_minor)],
    [t("replay.net"), amount(round.win_minor, { isSigned: true })],
    [t("replay.after"), amount(round.balance_after_minor)],
    [t("replay.rules"), round.rules],
    [t("replay.id"), h("code", {}, round.round_id)],
  ]);
}
