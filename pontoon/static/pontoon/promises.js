/**
 * What this page knew before a deal: the commitments that it was shown while no card was dealt from
 * them, and the client seeds that it sent. Kept in this tab's storage, so that a reload forgets
 * nothing; it is what makes the check of a round more than the service's own word.
 */

import { pref } from "./prefs.js";

const KEY = "pontoon.promises";
const KEPT_MAX = 300;

const kept = read();

/** Before a deal: the commitment to the next round's seed was seen. @param {string | null} commitment */
export function seePromise(commitment) {
  if (!commitment || kept.seen.includes(commitment)) return;
  kept.seen.push(commitment);
  store();
}

/** At a deal of this page: the client seed that it sent. */
export function noteSent(roundId, clientSeed) {
  kept.sent[roundId] = clientSeed;
  store();
}

/**
 * What is known of a round from before its deal.
 * @returns {{seen?: boolean, sentSeed?: string}} `seen` is left out where the page was not there
 */
export function knownBefore(round) {
  const sentSeed = kept.sent[round.round_id];
  const seen = kept.seen.includes(round.commitment);
  if (seen) return { seen, sentSeed };
  // It dealt this round itself, and had been promised something else.
  return sentSeed === undefined ? {} : { seen: false, sentSeed };
}

/** The client seed of the next deal: the player's own words, or new ones that nobody can foresee. */
export function nextClientSeed() {
  return pref("clientSeed") || inventSeed();
}

/** Words of chance, as a suggestion. */
export function inventSeed() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("").slice(0, 20);
}

/** Look on while the table is played. @param {any} state */
export function watchPromises(state) {
  state.subscribe((now) => {
    const { me, round } = now;
    if (me && round?.state !== "open") seePromise(me.next_commitment);
    if (round && round.state !== "open") seePromise(round.next_commitment);
  });
}

function read() {
  try {
    return { seen: [], sent: {}, ...JSON.parse(sessionStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { seen: [], sent: {} };
  }
}

function store() {
  kept.seen = kept.seen.slice(-KEPT_MAX);
  kept.sent = Object.fromEntries(Object.entries(kept.sent).slice(-KEPT_MAX));
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage it knows of this page's own time only.
  }
}
