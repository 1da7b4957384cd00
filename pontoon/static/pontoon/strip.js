/** The thin strip at the top: balance, money that is held, net position, session time, clock. */

import { byId, write } from "./dom.js";
import { language, t } from "./i18n.js";
import { money } from "./money.js";

const SECOND_MS = 1000;

export function makeStrip() {
  let elapsedS = 0;
  let readAt = 0;

  /** Show what the server said of the player's money and session. */
  function show({ me, currency }) {
    if (!me) return;
    write(byId("balance"), money(me.balance_minor, currency));
    fact("held", me.held_minor !== 0, money(me.held_minor, currency));
    fact("receivable", me.receivable_minor !== 0, money(me.receivable_minor, currency));
    write(byId("net"), money(me.session.net_minor, currency, { isSigned: true }));
    byId("mode").hidden = !me.test;
    write(byId("mode"), t("mode.test"));
    if (elapsedS !== me.session.elapsed_s) {
      [elapsedS, readAt] = [me.session.elapsed_s, performance.now()];
    }
    tick();
  }

  function fact(id, isThere, text) {
    byId(`${id}-fact`).hidden = !isThere;
    write(byId(id), text);
  }

  function tick() {
    const since = readAt ? (performance.now() - readAt) / SECOND_MS : 0;
    write(byId("elapsed"), duration(Math.floor(elapsedS + since)));
    const time = new Intl.DateTimeFormat(language(), { hour: "2-digit", minute: "2-digit" });
    write(byId("clock"), time.format(new Date()));
  }
  setInterval(tick, SECOND_MS);
  return { show };
}

/** Hours, minutes and seconds, as a clock shows them. */
export function duration(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}
