/** All keys of the table. */

import { h } from "../dom.js";
import { t } from "../i18n.js";

const LINES = [
  ["␣", "keys.deal"], ["0–9", "keys.digits"], ["⌫", "keys.back"], ["H", "action.hit"],
  ["S", "action.stand"], ["D", "action.double"], ["P", "action.split"], ["Esc", "keys.lobby"], ["?", "keys.help"],
];

export const sheet = {
  name: "keys",
  titleKey: "menu.keys",
  /** @param {HTMLElement} root */
  build(root) {
    const line = ([key, message]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(message)));
    root.append(h("dl", { class: "pairs" }, ...LINES.map(line)));
  },
};
