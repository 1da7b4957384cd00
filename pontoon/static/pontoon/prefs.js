/** What the player has chosen on this device. It is kept where the browser lets us keep it. */

const KEY = "pontoon.prefs";
const DEFAULTS = {
  language: "", theme: "auto", sound: false, fourColours: false, clientSeed: "", hint: false,
};

const chosen = { ...DEFAULTS, ...readAll() };
const listeners = new Set();

/** @param {keyof typeof DEFAULTS} name @returns {any} */
export function pref(name) {
  return chosen[name];
}

/** @param {keyof typeof DEFAULTS} name @param {any} value */
export function setPref(name, value) {
  chosen[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // Kept for this page only: some frames and private windows store nothing.
  }
  for (const listener of listeners) listener(name, value);
}

/** Call back with the name and value of whatever is chosen from now on. */
export function onPref(listener) {
  listeners.add(listener);
}

function readAll() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}
