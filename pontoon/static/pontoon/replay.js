/**
 * A round card by card: the frames in which it came to where it is. Pure.
 *
 * A frame is what lay on the table after one card or one act. Cards are first told apart by the
 * order in which they were drawn; then each gets the face that the round itself tells of it.
 *
 * @typedef {{cards: any[], wager: number, isActive: boolean}} FrameHand
 * @typedef {{what: "card" | "dealer_card" | "act" | "turn" | "dealer_draw", action?: string,
 *   by?: string, hand?: number, card?: any, hands: FrameHand[], dealer: string[]}} Frame
 */

/** @param {any} round an answer of GET /rounds/{id} @returns {Frame[]} */
export function framesOf(round) {
  const played = playOut(round);
  const faces = new Map();
  played.at(-1)?.hands.forEach(({ cards }, hand) => {
    cards.forEach((draw, index) => faces.set(draw, round.hands[hand]?.cards[index] ?? "??"));
  });
  const face = (draw) => faces.get(draw) ?? "??";
  const frames = played.map((frame) => ({
    ...frame,
    ...(frame.card !== undefined && { card: face(frame.card) }),
    hands: frame.hands.map((hand) => ({ ...hand, cards: hand.cards.map(face) })),
  }));
  return round.state === "open" ? frames : [...frames, ...reveal(round, frames.at(-1))];
}

/** The player's part, its cards by the number of their draw (H3, H8 to H10). @returns {Frame[]} */
function playOut({ stake_minor: stake, actions }) {
  const hands = [{ cards: [], wager: stake }];
  const dealer = [];
  const frames = [];
  let drawn = 0;

  function show(about) {
    const seen = ({ cards, wager }, index) => ({ cards: [...cards], wager, isActive: index === about.hand });
    frames.push({ ...about, hands: hands.map(seen), dealer: [...dealer] });
  }
  function give(hand, about) {
    const card = drawn++;
    hands[hand].cards.push(card);
    show({ ...about, hand, card });
  }
  function giveDealer() {
    drawn += 1;
    dealer.push("??");
    show({ what: "dealer_card" });
  }
  function split(hand, by) {
    hands.splice(hand + 1, 0, { cards: [hands[hand].cards.pop()], wager: stake });
    show({ what: "act", action: "split", hand, by });
    give(hand, { what: "card" });
    give(hand + 1, { what: "card" });
  }

  give(0, { what: "card" });
  giveDealer();
  give(0, { what: "card" });
  giveDealer();
  for (const { action, hand, by } of actions) {
    if (action === "split") split(hand, by);
    else if (action === "stand") show({ what: "act", action, hand, by });
    else {
      if (action === "double") hands[hand].wager *= 2;
      give(hand, { what: "act", action, by });
    }
  }
  return frames;
}

/** The dealer turns his two cards up, and draws his own (H12). */
function reveal(round, last) {
  const hands = last.hands.map((hand) => ({ ...hand, isActive: false }));
  const cards = round.dealer.cards;
  if (cards.length < 2) return [];
  const turned = { what: "turn", hands, dealer: cards.slice(0, 2) };
  const drawn = cards.slice(2).map((card, index) => ({
    what: "dealer_draw", card, hands, dealer: cards.slice(0, index + 3),
  }));
  return [turned, ...drawn];
}
