/** What the sheets are put together from. */

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { problemText } from "../notice.js";

let ids = 0;

/** A labelled part of a form. @param {string} label @param {any} control @param {string} [more] */
export function field(label, control, more) {
  const told = more && h("small", { class: "more", id: `more-${(ids += 1)}` }, more);
  if (told) control.setAttribute("aria-describedby", told.id);
  return h("div", { class: "part" }, h("label", { class: "field" }, h("span", {}, label), control), told);
}

/** A list to choose from. @param {[string, string][]} options value and text of each */
export function select(options, chosen, onChoice = (_value) => {}) {
  const option = ([value, text]) => h("option", { value, selected: value === chosen }, text);
  const list = h("select", { onchange: () => onChoice(list.value) }, ...options.map(option));
  return list;
}

/** Something that is on or off. */
export function toggle(label, isOn, onChange, more) {
  const box = h("input", { type: "checkbox", checked: isOn, onchange: () => onChange(box.checked) });
  return field(label, box, more);
}

/** @param {string} label @param {() => any} onclick @param {string} [kind] `main`, or none */
export function button(label, onclick, kind = "") {
  return h("button", { type: "button", class: `act ${kind}`, onclick }, label);
}

/** Names and values, a line each. @param {[string, any][]} lines */
export function pairs(lines) {
  const line = ([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  return h("dl", { class: "facts-list" }, ...lines.map(line));
}

/** A titled part of a sheet. @param {string} title @param {...any} children */
export function section(title, ...children) {
  return h("section", { class: "section" }, h("h3", {}, title), ...children);
}

/** Where a sheet says what came of an act; it is heard, too. */
export function makeStatus() {
  const place = h("p", { class: "status", role: "status" });
  return {
    place,
    /** @param {string} text @param {boolean} [isFault] */
    tell(text, isFault = false) {
      place.textContent = text;
      place.classList.toggle("fault", isFault);
    },
  };
}

/**
 * Build when what is known of the player is new: much of it can change on another device.
 * @param {HTMLElement} root @param {{play: any}} context @param {() => any} build
 */
export async function whenFresh(root, { play }, build) {
  const status = makeStatus();
  root.append(status.place);
  status.tell(t("loading"));
  await play.refreshMe();
  status.place.remove();
  return build();
}

/**
 * Do what may be refused: one thing at a time, and what is refused is told.
 * @param {{tell: (text: string, isFault?: boolean) => void}} status
 * @param {any} currency @param {() => Promise<void>} work
 */
export async function attempt(status, currency, work) {
  try {
    await work();
  } catch (error) {
    if (!error.code) throw error;
    status.tell(problemText(error, currency), true);
  }
}

/**
 * A list that comes in pages, older ones on request.
 * @param {{load: (cursor: string | null) => Promise<any>, line: (row: any) => any, empty: string}} about
 */
export function pagedList({ load, line, empty }) {
  const rows = h("ul", { class: "rows" });
  const status = makeStatus();
  const more = button(t("older"), () => turn(), "quiet");
  const place = h("div", { class: "paged" }, rows, status.place, more);
  let cursor = null;

  async function turn() {
    more.disabled = true;
    await attempt(status, null, async () => {
      const page = await load(cursor);
      const first = page.results.map((row) => h("li", {}, line(row)));
      rows.append(...first);
      cursor = page.next && new URL(page.next, location.href).searchParams.get("cursor");
      status.tell(rows.children.length ? "" : empty);
      if (document.activeElement === more) first[0]?.querySelector("button")?.focus();
    });
    more.hidden = !cursor;
    more.disabled = false;
  }

  return {
    place,
    /** Begin again, with what is asked for now. */
    restart() {
      cursor = null;
      rows.replaceChildren();
      return turn();
    },
  };
}
