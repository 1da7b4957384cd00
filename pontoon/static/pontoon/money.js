/** Amounts, as people read them. Amounts are minor units; only the server says what those are. */

import { language } from "./i18n.js";

const formats = new Map();

/**
 * @param {number} minor
 * @param {{currency: string, exponent: number}} currency   a line of GET /currencies
 * @param {{isSigned?: boolean, isShort?: boolean, isBare?: boolean}} [how]
 *   with a plus sign; without needless decimals; without the currency
 */
export function money(minor, { currency, exponent }, how = {}) {
  const text = format(currency, exponent, how).format(decimal(minor, exponent));
  return how.isSigned && minor > 0 ? `+${text}` : text;
}

/** The amount as a decimal text, exact for any size. */
function decimal(minor, exponent) {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, "0");
  const whole = digits.slice(0, digits.length - exponent);
  return (minor < 0 ? "-" : "") + (exponent ? `${whole}.${digits.slice(-exponent)}` : whole);
}

function format(currency, exponent, { isShort, isBare }) {
  const key = [language(), currency, isShort, isBare].join();
  if (!formats.has(key)) {
    formats.set(
      key,
      new Intl.NumberFormat(language(), {
        ...(isBare ? {} : { style: "currency", currency, currencyDisplay: "narrowSymbol" }),
        minimumFractionDigits: exponent,
        maximumFractionDigits: exponent,
        ...(isShort && { trailingZeroDisplay: "stripIfInteger" }),
      }),
    );
  }
  return formats.get(key);
}
