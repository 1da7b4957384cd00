/** What is told in words of a round: for the live region, the headline, and the cards' names. */

import { t } from "./i18n.js";
import { money } from "./money.js";

/** The name of a card. @param {string} card */
export function cardName(card) {
  if (card === "??") return t("card.hidden");
  return t("card.name", { rank: t(`rank.${card[0]}`), suit: t(`suit.${card[1]}`) });
}

/** A hand's total as its badge shows it. */
export function badgeOf({ kind, total, soft }) {
  if (kind === "pontoon") return t("kind.pontoon");
  if (kind === "five_card_trick") return t("kind.five_card_trick");
  if (kind === "bust") return t("kind.bust", { total });
  if (total === null) return "";
  return soft && total !== 21 ? `${total - 10} / ${total}` : String(total);
}

/** A hand's total as it is spoken. */
export function totalSpoken({ kind, total, soft }) {
  if (kind === "points") return t(soft ? "said.soft" : "said.total", { total });
  return kind === "bust" ? t("kind.bust", { total }) : t(`kind.${kind}`);
}

/** The line in the middle of the table. @returns {{text: string, tone: string, minor?: number}} */
export function headlineOf(round) {
  if (!round) return { text: t("invite"), tone: "invite" };
  if (round.state === "open") {
    const [number, count] = [round.active_hand + 1, round.hands.length];
    return { text: count > 1 ? t("turn.of", { number, count }) : t("turn"), tone: "turn" };
  }
  if (round.state === "voided") return { text: t("over.voided"), tone: "quiet" };
  if (round.state === "held") return held(round);
  if (round.is_win) return { text: t(winKey(round)), tone: "win", minor: round.win_minor };
  if (round.win_minor === 0) return { text: t("over.even"), tone: "quiet" };
  return { text: t(lossKey(round)), tone: "loss" };
}

/** A payout that waits: a large win is named; what a malfunction may have touched is not called one. */
function held({ held_reason: reason, win_minor: minor }) {
  return reason === "malfunction" ? { text: t("over.held_fault"), tone: "held" } : { text: t("over.held"), tone: "held", minor };
}

function winKey({ hands }) {
  const best = ["pontoon", "five_card_trick"].find((kind) =>
    hands.some((hand) => hand.outcome === "won" && hand.kind === kind),
  );
  return best ? `over.${best}` : "over.won";
}

function lossKey({ hands, dealer }) {
  if (hands.every((hand) => hand.kind === "bust")) return "over.bust";
  if (hands.some((hand) => hand.outcome === "won")) return "over.less";
  if (dealer.kind === "pontoon") return "over.dealer_pontoon";
  return hands.length === 1 && isTie(hands[0], dealer) ? "over.tie" : "over.lost";
}

/** Equal points, or trick against trick (H14). */
function isTie(hand, dealer) {
  return hand.kind === dealer.kind && (hand.kind === "five_card_trick" || hand.total === dealer.total);
}

/** What is new in a round since it was told last, as sentences. @returns {string[]} */
export function news(round, before, currency) {
  const isDealt = before?.round_id !== round.round_id;
  const told = isDealt ? dealt(round) : drawn(round, before);
  return round.state === "open"
    ? [...told, ...(isDealt ? [t("said.face_down")] : []), ...next(round, before, isDealt)]
    : [...told, ...result(round, currency)];
}

function dealt(round) {
  return round.hands.map((hand) => t("said.dealt", { cards: names(hand.cards), total: totalSpoken(hand) }));
}

function drawn(round, before) {
  if (round.hands.length > before.hands.length) {
    return [t("said.split"), ...round.hands.map((hand, index) => ofHand(hand, index, round))];
  }
  return round.hands.flatMap((hand, index) => {
    const fresh = hand.cards.slice(before.hands[index].cards.length);
    if (!fresh.length) return [];
    return [t("said.drawn", { cards: names(fresh), total: totalSpoken(hand) })];
  });
}

function next(round, before, isDealt) {
  const moved = round.hands.length > 1 && before?.active_hand !== round.active_hand && !isDealt;
  const hand = round.hands[round.active_hand];
  const options = round.options.map(({ action }) => t(`action.${action}`)).join(", ");
  return [
    ...(moved ? [ofHand(hand, round.active_hand, round)] : []),
    t("said.options", { options }),
  ];
}

function result(round, currency) {
  const { dealer, hands } = round;
  const shown = dealer.total === null ? [] : [t("said.dealer", { cards: names(dealer.cards), total: totalSpoken(dealer) })];
  const each = hands.length > 1 ? hands.map((hand, index) => outcomeOf(hand, index, currency)) : [];
  return [...shown, ...each, verdictOf(round, currency)];
}

/** How a round ended, and what that came to. */
export function verdictOf(round, currency) {
  const { text } = headlineOf(round);
  const isSure = round.state !== "voided" && round.held_reason !== "malfunction";
  const isMoved = isSure && round.win_minor;
  return isMoved ? `${text} ${money(round.win_minor, currency, { isSigned: true })}` : text;
}

function outcomeOf(hand, index, currency) {
  const amount = money(netOf(hand), currency, { isSigned: true });
  return t("said.outcome", { number: index + 1, outcome: t(`outcome.${hand.outcome}`), amount });
}

/** What a hand has brought: its payout less its wager. */
export function netOf(hand) {
  return hand.payout_minor - hand.wager_minor;
}

function ofHand(hand, index, round) {
  const facts = { number: index + 1, count: round.hands.length };
  return t("said.hand", { ...facts, cards: names(hand.cards), total: totalSpoken(hand) });
}

function names(cards) {
  return cards.map(cardName).join(", ");
}
