/**
 * The rail: chips, the bet, Deal, and the four actions. A button never moves; one that cannot be
 * used is dimmed, stays in reach of the keyboard, and says why.
 */

import { faultOf } from "./bet.js";
import { drawChip } from "./chips.js";
import { byId, h, write } from "./dom.js";
import { t } from "./i18n.js";
import { money } from "./money.js";
import { whyNot } from "./reasons.js";
import { say } from "./say.js";

const SECOND_MS = 1000;
const ACTIONS = ["hit", "stand", "double", "split"];

/** @param {{state: any, bet: any, play: any}} table */
export function makeRail({ state, bet, play }) {
  const input = byId("bet");
  let timer = 0;
  let chipsOf = null; // the currency whose chips lie there

  input.addEventListener("input", () => bet.type(input.value, state.get().currency));
  input.addEventListener("blur", () => showBet());
  byId("take-back").addEventListener("click", () => usable("take-back") && bet.takeBack(state.get().currency));
  byId("deal").addEventListener("click", () => press("deal"));
  for (const action of ACTIONS) byId(action).addEventListener("click", () => press(action));

  /** Do what a button does, if it can be used; else say why not. @param {string} name */
  function press(name) {
    if (!usable(name)) return;
    if (name === "deal") void play.deal(bet.amountMinor());
    else void play.act(name);
  }

  function usable(id) {
    const button = byId(id);
    if (button.getAttribute("aria-disabled") !== "true") return true;
    const reason = button.querySelector(".why").textContent;
    say(reason);
    button.classList.add("asked");
    setTimeout(() => button.classList.remove("asked"), 2500);
    return false;
  }

  function show() {
    const { currency, round, session } = state.get();
    if (!currency) return;
    if (chipsOf !== currency) layChips(currency);
    const isOpen = round?.state === "open";
    const closed = session === "ready" ? "" : t("why.session");
    for (const action of ACTIONS) showAction(action, round, closed);
    dim(byId("deal"), closed || (isOpen ? t("why.open") : whyNoDeal()));
    const away = closed || (isOpen ? t("why.open") : "");
    for (const chip of byId("chips").children) dim(chip, away);
    dim(byId("take-back"), away || (bet.amountMinor() ? "" : t("why.no_bet")));
    input.readOnly = Boolean(away);
    showBet();
  }

  function showAction(action, round, closed) {
    const { me, currency } = state.get();
    const option = round?.options.find((one) => one.action === action);
    const button = byId(action);
    const isOffered = option && (option.amount_minor ?? 0) <= me.balance_minor;
    dim(button, closed || (isOffered ? "" : whyNot(action, round, me, currency)));
    const cost = option?.amount_minor ? `+${money(option.amount_minor, currency, { isShort: true })}` : "";
    write(button.querySelector(".cost"), cost);
  }

  function whyNoDeal() {
    const { currency, me, readyAt } = state.get();
    if (me.excluded) return t(`problem.${me.excluded === "cooling_off" ? "cooling_off" : "excluded"}`);
    const waitS = Math.ceil((readyAt - Date.now()) / 1000);
    if (waitS > 0) {
      clearTimeout(timer);
      timer = setTimeout(comeBack, SECOND_MS / 4);
      return t("why.too_soon", { count: waitS });
    }
    const fault = faultOf(bet.amountMinor(), currency, me.balance_minor);
    return fault ? t(fault.key, { amount: money(fault.minor ?? 0, currency) }) : "";
  }

  /** Count down; when the time has come, what was told of it is put away. */
  function comeBack() {
    const { notice, readyAt } = state.get();
    if (notice?.code === "too_soon" && Date.now() >= readyAt) play.dismiss();
    else show();
  }

  function showBet() {
    const { currency, lastStake } = state.get();
    const amountMinor = bet.amountMinor();
    if (document.activeElement !== input || !bet.typed()) {
      const text = bet.typed() || (amountMinor ? money(amountMinor, currency, { isBare: true, isShort: true }) : "");
      if (input.value !== text) input.value = text;
    }
    const isAgain = amountMinor > 0 && amountMinor === lastStake;
    write(byId("deal").querySelector(".word"), t(isAgain ? "rebet" : "deal"));
  }

  function layChips(currency) {
    chipsOf = currency;
    const chip = (minor) => {
      const button = h("button", { type: "button", class: "chip-button" }, drawChip(minor, currency), h("span", { class: "why" }));
      button.setAttribute("aria-label", t("chip.add", { amount: money(minor, currency, { isShort: true }) }));
      button.addEventListener("click", () => {
        if (button.getAttribute("aria-disabled") === "true") say(button.querySelector(".why").textContent);
        else bet.add(minor);
      });
      return button;
    };
    byId("chips").replaceChildren(...currency.chips_minor.map(chip));
  }

  /** Dim a button with its reason, or light it. */
  function dim(button, reason) {
    const why = button.querySelector(".why");
    why.id ||= `why-${button.id || [...button.parentElement.children].indexOf(button)}`;
    button.setAttribute("aria-describedby", why.id);
    button.setAttribute("aria-disabled", String(Boolean(reason)));
    write(why, reason);
  }

  return {
    show,
    press,
    /** Lay the chips anew, in another language. */
    relabel() {
      chipsOf = null;
      show();
    },
  };
}
