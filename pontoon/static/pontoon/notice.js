/** What the player is told beside the game: that the line is down, why something was refused. */

import { byId, h } from "./dom.js";
import { hasMessage, t } from "./i18n.js";
import { money } from "./money.js";

/** Show the one thing to be told now, the line first. */
export function showNotice({ link, notice, session, currency }, dismiss) {
  const told = session === "ended" || session === "none" ? "" : wordsOf(link, notice, currency);
  const box = byId("notice");
  if (box.dataset.told === told) return;
  box.dataset.told = told;
  box.classList.toggle("on", Boolean(told));
  const hadFocus = box.contains(document.activeElement);
  box.replaceChildren();
  if (hadFocus) byId("deal").focus(); // the focus is never lost with what it stood on
  if (!told) return;
  box.append(h("p", {}, told));
  if (link.isUp) {
    const close = { type: "button", class: "icon", "aria-label": t("close"), onclick: dismiss };
    box.append(h("button", close, "×"));
  }
}

function wordsOf(link, notice, currency) {
  if (!link.isUp) return navigator.onLine ? t("line.retrying") : t("line.offline");
  return notice ? problemText(notice, currency) : "";
}

/** A refusal in the table's words, with the amounts that it names; else in the server's. */
export function problemText({ code, problem = {} }, currency) {
  if (!hasMessage(`problem.${code}`)) return problem.detail ?? t("problem.unknown");
  const amounts = Object.fromEntries(
    Object.entries(problem)
      .filter(([name, value]) => name.endsWith("_minor") && Number.isInteger(value))
      .map(([name, value]) => [name.replace("_minor", ""), money(/** @type {number} */ (value), currency)]),
  );
  return t(`problem.${code}`, amounts);
}
