/** The page comes to life here: its parts, made and put together. */

import { makeBet } from "./bet.js";
import { makeClient } from "./client.js";
import { byId } from "./dom.js";
import { watchHint } from "./hint.js";
import { language, onLanguage, pickLanguage, speak, t } from "./i18n.js";
import { listenToKeys } from "./keys.js";
import { forgetLaunch, readLaunch } from "./launch.js";
import { makeMenu } from "./menu.js";
import { watchNotices } from "./notices.js";
import { makePlay } from "./play.js";
import { onPref, pref } from "./prefs.js";
import { nextClientSeed, noteSent, watchPromises } from "./promises.js";
import { watchReality } from "./reality.js";
import { ask } from "./sheet.js";
import { makeState } from "./state.js";
import { labelAll, makeTable } from "./table.js";

const launch = readLaunch();
const state = makeState();
const client = makeClient({ token: launch.token, language, onLink: (link) => state.set({ link }) });
const channel = new BroadcastChannel("pontoon");
const play = makePlay({ client, state, clientSeed: nextClientSeed, onDeal: noteSent, channel });
let isByHand = true;
const bet = makeBet(() => table.showBet({ isByHand }));
const table = makeTable({ state, bet, play, lobby: launch.lobby });
const menu = makeMenu({ client, state, play });

function applyLook() {
  document.documentElement.dataset.theme = pref("theme");
  document.documentElement.dataset.suits = pref("fourColours") ? "four" : "two";
}

/** The bet as it was: what Rebet deals. */
function betAgain(stakeMinor) {
  isByHand = false;
  bet.set(stakeMinor);
  isByHand = true;
}

async function leave() {
  if (state.get().round?.state === "open") {
    const answers = [
      { name: "stay", label: t("leave.stay"), isMain: true },
      { name: "go", label: t("leave.go") },
    ];
    if ((await ask({ title: t("leave.title"), text: t("leave.text"), answers })) !== "go") return;
  }
  await play.leave();
  forgetLaunch();
  if (launch.lobby) open(launch.lobby, "_top");
}

function wire() {
  state.subscribe(table.show);
  state.subscribe((now, before) => {
    const isDealt = now.round?.round_id !== before.round?.round_id;
    if (isDealt || now.lastStake !== before.lastStake) betAgain(now.lastStake);
    if (now.session === "ended") forgetLaunch();
  });
  watchPromises(state);
  watchHint({ client, state });
  watchReality({ client, state, play, leave: () => void leave() });
  watchNotices({ client, state, play, open: menu.open });
  onLanguage(() => table.relabel());
  onPref(applyLook);
  byId("menu").addEventListener("click", () => menu.list());
  listenToKeys({
    press: (name) => table.press(name),
    type: (digit) => state.get().currency && byId("bet").readOnly === false && bet.type(bet.typed() + digit, state.get().currency),
    takeBack: () => byId("take-back").click(),
    leave: () => void leave(),
    help: () => void menu.open("keys"),
  });
  addEventListener("visibilitychange", () => {
    if (!document.hidden && state.get().session === "ready") void play.refresh();
  });
}

applyLook();
await speak(pickLanguage(launch.language));
labelAll();
wire();
if (launch.token) await play.start();
else state.set({ session: "none" });
if (location.hash === "#rules") void menu.open("rules");
