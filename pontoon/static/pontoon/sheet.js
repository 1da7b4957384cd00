/** A sheet over the table: a dialog that holds the focus, with the table in sight behind it. */

import { h } from "./dom.js";
import { t } from "./i18n.js";

/**
 * @param {object} about
 * @param {string} about.title    what stands above it, in the player's language
 * @param {(root: HTMLElement, close: () => void) => void | Promise<void>} about.build
 * @param {boolean} [about.mustAnswer]   Esc and the backdrop do not close it
 * @param {() => void} [about.onClose]
 * @returns {{root: HTMLElement, close: () => void}}
 */
export function openSheet({ title, build, mustAnswer = false, onClose = () => {} }) {
  const came = document.activeElement;
  const root = h("div", { class: "sheet-body" });
  const heading = h("h2", { id: `sheet-title-${Date.now()}`, tabIndex: -1 }, title);
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: "sheet", "aria-labelledby": heading.id },
    h("header", {}, heading, mustAnswer ? null : closeButton(close)),
    root,
  );
  dialog.addEventListener("cancel", (event) => mustAnswer && event.preventDefault());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && !mustAnswer) close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (came instanceof HTMLElement) came.focus();
    onClose();
  });
  document.body.append(dialog);
  dialog.showModal();
  heading.focus();
  void build(root, close);
  return { root, close };
}

function closeButton(close) {
  return h("button", { type: "button", class: "icon", "aria-label": t("close"), onclick: close }, "×");
}

/**
 * Ask a question with a few answers; resolves to the answer's name, or null when it is put away.
 * @param {{title: string, text: string, answers: {name: string, label: string, isMain?: boolean}[]}} about
 * @returns {Promise<string | null>}
 */
export function ask({ title, text, answers }) {
  return new Promise((resolve) => {
    let answer = null;
    openSheet({
      title,
      build(root, close) {
        const button = ({ name, label, isMain }) =>
          h(
            "button",
            {
              type: "button",
              class: isMain ? "main" : "",
              onclick: () => {
                answer = name;
                close();
              },
            },
            label,
          );
        root.append(h("p", {}, text), h("div", { class: "answers" }, ...answers.map(button)));
      },
      onClose: () => resolve(answer),
    });
  });
}
