/** Times and spans of time, as people read them in their language. */

import { language } from "./i18n.js";

/** A day and a time. @param {string | Date} at */
export function dateTime(at) {
  return format({ dateStyle: "medium", timeStyle: "short" }, at);
}

/** A time of day. @param {string | Date} at */
export function timeOfDay(at) {
  return format({ timeStyle: "short" }, at);
}

function format(how, at) {
  return new Intl.DateTimeFormat(language(), how).format(new Date(at));
}

/** Hours and minutes, in words: `1 hr 5 min`. @param {number} seconds */
export function span(seconds) {
  const minutes = Math.floor(seconds / 60);
  const parts = [unit(Math.floor(minutes / 60), "hour"), unit(minutes % 60, "minute")];
  return parts.filter((part, index) => part && (index || minutes >= 60)).join(" ");
}

/** A number of a unit, in words: `3 days`. */
export function unit(count, name, unitDisplay = "short") {
  return new Intl.NumberFormat(language(), { style: "unit", unit: name, unitDisplay }).format(count);
}

/** When it was so many days ago, to the minute: the same address while a page is turned. */
export function daysAgo(days) {
  const at = new Date(Date.now() - Number(days) * 86_400_000);
  at.setSeconds(0, 0);
  return at.toISOString();
}

/** A share as a percentage, with so many decimals. @param {number} share 0 to 1 */
export function percent(share, decimals = 2) {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(language(), { style: "percent", ...digits }).format(share);
}
