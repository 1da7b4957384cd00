/**
 * The player's own check of a round, worked out in his browser by nothing but the published recipe
 * (docs/fairness.md) and WebCrypto: the commitment, the shoe, every card, the dealer's draws and the
 * results. It is written apart from the service and shares no line with it. Pure: no page, no clock.
 *
 * Each step holds (true), does not (false), or could not be looked at (null). A round is `verified`
 * only if every step holds; one that does not makes it `failed`; else it is `unproven`.
 *
 * @typedef {{name: string, holds: boolean | null, told?: any, found?: any}} Step
 * @typedef {{verdict: "verified" | "failed" | "unproven", steps: Step[], cards: string[]}} Check
 */

const RANKS = "A23456789TJQK";
const SUITS = "SHDC";
const DECKS = 8;
const PURPOSE = "pontoon/shoe/1\n";
const TRICK = 5;
const DRAW_TO = 17;

/** Whether this browser can: WebCrypto is there on https and on this machine only. */
export const canVerify = () => Boolean(globalThis.crypto?.subtle);

/** The fingerprint of a server seed. @param {string} serverSeed hexadecimal */
export async function commitmentOf(serverSeed) {
  return toHex(await sha256(fromHex(serverSeed)));
}

/** The seed of the shoe: both seeds go into it. @param {string} serverSeed @param {string} clientSeed */
export async function shoeSeedOf(serverSeed, clientSeed) {
  const how = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", fromHex(serverSeed), how, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(PURPOSE + clientSeed));
  return new Uint8Array(signed);
}

/**
 * The first cards of the shoe, in the order in which they are drawn.
 * @param {string} serverSeed @param {string} clientSeed @param {number} count
 */
export async function drawCards(serverSeed, clientSeed, count) {
  const nextWord = words(await shoeSeedOf(serverSeed, clientSeed));
  const shoe = freshShoe();
  for (let here = 0; here < count; here += 1) {
    const there = here + (await below(shoe.length - here, nextWord));
    [shoe[here], shoe[there]] = [shoe[there], shoe[here]];
  }
  return shoe.slice(0, count);
}

function freshShoe() {
  const deck = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  return Array.from({ length: DECKS }, () => deck).flat();
}

/** A number below `left`, each as likely as the next: what falls outside is thrown away. */
async function below(left, nextWord) {
  let mask = 1;
  while (mask < left) mask *= 2;
  for (;;) {
    const offset = (await nextWord()) % mask; // the low bits
    if (offset < left) return offset;
  }
}

/** The words of the stream, 16 bits each: block n is the SHA-256 of the seed and n. */
function words(seed) {
  let block = 0;
  let ready = [];
  return async () => {
    if (!ready.length) {
      const numbered = new Uint8Array(seed.length + 8);
      numbered.set(seed);
      new DataView(numbered.buffer).setBigUint64(seed.length, BigInt(block));
      const digest = new DataView((await sha256(numbered)).buffer);
      ready = Array.from({ length: 16 }, (_, index) => digest.getUint16(2 * index));
      block += 1;
    }
    return ready.shift();
  };
}

async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

