/**
 * The bet that the player puts together before a deal: by chips, by digits, or as it was. It is his
 * alone until he deals; whether it stands, the server says.
 */

/**
 * @typedef {{currency: string, exponent: number, minimum_minor: number, maximum_minor: number,
 *   step_minor: number, chips_minor: number[]}} Currency
 */

/** @param {(amountMinor: number) => void} onChange */
export function makeBet(onChange) {
  let chips = [];
  let typed = "";
  let amountMinor = 0;

  function become(newAmount) {
    amountMinor = newAmount;
    onChange(amountMinor);
  }
  return {
    amountMinor: () => amountMinor,
    /** What was typed, or nothing when the bet is of chips. */
    typed: () => typed,
    /** Put a chip on it. @param {number} chipMinor */
    add(chipMinor) {
      if (!chips.length && amountMinor) chips = [amountMinor];
      chips.push(chipMinor);
      typed = "";
      become(amountMinor + chipMinor);
    },
    /** Take back the last chip, or the last digit. @param {Currency} currency */
    takeBack(currency) {
      if (typed) return this.type(typed.slice(0, -1), currency);
      const last = chips.pop() ?? amountMinor;
      return become(Math.max(0, amountMinor - last));
    },
    clear() {
      this.set(0);
    },
    /** Make it this amount. @param {number} newAmount */
    set(newAmount) {
      chips = [];
      typed = "";
      become(newAmount);
    },
    /** Make it what is typed, whole units and perhaps a fraction. */
    type(text, { exponent }) {
      chips = [];
      typed = text.replace(",", ".").replace(/[^\d.]/g, "").slice(0, 12);
      become(readAmount(typed, exponent));
    },
  };
}

/** The minor units of a text of digits; what is finer than the currency is cut. */
export function readAmount(text, exponent) {
  const [whole = "", fraction = ""] = text.split(".");
  return Number(whole + fraction.slice(0, exponent).padEnd(exponent, "0")) || 0;
}

/**
 * Why a bet cannot be dealt, as a message key with its amounts; null when it can.
 * @param {number} minor @param {Currency} currency @param {number} balanceMinor
 * @returns {{key: string, minor?: number} | null}
 */
export function faultOf(minor, currency, balanceMinor) {
  if (!minor) return { key: "why.no_bet" };
  if (minor < currency.minimum_minor) return { key: "why.minimum", minor: currency.minimum_minor };
  if (minor > currency.maximum_minor) return { key: "why.maximum", minor: currency.maximum_minor };
  if (minor % currency.step_minor) return { key: "why.step", minor: currency.step_minor };
  if (minor > balanceMinor) return { key: "why.balance", minor: balanceMinor };
  return null;
}

/** The chips that make up an amount, the largest first; what no chip makes is left out. */
export function chipsOf(minor, { chips_minor: chips }) {
  const made = [];
  let rest = minor;
  for (const chip of [...chips].sort((one, other) => other - one)) {
    for (; rest >= chip; rest -= chip) made.push(chip);
  }
  return made;
}
