/** The rules with their numbers, what they return and how that is known, and the stakes. */

import { h } from "../dom.js";
import { language, t } from "../i18n.js";
import { readMarkdown, scrolling } from "../markdown.js";
import { money } from "../money.js";
import { percent } from "../when.js";
import { attempt, makeStatus, section } from "./parts.js";

const RULES = "house/1";

export const sheet = {
  name: "rules",
  titleKey: "menu.rules",
  /** @param {HTMLElement} root @param {any} context */
  async build(root, { client, state }) {
    const status = makeStatus();
    root.classList.add("reading");
    root.append(status.place);
    status.tell(t("loading"));
    await attempt(status, null, async () => {
      const [rules, strategy, currencies] = await Promise.all([
        client.rules(RULES, language()), client.strategy(RULES), client.currencies(),
      ]);
      status.tell("");
      root.append(returnOf(rules, strategy), ...readMarkdown(rules.text), stakes(currencies.results, state.get().me), h("p", { class: "small" }, t("rules.identity", { rules: rules.rules, sha256: rules.sha256 })));
    });
  },
};

/** The return, how it is worked out, and with which play (RTP-02). */
function returnOf(rules, strategy) {
  return section(
    t("rules.rtp.title"),
    h("p", { class: "figure" }, percent(Number(rules.rtp.percent) / 100)),
    h("p", {}, t("rules.rtp.basis")),
    h("p", {}, t("rules.rtp.strategy")),
    h("p", { class: "small" }, t("rules.rtp.figures", {
      edge: percent(strategy.house_edge), risk: percent(strategy.element_of_risk), most: strategy.largest_win,
    })),
  );
}

/** The stakes, chips and large-win line: of the player's currency, or of all. */
function stakes(currencies, me) {
  const shown = me ? currencies.filter(({ currency }) => currency === me.currency) : currencies;
  const columns = ["currency", "minimum", "maximum", "step", "chips", "large_win"];
  const row = (line) => {
    const short = (minor) => money(minor, line, { isShort: true });
    const cells = [
      short(line.minimum_minor), short(line.maximum_minor), short(line.step_minor),
      line.chips_minor.map(short).join(" · "), short(line.large_win_minor),
    ];
    return h("tr", {}, h("th", { scope: "row" }, line.currency), ...cells.map((cell) => h("td", {}, cell)));
  };
  const head = h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, t(`rules.stakes.${name}`))));
  const table = h("table", {}, h("thead", {}, head), h("tbody", {}, ...shown.map(row)));
  return section(t("rules.stakes.title"), scrolling(table));
}
