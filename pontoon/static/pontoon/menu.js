/**
 * What lies beside the table: a sheet each, in a module of its own that is loaded when it is opened
 * first. Such a module exports `sheet`: {name, titleKey, build(root, context)}; its words are in
 * `messages/<language>.sheets.js`. `context` is {client, state, play, close}.
 */

import { h } from "./dom.js";
import { loadSheetMessages, t } from "./i18n.js";
import { openSheet } from "./sheet.js";

/** In the order of the menu; each titled by `menu.<name>` in the table's words. */
const SHEETS = {
  settings: () => import("./sheets/settings.js"),
  keys: () => import("./sheets/keys.js"),
};

/** @param {{client: any, state: any, play: any}} table */
export function makeMenu(table) {
  return {
    /** Open one sheet by its name. @param {string} name */
    async open(name) {
      const [module] = await Promise.all([SHEETS[name](), loadSheetMessages()]);
      const { titleKey, build } = module.sheet;
      openSheet({ title: t(titleKey), build: (root, close) => build(root, { ...table, close }) });
    },
    /** Show the list of all sheets. */
    list() {
      openSheet({
        title: t("menu"),
        build: (root, close) => {
          const line = (name) =>
            h(
              "button",
              {
                type: "button",
                class: "line",
                onclick: () => {
                  close();
                  void this.open(name);
                },
              },
              t(`menu.${name}`),
            );
          root.append(h("div", { class: "lines" }, ...Object.keys(SHEETS).map(line)));
        },
      });
    },
  };
}
