/** The player's rounds, and a replay of any of them, card by card (REC-01). */

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { money } from "../money.js";
import { dateTime, daysAgo } from "../when.js";
import { attempt, button, field, makeStatus, pagedList, select } from "./parts.js";
import { buildReplay } from "./replay.js";

const STATES = ["", "settled", "held", "voided", "open"];
const SPANS_DAYS = ["", "1", "7", "30"];

export const sheet = {
  name: "history",
  titleKey: "menu.history",
  /** @param {HTMLElement} root @param {any} context `roundId`: a round to show at once */
  build(root, context) {
    const { client, state } = context;
    const asked = { state: "", days: "" };
    const show = (...children) => root.replaceChildren(...children);
    const list = pagedList({
      load: (cursor) => client.rounds(queryOf(asked, cursor)),
      line: (round) => roundLine(round, state.get().currency, () => open(round.round_id)),
      empty: t("history.empty"),
    });
    const ask = (name) => (value) => {
      asked[name] = value;
      void list.restart();
    };
    const filters = h(
      "div",
      { class: "filters" },
      field(t("history.state"), select(STATES.map((name) => [name, t(`history.state.${name || "all"}`)]), "", ask("state"))),
      field(t("history.since"), select(SPANS_DAYS.map((days) => [days, t(`history.since.${days || "all"}`)]), "", ask("days"))),
    );
    const front = [filters, list.place];

    async function open(roundId) {
      const status = makeStatus();
      const back = button(t("back"), () => close(roundId), "quiet");
      const place = h("div", { class: "replay" });
      const view = h("div", { class: "replay" }, back, status.place, place);
      show(view);
      back.focus();
      await attempt(status, null, async () => {
        buildReplay({ place, view }, await client.round(roundId), context);
      });
    }
    function close(roundId) {
      show(...front);
      root.querySelector(`[data-round="${roundId}"]`)?.focus();
    }

    show(...front);
    if (context.roundId) void open(context.roundId);
    return list.restart();
  },
};

function queryOf({ state, days }, cursor) {
  const since = days && daysAgo(days);
  return Object.fromEntries(
    Object.entries({ limit: "20", state, from: since, cursor }).filter(([, value]) => value),
  );
}

function roundLine(round, currency, onclick) {
  const isOver = round.win_minor !== null;
  return h(
    "button",
    { type: "button", class: "row", data: { round: round.round_id }, onclick },
    h("span", { class: "row-main" }, round.hands.map(({ cards }) => cards.map(shown).join(" ")).join(" | ")),
    h("span", { class: "row-end" }, isOver ? money(round.win_minor, currency, { isSigned: true }) : t("history.state.open")),
    h("span", { class: "row-more" }, dateTime(round.opened_at)),
    h("span", { class: "row-more row-end" }, round.state === "settled" ? "" : t(`history.state.${round.state}`)),
  );
}

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** A card in a line of text: 10♥. @param {string} card */
export function shown(card) {
  return card === "??" ? "··" : `${card[0] === "T" ? "10" : card[0]}${SUITS[card[1]]}`;
}
