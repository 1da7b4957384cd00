/** A break or an exclusion: a term, a question that says what will be, and it holds. */

import { h } from "./dom.js";
import { loadSheetMessages, t } from "./i18n.js";
import { problemText } from "./notice.js";
import { ask } from "./sheet.js";
import { dateTime, unit } from "./when.js";

const DAY_MS = 86_400_000;
/** Terms in days; null is for good. Half a year and more is an exclusion, the rest a break. */
const TERMS = [1, 7, 30, 180, null];
const EXCLUSION_DAYS = 180;

/** @param {number | null} days */
const nameOf = (days) => (days === null ? t("break.for_good") : unit(days, "day", "long"));

/** A button for each term. @param {any} table */
export function breakButtons(table) {
  const one = (days) =>
    h("button", { type: "button", class: "act quiet", onclick: () => void confirm(days, table) }, nameOf(days));
  return h("div", { class: "terms", role: "group", "aria-label": t("break.title") }, ...TERMS.map(one));
}

/** @param {number | null} days @param {{client: any, state: any, play: any}} table */
async function confirm(days, { client, state, play }) {
  await loadSheetMessages();
  const isExclusion = days === null || days >= EXCLUSION_DAYS;
  const until = days === null ? null : dateTime(new Date(Date.now() + days * DAY_MS));
  const text = t(until ? "break.confirm" : "break.confirm_for_good", { until });
  const isOpen = state.get().round?.state === "open";
  const answer = await ask({
    title: t("break.question", { term: nameOf(days) }),
    text: isOpen ? `${text} ${t("break.open_round")}` : text,
    answers: [
      { name: "no", label: t("break.no") },
      { name: "yes", label: t(isExclusion ? "break.yes_exclude" : "break.yes"), isMain: true },
    ],
  });
  if (answer !== "yes") return;
  try {
    await client.exclude({ kind: isExclusion ? "self_exclusion" : "cooling_off", ...(days && { days }) });
  } catch (error) {
    if (!error.code) throw error;
    state.set({ notice: { code: error.code, problem: { ...error.problem, detail: problemText(error, null) } } });
    return;
  }
  for (const sheet of document.querySelectorAll("dialog[open]")) /** @type {any} */ (sheet).close();
  await play.refresh();
  state.set({ notice: { code: isExclusion ? "excluded" : "cooling_off" } });
}
