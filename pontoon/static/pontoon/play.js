/**
 * The player's acts: deal, act, leave. One at a time; each ends in what the server said, whatever
 * happened on the way. A second tab is told that there is something new.
 */

import { newId } from "./client.js";

/** Codes after which the page has to ask where it stands. */
const OUT_OF_STEP = new Set(["round_open", "seq_conflict", "round_over", "action_not_now"]);
const OVER = new Set(["not_authenticated", "session_expired"]);

/**
 * @param {{client: any, state: any, clientSeed: () => string,
 *   onDeal?: (roundId: string, clientSeed: string) => void, channel?: BroadcastChannel}} about
 */
export function makePlay({ client, state, clientSeed, onDeal = () => {}, channel }) {
  const play = {
    /** Come to the table: who am I, and is a round open? */
    start: () => guarded(async () => {
      const [stands, currencies] = await Promise.all([whereItStands(), client.currencies()]);
      const currency = currencies.results.find((line) => line.currency === stands.me.currency);
      state.set({ ...stands, currency, session: "ready" });
    }),

    /** Deal a round. @param {number} stakeMinor */
    deal: (stakeMinor) => act(async () => {
      const { currency, profile } = state.get().me;
      const bet = { round_id: newId(), stake_minor: stakeMinor, currency };
      if (profile.client_seed_allowed) bet.client_seed = clientSeed();
      onDeal(bet.round_id, bet.client_seed ?? "");
      return client.openRound(bet);
    }),

    /** Take one of the options. @param {string} action */
    act: (action) => act(() => {
      const { round_id, seq } = state.get().round;
      return client.act(round_id, seq, action);
    }),

    /** Ask anew where everything stands, quietly. */
    refresh: () => guarded(async () => {
      state.set({ ...(await whereItStands()), notice: null });
    }),

    /** Ask anew for the player's money and session only. */
    refreshMe: () => guarded(async () => {
      state.set({ me: await client.me() });
    }),

    /** Put away what the player was told. */
    dismiss: () => state.set({ notice: null }),

    /** End the session. */
    leave: () => guarded(async () => {
      await client.endSession();
      state.set({ session: "ended", notice: null });
    }),
  };

  /** One act at a time: a double click is one click. */
  async function act(ask) {
    const { isBusy, session } = state.get();
    if (isBusy || session !== "ready") return;
    state.set({ isBusy: true, notice: null });
    await guarded(async () => {
      const round = await ask();
      take(round);
      channel?.postMessage({ round_id: round.round_id, seq: round.seq });
    });
    state.set({ isBusy: false });
    if (state.get().session === "ready") void play.refreshMe();
  }

  function take(round) {
    const me = { ...state.get().me, balance_minor: round.balance_minor };
    state.set({ round, me, lastStake: round.stake_minor });
  }

  async function guarded(work) {
    try {
      await work();
    } catch (error) {
      if (!error.code) throw error;
      await mend(error);
    }
  }

  /** Take in what a refusal tells. */
  async function mend({ code, problem, retryAfterS }) {
    if (OVER.has(code)) {
      state.set({ session: "ended", notice: { code, problem } });
    } else if (OUT_OF_STEP.has(code)) {
      if (problem.round) take(problem.round);
      else await play.refresh();
      state.set({ notice: { code: "caught_up" } });
    } else if (code === "too_soon") {
      state.set({ readyAt: Date.now() + retryAfterS * 1000, notice: { code, problem } });
    } else {
      state.set({ notice: { code, problem } });
    }
  }

  /** The player, and the open round, else the last one of this session: asked for at once, not in turn. */
  async function whereItStands() {
    const [me, open, { results: [last] }] = await Promise.all([client.me(), client.currentRound(), client.rounds({ limit: "1" })]);
    if (open) return { me, round: open, lastStake: open.stake_minor };
    const isOfNow = last && last.opened_at >= me.session.opened_at;
    return { me, round: isOfNow ? last : null, lastStake: last?.stake_minor ?? 0 };
  }

  channel?.addEventListener("message", () => {
    if (!state.get().isBusy && state.get().session === "ready") void play.refresh();
  });
  return play;
}
