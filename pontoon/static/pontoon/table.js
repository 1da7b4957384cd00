/** The table: from what is known to what is seen. It knows no rule and asks nobody. */

import { drawStack } from "./chips.js";
import { byId, h, write } from "./dom.js";
import { showGate } from "./gate.js";
import { makeHands } from "./hands.js";
import { t } from "./i18n.js";
import { money } from "./money.js";
import * as motion from "./motion.js";
import { showNotice } from "./notice.js";
import { makeRail } from "./rail.js";
import { hush, say } from "./say.js";
import { play as sound } from "./sound.js";
import { makeStrip } from "./strip.js";
import { headlineOf, news } from "./tell.js";

const PATIENCE_MS = 1500;

/** @param {{state: any, bet: any, play: any, lobby: string}} parts */
export function makeTable({ state, bet, play, lobby }) {
  const strip = makeStrip();
  const rail = makeRail({ state, bet, play });
  const hands = makeHands({
    dealer: byId("dealer"),
    hands: byId("hands"),
    shoe: byId("shoe"),
    tray: byId("rail-bet"),
  });
  let patience = 0;
  let cleared = ""; // the id of a round that was put away for the next bet

  function show(now, before) {
    strip.show(now);
    rail.show();
    showNotice(now, play.dismiss);
    if (now.isBusy !== before?.isBusy) watchPatience(now.isBusy);
    if (now.session !== before?.session) showGate(now, lobby);
    if (now.session !== before?.session || now.round !== before?.round) showRound(now.round, before?.round);
    document.body.dataset.session = now.session;
    byId("table").dataset.busy = String(now.isBusy);
    byId("table").setAttribute("aria-busy", String(now.session === "starting"));
  }

  /** An answer that takes its time is told of, though nothing has failed. */
  function watchPatience(isBusy) {
    clearTimeout(patience);
    byId("table").classList.remove("waiting");
    if (isBusy) patience = setTimeout(() => byId("table").classList.add("waiting"), PATIENCE_MS);
  }

  function showRound(round, before) {
    const { currency, session } = state.get();
    if (session !== "ready" || !currency) return;
    if (round && round.round_id === cleared) return;
    const endMs = hands.lay(round, currency);
    showSpot();
    showHeadline(round, endMs);
    if (round) for (const sentence of news(round, before, currency)) say(sentence);
    if (round?.is_win && before?.state === "open") sound("win", endMs);
    document.body.dataset.round = round?.state ?? "none";
    Object.assign(byId("table").dataset, { of: round?.round_id ?? "", seq: String(round?.seq ?? "") });
  }

  function showHeadline(round, endMs) {
    const { text, tone, minor } = headlineOf(round);
    const line = byId("headline");
    const { currency } = state.get();
    if (line.dataset.text === text + (minor ?? "")) return;
    line.dataset.text = text + (minor ?? "");
    line.dataset.tone = tone;
    line.replaceChildren(h("span", { class: "what" }, text));
    if (minor !== undefined) line.append(" ", amountOf(minor, currency, tone, endMs));
    motion.appear(line, endMs);
  }

  /** The money of a result: true at once, and counted up for the eyes. */
  function amountOf(minor, currency, tone, endMs) {
    const show = (amount) => money(amount, currency, { isSigned: true });
    if (tone !== "win") return h("b", {}, show(minor));
    const counter = h("span", { "aria-hidden": "true" }, show(minor));
    motion.countUp(counter, minor, show, endMs);
    return h("b", {}, h("span", { class: "unseen" }, show(minor)), counter);
  }

  /** The betting spot of a table without cards. */
  function showSpot() {
    const { currency, round, session } = state.get();
    const isFree = !round || round.round_id === cleared;
    const spot = byId("spot");
    spot.hidden = !isFree || session !== "ready";
    if (spot.hidden || !currency) return;
    const amountMinor = bet.amountMinor();
    spot.dataset.filled = String(amountMinor > 0);
    byId("spot-stack").replaceChildren(...(amountMinor ? [drawStack(amountMinor, currency)] : []));
    write(byId("spot-amount"), amountMinor ? money(amountMinor, currency, { isShort: true }) : t("spot"));
  }

  return {
    show,
    press: rail.press,
    /** The bet has changed: a round that is over makes room for it. */
    showBet({ isByHand }) {
      const { round } = state.get();
      if (isByHand && round && round.state !== "open" && cleared !== round.round_id) {
        cleared = round.round_id;
        hands.lay(null, state.get().currency);
        showHeadline(null, 0);
        document.body.dataset.round = "none";
      }
      rail.show();
      showSpot();
    },
    /** All words anew, in another language. */
    relabel() {
      labelAll();
      const now = state.get();
      rail.relabel();
      strip.show(now);
      byId("headline").dataset.text = "";
      byId("notice").dataset.told = "";
      showNotice(now, play.dismiss);
      showGate(now, lobby);
      if (now.session !== "ready") return;
      hands.lay(null, now.currency);
      hush();
      showRound(cleared === now.round?.round_id ? null : now.round, now.round);
    },
  };
}

/** Write every fixed word of the page: `data-t` is a text, `data-t-label` a name for who hears. */
export function labelAll() {
  for (const element of document.querySelectorAll("[data-t]")) write(element, t(element.dataset.t));
  for (const element of document.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
  }
}
