/**
 * What lies beside the table: a sheet each, in a module of its own that is loaded when it is opened
 * first. Such a module exports `sheet`: {name, titleKey, build(root, context)}; its words are in
 * `messages/<language>.sheets.js`. `context` is {client, state, play, close, open}, and what the
 * opener tells beside the name.
 */

import { breakButtons } from "./breaks.js";
import { h } from "./dom.js";
import { loadSheetMessages, t } from "./i18n.js";
import { openSheet } from "./sheet.js";

/** In the order of the menu; each titled by `menu.<name>` in the table's words. */
const SHEETS = {
  rules: () => import("./sheets/rules.js"),
  history: () => import("./sheets/history.js"),
  fairness: () => import("./sheets/fairness.js"),
  statement: () => import("./sheets/statement.js"),
  protection: () => import("./sheets/protection.js"),
  settings: () => import("./sheets/settings.js"),
  keys: () => import("./sheets/keys.js"),
};
/** Those that need no session. */
const PUBLIC = ["rules", "settings", "keys"];

/** Which version and build of the page this is (SIG-03). */
function buildOf() {
  const told = (name) => document.querySelector(`meta[name="${name}"]`).content;
  return `Pontoon ${told("version")} · ${told("build")}`;
}

/** @param {{client: any, state: any, play: any}} table */
export function makeMenu(table) {
  /** Open one sheet by its name. @param {string} name @param {object} [about] */
  async function open(name, about = {}) {
    const [module] = await Promise.all([SHEETS[name](), loadSheetMessages()]);
    const { titleKey, build } = module.sheet;
    const context = (close) => ({ ...table, close, open, ...about });
    openSheet({ title: t(titleKey), build: (root, close) => build(root, context(close)) });
  }

  function line(name, close) {
    const onclick = () => {
      close();
      void open(name);
    };
    return h("button", { type: "button", class: "line", onclick }, t(`menu.${name}`));
  }

  return {
    open,
    /** Show the list of all sheets, and below it the terms of a break, two clicks from the table. */
    async list() {
      await loadSheetMessages();
      const isIn = table.state.get().session === "ready";
      const names = Object.keys(SHEETS).filter((name) => isIn || PUBLIC.includes(name));
      openSheet({
        title: t("menu"),
        build(root, close) {
          root.append(h("div", { class: "lines" }, ...names.map((name) => line(name, close))));
          if (isIn) root.append(h("h3", { class: "lines-title" }, t("break.title")), breakButtons(table));
          root.append(h("p", { class: "build" }, buildOf()));
        },
      });
    },
  };
}
