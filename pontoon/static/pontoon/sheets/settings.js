/** Language, sound, light or dark, colours of the suits. */

import { h } from "../dom.js";
import { LANGUAGES, chooseLanguage, language, t } from "../i18n.js";
import { pref, setPref } from "../prefs.js";

export const sheet = {
  name: "settings",
  titleKey: "menu.settings",
  /** @param {HTMLElement} root @param {any} context */
  build(root, { close, state }) {
    const spoken = (tag) => chooseLanguage(tag).then(close);
    const themes = ["auto", "light", "dark"].map((name) => [name, t(`theme.${name}`)]);
    root.append(
      choice(t("settings.language"), Object.entries(LANGUAGES), language(), spoken),
      choice(t("settings.theme"), themes, pref("theme"), (name) => setPref("theme", name)),
      toggle(t("settings.sound"), "sound"),
      toggle(t("settings.four_colours"), "fourColours"),
      state.get().me?.profile.hint_allowed ? hint() : "",
    );
  },
};

function choice(label, options, chosen, onChoice) {
  const option = ([value, text]) => h("option", { value, selected: value === chosen }, text);
  const list = h("select", { onchange: () => onChoice(list.value) }, ...options.map(option));
  return h("label", { class: "field" }, h("span", {}, label), list);
}

function toggle(label, name) {
  const box = h("input", { type: "checkbox", checked: pref(name), onchange: () => setPref(name, box.checked) });
  return h("label", { class: "field" }, h("span", {}, label), box);
}

function hint() {
  return h("div", {}, toggle(t("settings.hint"), "hint"), h("p", { class: "small" }, t("settings.hint.told")));
}
