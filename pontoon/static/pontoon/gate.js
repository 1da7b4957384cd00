/** What stands on the felt when nobody can play: no session, or one that is over. */

import { byId, h } from "./dom.js";
import { t } from "./i18n.js";

/** @param {any} now the state @param {string} lobby its address, if there is one */
export function showGate({ session, notice }, lobby) {
  const gate = byId("gate");
  const isShut = session === "none" || session === "ended";
  gate.hidden = !isShut;
  if (!isShut) return;
  const isElsewhere = notice?.problem?.because === "replaced";
  const over = isElsewhere ? "elsewhere" : notice ? "expired" : "left";
  const why = session === "none" ? "none" : over;
  gate.replaceChildren(
    h("h2", { tabIndex: -1 }, t(`gate.${why}.title`)),
    h("p", {}, t(`gate.${why}.text`)),
    lobby && h("a", { class: "button main", href: lobby, target: "_top" }, t("lobby")),
  );
  gate.querySelector("h2").focus();
}
