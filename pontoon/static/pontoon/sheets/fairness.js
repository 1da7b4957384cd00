/** Fairness: the promise before the deal, the player's own seed, and the check of a round, here. */

import { h } from "../dom.js";
import { canVerify, verifyRound } from "../fairness.js";
import { t } from "../i18n.js";
import { pref, setPref } from "../prefs.js";
import { inventSeed, knownBefore } from "../promises.js";
import { attempt, button, field, makeStatus, section } from "./parts.js";
import { shown } from "./history.js";

const SEED_LENGTH_MAX = 64;

export const sheet = {
  name: "fairness",
  titleKey: "menu.fairness",
  /** @param {HTMLElement} root @param {any} context `round` is one to check, instead of the last */
  async build(root, context) {
    const { state, round } = context;
    root.append(h("p", {}, t("fairness.intro")));
    if (!round) root.append(promise(state.get()), ownSeed(state.get().me));
    const place = section(t("fairness.check.title"));
    root.append(place);
    await check(place, context);
  },
};

function promise({ me, round }) {
  const isOpen = round?.state === "open";
  const commitment = isOpen ? round.commitment : me.next_commitment;
  return section(
    t(isOpen ? "fairness.promise.open" : "fairness.promise.next"),
    h("p", {}, h("code", { class: "hash" }, commitment)),
    h("p", { class: "small" }, t("fairness.promise.told")),
  );
}

function ownSeed(me) {
  if (!me.profile.client_seed_allowed) {
    return section(t("fairness.seed.title"), h("p", {}, t("fairness.seed.not_allowed")));
  }
  const input = h("input", {
    type: "text", value: pref("clientSeed"), maxLength: SEED_LENGTH_MAX, autocomplete: "off", spellcheck: false,
    placeholder: t("fairness.seed.chance"),
    onchange: () => keep(input.value),
  });
  const status = makeStatus();
  const keep = (text) => {
    input.value = text;
    setPref("clientSeed", text);
    status.tell(t(text ? "fairness.seed.kept" : "fairness.seed.chance_kept"));
  };
  return section(
    t("fairness.seed.title"),
    field(t("fairness.seed.label"), input, t("fairness.seed.told")),
    h(
      "div",
      { class: "answers" },
      button(t("fairness.seed.invent"), () => keep(inventSeed()), "quiet"),
      button(t("fairness.seed.clear"), () => keep(""), "quiet"),
    ),
    status.place,
  );
}

async function check(place, { client, state, round }) {
  const status = makeStatus();
  place.append(status.place);
  await attempt(status, null, async () => {
    const last = round ?? (await lastOver(client));
    if (!last) return void status.tell(t("fairness.check.none"));
    const told = await client.round(last.round_id);
    if (!told.server_seed) return void status.tell(t("fairness.check.open"));
    const found = await verifyRound(told, knownBefore(told));
    place.append(verdictOf(found), h("ol", { class: "steps" }, ...found.steps.map(stepLine)), seeds(told, found));
  });
}

async function lastOver(client) {
  const { results } = await client.rounds({ limit: "2" });
  return results.find(({ state }) => state !== "open");
}

const SIGNS = { true: "✓", false: "✗", null: "?" };

function verdictOf({ verdict }) {
  const reason = verdict === "unproven" && !canVerify() ? "no_crypto" : verdict;
  return h(
    "div",
    { class: "verdict", role: "status", data: { verdict } },
    h("b", {}, t(`fairness.verdict.${verdict}`)),
    h("p", {}, t(`fairness.verdict.${reason}.told`)),
  );
}

function stepLine({ name, holds, told, found }) {
  const outcome = { true: "yes", false: "no", null: "unknown" }[String(holds)];
  return h(
    "li",
    { class: "step-line", data: { holds: String(holds) } },
    h("span", { class: "sign", role: "img", "aria-label": t(`fairness.step.${outcome}`) }, SIGNS[String(holds)]),
    h(
      "div",
      {},
      h("b", {}, t(`fairness.step.${name}`)),
      h("p", { class: "small" }, t(`fairness.step.${name}.told`)),
      told === undefined ? null : value(t("fairness.told"), told),
      found === undefined ? null : value(t("fairness.found"), found),
    ),
  );
}

function value(label, content) {
  return h("p", { class: "small value" }, h("span", {}, label), " ", h("code", {}, textOf(content)));
}

/** Cards as cards, amounts and seeds as they are. */
function textOf(content) {
  if (!Array.isArray(content)) return content === "" ? t("fairness.empty") : String(content);
  if (Array.isArray(content[0])) return content.map(textOf).join(" | ");
  return content.map((one) => (typeof one === "string" ? shown(one) : String(one))).join(" ");
}

function seeds(round, { cards }) {
  return h(
    "details",
    { class: "more-facts" },
    h("summary", {}, t("fairness.details")),
    value(t("fairness.server_seed"), round.server_seed),
    value(t("fairness.client_seed"), round.client_seed),
    cards.length ? value(t("fairness.shoe"), cards) : null,
    h("p", { class: "small" }, t("fairness.elsewhere")),
  );
}
