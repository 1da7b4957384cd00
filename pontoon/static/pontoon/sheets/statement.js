/** The player's transfers, each with his balance before and after (WAL-06). */

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { money } from "../money.js";
import { dateTime, daysAgo } from "../when.js";
import { field, pagedList, pairs, select, whenFresh } from "./parts.js";

const SPANS_DAYS = ["1", "7", "30", "365"];

export const sheet = {
  name: "statement",
  titleKey: "menu.statement",
  /** @param {HTMLElement} root @param {any} context */
  build(root, context) {
    return whenFresh(root, context, () => buildStatement(root, context));
  },
};

function buildStatement(root, { client, state }) {
  const { currency, me } = state.get();
  let days = "365";
  const list = pagedList({
    load: (cursor) => client.statement({ limit: "30", from: daysAgo(days), ...(cursor && { cursor }) }),
    line: (transfer) => transferLine(transfer, currency),
    empty: t("statement.empty"),
  });
  const options = SPANS_DAYS.map((span) => [span, t(`statement.since.${span}`)]);
  const choose = (span) => {
    days = span;
    void list.restart();
  };
  root.append(
    pairs([
      [t("balance"), money(me.balance_minor, currency)],
      [t("statement.in_play"), money(me.in_play_minor, currency)],
      [t("held"), money(me.held_minor, currency)],
      [t("net"), money(me.session.net_minor, currency, { isSigned: true })],
      [t("statement.net_deposits"), money(me.net_deposits_minor, currency, { isSigned: true })],
    ]),
    h("div", { class: "filters" }, field(t("history.since"), select(options, days, choose))),
    list.place,
  );
  return list.restart();
}

function transferLine(transfer, currency) {
  const isIn = transfer.credit === "cash";
  const isCash = isIn || transfer.debit === "cash";
  const minor = isIn ? transfer.amount_minor : -transfer.amount_minor;
  return h(
    "div",
    { class: "row" },
    h("span", { class: "row-main" }, t(`statement.code.${transfer.code}`)),
    h("span", { class: "row-end" }, isCash ? money(minor, currency, { isSigned: true }) : money(transfer.amount_minor, currency)),
    h("span", { class: "row-more" }, dateTime(transfer.at)),
    h("span", { class: "row-more row-end" }, t("statement.balance", { amount: money(transfer.balance_after_minor, currency) })),
  );
}
