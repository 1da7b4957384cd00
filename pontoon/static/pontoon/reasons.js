/**
 * Why a button is dimmed. Which options there are, the server says; these sentences explain to the
 * player what is already on the table.
 */

import { t } from "./i18n.js";
import { money } from "./money.js";

/**
 * @param {string} action @param {any} round @param {any} me @param {any} currency
 * @returns {string} empty when nothing is to be explained
 */
export function whyNot(action, round, me, currency) {
  const hand = round?.state === "open" ? round.hands[round.active_hand] : null;
  if (!hand) return t("why.no_round");
  const short = { need: money(hand.stake_minor, currency), have: money(me.balance_minor, currency) };
  const cannotPay = me.balance_minor < hand.stake_minor && t("why.afford", short);
  if (action === "stand") return t("why.stand", { total: hand.total });
  if (action === "double") return hand.doubled ? t("why.doubled") : cannotPay || t("why.not_now");
  if (action === "split") return whyNoSplit(hand, round) || cannotPay || t("why.not_now");
  return t("why.not_now");
}

function whyNoSplit(hand, round) {
  const [first, second] = hand.cards;
  if (hand.cards.length !== 2) return t("why.split_two");
  if (first[0] !== second[0]) return t("why.split_pair");
  return round.hands.length >= 3 ? t("why.split_three") : "";
}