function fromHex(text) {
  if (!/^([0-9a-f]{2})+$/.test(text)) throw new TypeError("no hexadecimal");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// --- A hand -------------------------------------------------------------------------------------

/** Total, softness and kind of cards (H2, H5). @param {string[]} cards */
export function valueOf(cards) {
  const points = cards.map(([rank]) => (rank === "A" ? 1 : "TJQK".includes(rank) ? 10 : Number(rank)));
  const hard = points.reduce((sum, point) => sum + point, 0);
  const soft = points.includes(1) && hard + 10 <= 21;
  const total = soft ? hard + 10 : hard;
  const kinds = [
    [total > 21, "bust"],
    [cards.length === 2 && total === 21, "pontoon"],
    [cards.length === TRICK, "five_card_trick"],
    [true, "points"],
  ];
  return { total, soft, kind: String(kinds.find(([holds]) => holds)[1]) };
}

const HEIGHT = { bust: 0, points: 1, five_card_trick: 2, pontoon: 3 };

/** What a hand gets back, its wager counted in (H14, H15). */
function payoutOf(hand, dealer) {
  const [own, other] = [valueOf(hand.cards), valueOf(dealer)];
  const [mine, his] = [HEIGHT[own.kind], HEIGHT[other.kind]];
  const isHigher = mine > his || (own.kind === "points" && mine === his && own.total > other.total);
  if (own.kind === "bust" || !isHigher) return 0;
  return hand.wager * (mine >= HEIGHT.five_card_trick ? 3 : 2);
}

// --- A round ------------------------------------------------------------------------------------

/**
 * Lay a round out card by card, as its actions say, from the shoe's first cards (H3, H8 to H10).
 * @param {string[]} shoe @param {{action: string, hand: number}[]} actions @param {number} stake
 */
export function layOut(shoe, actions, stake) {
  let drawn = 0;
  const draw = () => shoe[drawn++];
  const first = { cards: [draw()], wager: stake };
  const dealer = [draw()];
  first.cards.push(draw());
  dealer.push(draw());
  const hands = [first];
  for (const { action, hand } of actions) {
    const playing = hands[hand];
    if (!playing) throw new TypeError("no such hand");
    if (action === "split") {
      const second = { cards: [playing.cards.pop()], wager: stake };
      playing.cards.push(draw());
      second.cards.push(draw());
      hands.splice(hand + 1, 0, second);
    } else if (action !== "stand") {
      if (action === "double") playing.wager *= 2;
      playing.cards.push(draw());
    }
  }
  dealerDraws(hands, dealer, draw);
  return { hands, dealer, drawn };
}

/** The dealer's own cards (H4, H12): none where no hand is left that they could change. */
function dealerDraws(hands, dealer, draw) {
  if (valueOf(dealer).kind === "pontoon") return;
  const isOpen = ({ cards }) => !["bust", "pontoon"].includes(valueOf(cards).kind);
  if (!hands.some(isOpen)) return;
  for (;;) {
    const { total, soft } = valueOf(dealer);
    const mustDraw = total < DRAW_TO || (total === DRAW_TO && soft);
    if (!mustDraw || dealer.length === TRICK) return;
    dealer.push(draw());
  }
}

/** More than any round draws: three hands of five, and the dealer's five. */
const CARDS_MAX = 24;

/**
 * Check a round that the service has told (GET /rounds/{id}).
 * @param {any} round
 * @param {{seen?: boolean, sentSeed?: string}} [before] what this page knows of before the deal:
 *   whether it saw the commitment then (left out: it was not there), the client seed that it sent
 * @returns {Promise<Check>}
 */
export async function verifyRound(round, before = {}) {
  const steps = [seenStep(round, before), seedStep(round, before)];
  if (!round.server_seed || !canVerify()) {
    return conclude([...steps, { name: "commitment", holds: null }], []);
  }
  try {
    return await recompute(round, steps);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return conclude([...steps, { name: "readable", holds: false }], []);
  }
}

function seenStep(round, { seen }) {
  return { name: "promised", holds: seen ?? null, told: round.commitment };
}

function seedStep(round, { sentSeed }) {
  const holds = sentSeed === undefined ? null : sentSeed === round.client_seed;
  return { name: "client_seed", holds, told: round.client_seed, found: sentSeed };
}

async function recompute(round, steps) {
  const commitment = await commitmentOf(round.server_seed);
  const shoe = await drawCards(round.server_seed, round.client_seed, CARDS_MAX);
  const { hands, dealer, drawn } = layOut(shoe, round.actions, round.stake_minor);
  const told = round.hands.map((hand) => hand.cards);
  steps.push(
    {
      name: "commitment",
      holds: commitment === round.commitment,
      told: round.commitment,
      found: commitment,
    },
    {
      name: "player_cards",
      holds: isSame(told, hands.map((hand) => hand.cards)),
      told,
      found: hands.map((hand) => hand.cards),
    },
    { name: "dealer_cards", holds: isSame(round.dealer.cards, dealer), told: round.dealer.cards, found: dealer },
    resultStep(round, hands, dealer),
  );
  return conclude(steps, shoe.slice(0, drawn));
}

/** The money of each hand; a round that was voided gave every wager back (H18). */
function resultStep(round, hands, dealer) {
  const isVoided = round.state === "voided";
  const found = hands.map((hand) => (isVoided ? hand.wager : payoutOf(hand, dealer)));
  const told = round.hands.map((hand) => hand.payout_minor);
  return { name: "results", holds: isSame(told, found), told, found };
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @returns {Check} */
function conclude(steps, cards) {
  const verdict = steps.some((step) => step.holds === false)
    ? "failed"
    : steps.every((step) => step.holds === true)
      ? "verified"
      : "unproven";
  return { verdict, steps, cards };
}
