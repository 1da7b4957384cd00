/** Amounts as people type them. Pure. */

/** An amount as it was typed, in minor units; null if it is none. @param {string} text */
export function minorOf(text, exponent) {
  const plain = text.replace(/[\s\u00a0']/g, "");
  const parts = /^(\d+(?:[.,]\d{3})*?)(?:[.,](\d+))?$/.exec(plain);
  if (!parts) return null;
  const [, whole, fraction = ""] = parts;
  if (fraction.length > exponent) {
    return fraction.length === 3 ? minorOf(plain.replace(/[.,]/g, ""), exponent) : null;
  }
  const minor = Number(whole.replace(/[.,]/g, "") + fraction.padEnd(exponent, "0"));
  return Number.isSafeInteger(minor) ? minor : null;
}
