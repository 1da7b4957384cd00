/**
 * What the player is to be told of his rounds beside their own state (MAL-04): that one was voided,
 * waits while a malfunction is looked into, or was paid after that. It comes between rounds, once;
 * what he says he has read is not told again.
 */

import { h } from "./dom.js";
import { loadSheetMessages, t } from "./i18n.js";
import { openSheet } from "./sheet.js";
import { dateTime } from "./when.js";

/** @param {{client: any, state: any, play: any, open: (name: string, about: object) => void}} table */
export function watchNotices(table) {
  const told = new Set();

  table.state.subscribe(({ me, round, session, isBusy }) => {
    const fresh = (me?.notices ?? []).filter(({ notice_id: id }) => !told.has(id));
    const isFree = session === "ready" && !isBusy && round?.state !== "open";
    if (!fresh.length || !isFree || document.querySelector("dialog[open]")) return;
    for (const { notice_id: id } of fresh) told.add(id);
    void show(fresh);
  });

  async function show(notices) {
    await loadSheetMessages();
    openSheet({
      title: t("notice.title"),
      build(root, close) {
        const read = async () => {
          close();
          await Promise.all(notices.map(({ notice_id: id }) => table.client.readNotice(id)));
          await table.play.refreshMe();
        };
        root.append(
          h("ul", { class: "limits" }, ...notices.map(line)),
          h("div", { class: "answers" }, h("button", { type: "button", class: "main", onclick: () => void read() }, t("notice.read"))),
        );
      },
    });
  }

  function line({ kind, reason, round_id: roundId, at }) {
    const look = () => table.open("history", { roundId });
    return h(
      "li",
      { class: "limit" },
      h("b", {}, t(`notice.${kind}`)),
      h("span", {}, t(`notice.${kind}.told`)),
      reason ? h("span", {}, t("notice.reason", { reason })) : null,
      h("span", { class: "small" }, dateTime(at)),
      h("button", { type: "button", class: "act quiet", onclick: look }, t("notice.look")),
    );
  }
}
