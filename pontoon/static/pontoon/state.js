/**
 * What the page knows: what the server said last, and how the line to it is. Nothing is worked out
 * ahead of an answer. Who shows it subscribes.
 *
 * @typedef {object} State
 * @property {"starting" | "ready" | "none" | "ended"} session
 * @property {any} me         the answer of GET /me
 * @property {any} currency   the player's line of GET /currencies
 * @property {any} round      the round on the table, as it was answered last; null if none
 * @property {number} lastStake   the stake of the last round, minor units; 0 if none
 * @property {boolean} isBusy     an act is on its way
 * @property {{isUp: boolean, attempt: number}} link
 * @property {Notice | null} notice   what the player is to be told
 * @property {number} readyAt     when the next round may start (`too_soon`), ms of this clock
 *
 * @typedef {{code: string, problem?: any}} Notice
 */

/** @param {Partial<State>} [initial] */
export function makeState(initial = {}) {
  /** @type {State} */
  let now = {
    session: "starting",
    me: null,
    currency: null,
    round: null,
    lastStake: 0,
    isBusy: false,
    link: { isUp: true, attempt: 0 },
    notice: null,
    readyAt: 0,
    ...initial,
  };
  const subscribers = new Set();
  return {
    /** @returns {Readonly<State>} */
    get: () => now,
    /** @param {Partial<State>} change */
    set(change) {
      const before = now;
      now = { ...now, ...change };
      for (const subscriber of subscribers) subscriber(now, before);
    },
    /** @param {(now: State, before: State) => void} subscriber */
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
  };
}
