/**
 * The reality check (RCK-01): how long the player has played and what it came to, as often as he
 * asked for. It comes between rounds, and the next one waits for his word.
 */

import { breakButtons } from "./breaks.js";
import { h } from "./dom.js";
import { loadSheetMessages, t } from "./i18n.js";
import { money } from "./money.js";
import { openSheet } from "./sheet.js";
import { span, timeOfDay } from "./when.js";

const LATER_MAX_MS = 2 ** 31 - 1;

/** @param {{client: any, state: any, play: any, leave: () => void}} table */
export function watchReality(table) {
  const { state } = table;
  let timer = 0;
  let dueAt = "";
  let isShown = false;

  state.subscribe((now) => {
    if (now.session !== "ready" || !now.me) return;
    if (now.notice?.code === "reality_check_due") {
      state.set({ notice: null });
      return void show();
    }
    plan(now.me.reality_check.due_at ?? "");
    if (now.me.reality_check.is_due && now.round?.state !== "open") void show();
  });

  /** The server says when; then it is asked once more. */
  function plan(at) {
    if (at === dueAt) return;
    dueAt = at;
    clearTimeout(timer);
    if (!at) return;
    const wait = Math.min(Math.max(0, Date.parse(at) - Date.now()) + 500, LATER_MAX_MS);
    timer = setTimeout(() => void table.play.refreshMe(), wait);
  }

  async function show() {
    if (isShown) return;
    isShown = true;
    await Promise.all([loadSheetMessages(), table.play.refreshMe()]);
    const { me, currency, session } = state.get();
    if (session !== "ready") return void (isShown = false);
    const { elapsed_s: elapsed, net_minor: net } = me.session;
    openSheet({
      title: t("reality.now"),
      mustAnswer: true,
      onClose: () => (isShown = false),
      build: (root, close) => build(root, close, { elapsed, net, currency, since: me.session.opened_at }),
    });
  }

  function build(root, close, { elapsed, net, currency, since }) {
    const goOn = async () => {
      await table.client.acknowledgeReality({ elapsed_s: elapsed, net_minor: net });
      await table.play.refreshMe();
      close();
    };
    // Neither is the louder: nothing here asks him to stay.
    const act = (label, onclick) => h("button", { type: "button", onclick }, label);
    const amount = money(Math.abs(net), currency);
    const outcome = net > 0 ? "reality.up" : net < 0 ? "reality.down" : "reality.even";
    root.append(
      h("p", { class: "figure" }, span(elapsed) || t("reality.short")),
      h("p", {}, t("reality.since", { time: timeOfDay(since), now: timeOfDay(new Date()) })),
      h("p", {}, t(outcome, { amount })),
      h("div", { class: "answers" }, act(t("reality.leave"), () => (close(), table.leave())), act(t("reality.go_on"), () => void goOn())),
      h("p", { class: "small" }, t("reality.or_break")),
      breakButtons(table),
    );
  }
}
