/** The hint: what the best strategy does now, where the profile allows it and the player wants it. */

import { byId } from "./dom.js";
import { t } from "./i18n.js";
import { onPref, pref } from "./prefs.js";
import { say } from "./say.js";

const ACTIONS = ["hit", "stand", "double", "split"];

/** @param {{client: any, state: any}} table */
export function watchHint({ client, state }) {
  let asked = "";

  function look() {
    const { me, round, session } = state.get();
    const isWanted = pref("hint") && me?.profile.hint_allowed && session === "ready" && round?.state === "open";
    const moment = isWanted ? `${round.round_id}:${round.seq}` : "";
    if (moment === asked) return;
    asked = moment;
    mark(null);
    if (moment) void ask(round, moment);
  }

  async function ask(round, moment) {
    try {
      const { action } = await client.advice(round.round_id);
      if (moment !== asked) return;
      mark(action);
      say(t("hint.said", { action: t(`action.${action}`) }));
    } catch (error) {
      if (!error.code) throw error;
      asked = ""; // the round has moved on, or hints have ended: no more is said
    }
  }

  function mark(action) {
    for (const name of ACTIONS) byId(name).classList.toggle("hinted", name === action);
  }

  state.subscribe(look);
  onPref((name) => name === "hint" && look());
}
