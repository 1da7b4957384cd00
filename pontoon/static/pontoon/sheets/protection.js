/** Limits, the reality check, and a break or exclusion. */

import { minorOf } from "../amounts.js";
import { breakButtons } from "../breaks.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { money } from "../money.js";
import { dateTime, unit } from "../when.js";
import { attempt, button, field, makeStatus, pairs, section, select, whenFresh } from "./parts.js";

const KINDS = ["deposit", "wager", "loss"];
const PERIODS = ["day", "week", "month"];
const INTERVALS_MIN = [15, 30, 60, 120];

export const sheet = {
  name: "protection",
  titleKey: "menu.protection",
  /** @param {HTMLElement} root @param {any} context */
  build(root, context) {
    const parts = () => [limits(context), realityCheck(context), breaks(context)];
    return whenFresh(root, context, () => root.append(...parts()));
  },
};

function limits({ client, state, play }) {
  const { currency } = state.get();
  const list = h("div", {});
  const status = makeStatus();
  const kind = select(KINDS.map((name) => [name, t(`limit.${name}`)]), "deposit");
  const period = select(PERIODS.map((name) => [name, t(`limit.per.${name}`)]), "day");
  const amount = h("input", { type: "text", inputMode: "decimal", autocomplete: "off", required: true });
  const show = () => list.replaceChildren(limitLines(state.get(), lift));

  function set(name, span, minor) {
    return attempt(status, currency, async () => {
      const limit = await client.setLimit(name, { amount_minor: minor, period: span });
      await play.refreshMe();
      show();
      const isLater = new Date(limit.effective_at) > new Date(Date.now() + 60_000);
      status.tell(t(isLater ? "limit.later" : "limit.now", { when: dateTime(limit.effective_at) }));
    });
  }
  function lift(name, span) {
    return set(name, span, null);
  }
  function submit(event) {
    event.preventDefault();
    const minor = minorOf(amount.value, currency.exponent);
    if (minor === null) return void status.tell(t("limit.amount.wrong"), true);
    return set(kind.value, period.value, minor);
  }

  show();
  return section(
    t("limit.title"),
    h("p", {}, t("limit.told")),
    list,
    h(
      "form",
      { class: "inline-form", onsubmit: submit },
      field(t("limit.kind"), kind),
      field(t("limit.period"), period),
      field(t("limit.amount", { currency: currency.currency }), amount),
      h("button", { type: "submit", class: "act main" }, t("limit.set")),
    ),
    status.place,
  );
}

function limitLines({ me, currency }, lift) {
  if (!me.limits.length) return h("p", { class: "small" }, t("limit.none"));
  const line = (limit) => {
    const { kind, period, set_by: by } = limit;
    const values = { used: money(limit.used_minor, currency), amount: money(limit.amount_minor, currency) };
    const waits = limit.next_effective_at && {
      when: dateTime(limit.next_effective_at),
      amount: limit.next_amount_minor === null ? t("limit.lifted") : money(limit.next_amount_minor, currency),
    };
    return h(
      "li",
      { class: "limit" },
      h("b", {}, `${t(`limit.${kind}`)}, ${t(`limit.per.${period}`)}`),
      h("span", {}, t("limit.used", values)),
      by === "operator" ? h("span", { class: "small" }, t("limit.by_operator")) : null,
      waits ? h("span", { class: "small" }, t("limit.waits", waits)) : null,
      by === "player" && !(waits && limit.next_amount_minor === null) ? button(t("limit.lift"), () => lift(kind, period), "quiet") : null,
    );
  };
  return h("ul", { class: "limits" }, ...me.limits.map(line));
}

function realityCheck({ client, state, play }) {
  const status = makeStatus();
  const now = state.get().me.reality_check.interval_min;
  const offered = [...new Set([...INTERVALS_MIN, ...(now ? [now] : [])])].sort((one, other) => one - other);
  const options = [["", t("reality.never")], ...offered.map((minutes) => [String(minutes), unit(minutes, "minute", "long")])];
  const choose = (value) =>
    attempt(status, null, async () => {
      await client.setRealityCheck(value ? Number(value) : null);
      await play.refreshMe();
      status.tell(t(value ? "reality.kept" : "reality.kept_never"));
    });
  return section(
    t("reality.title"),
    h("p", {}, t("reality.told")),
    field(t("reality.every"), select(/** @type {any} */ (options), String(now ?? ""), choose)),
    status.place,
  );
}

function breaks(context) {
  const { me } = context.state.get();
  const bound = me.exclusion && pairs([
    [t(`break.now.${me.exclusion.kind}`), me.exclusion.until ? dateTime(me.exclusion.until) : t("break.for_good")],
  ]);
  return section(t("break.title"), h("p", {}, t("break.told")), bound, breakButtons(context));
}
