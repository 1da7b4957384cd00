/**
 * The page's words, in the player's language: `t("key", {name: …})`.
 *
 * A message is a text with `{names}`, or, where it counts, an object of texts by the language's
 * plural categories, chosen by `count`. What is wanted later than the table (the sheets' words)
 * comes by `loadSheetMessages`.
 */

import { pref, setPref } from "./prefs.js";

const TABLE = {
  en: () => import("./messages/en.js"),
  es: () => import("./messages/es.js"),
  pt: () => import("./messages/pt.js"),
  sv: () => import("./messages/sv.js"),
};
const SHEETS = {
  en: () => import("./messages/en.sheets.js"),
  es: () => import("./messages/es.sheets.js"),
  pt: () => import("./messages/pt.sheets.js"),
  sv: () => import("./messages/sv.sheets.js"),
};

/** The languages by their own names. */
export const LANGUAGES = { en: "English", es: "Español", pt: "Português", sv: "Svenska" };

let current = "en";
let messages = {};
let hasSheets = false;
const listeners = new Set();

/** The language that is spoken now. */
export function language() {
  return current;
}

/** The first of these that we speak: the player's choice, the launch's, the session's, the browser's. */
export function pickLanguage(...wanted) {
  const asked = [pref("language"), ...wanted, ...navigator.languages];
  return asked.map((tag) => (tag ?? "").slice(0, 2).toLowerCase()).find((tag) => tag in TABLE) ?? "en";
}

/** Speak a language from now on; who shows words is called back. */
export async function speak(tag) {
  const loaded = [TABLE[tag](), ...(hasSheets ? [SHEETS[tag]()] : [])];
  const parts = await Promise.all(loaded);
  messages = Object.assign({}, ...parts.map((part) => part.default));
  current = tag;
  document.documentElement.lang = tag;
  for (const listener of listeners) listener(tag);
}

/** The player chooses a language: it is spoken at once and kept. */
export async function chooseLanguage(tag) {
  setPref("language", tag);
  await speak(tag);
}

/** Have the words of the sheets, too. */
export async function loadSheetMessages() {
  if (hasSheets) return;
  const part = await SHEETS[current]();
  hasSheets = true;
  messages = { ...messages, ...part.default };
}

/** Be called back whenever another language is spoken. Returns how to stop that. */
export function onLanguage(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether there is such a message. */
export function hasMessage(key) {
  return key in messages;
}

/**
 * The message of a key with its values put in.
 * @param {string} key
 * @param {Record<string, any>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const message = messages[key] ?? key;
  const text = typeof message === "string" ? message : byCount(message, values.count);
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

function byCount(forms, count) {
  return forms[new Intl.PluralRules(current).select(count)] ?? forms.other;
}
