/**
 * The rulebook's Markdown as elements: headings, paragraphs, numbered rules, tables, emphasis, and
 * nothing else. Every word goes in as text.
 */

import { h } from "./dom.js";

/** @param {string} text @param {number} level of the highest heading @returns {Node[]} */
export function readMarkdown(text, level = 3) {
  const blocks = text.trim().split(/\n\s*\n/);
  return blocks.filter((block) => !block.startsWith("# ")).map((block) => readBlock(block, level));
}

function readBlock(block, level) {
  const heading = /^(#{2,4}) (.+)$/.exec(block);
  if (heading) return h(`h${level + heading[1].length - 2}`, {}, ...inline(heading[2]));
  if (block.startsWith("|")) return readTable(block.split("\n"));
  if (block.startsWith("- ")) return readRules(block.split(/\n(?=- )/));
  return h("p", {}, ...inline(block));
}

function readRules(items) {
  return h("ul", { class: "clauses" }, ...items.map(readRule));
}

/** A rule has its number, by which it can be pointed at. */
function readRule(item) {
  const [, number, text] = /^- (?:\*\*(H\d+)\*\* )?([\s\S]+)$/.exec(item);
  return h(
    "li",
    { id: number ? `rule-${number}` : "" },
    number ? h("b", { class: "number" }, number) : null,
    h("span", {}, ...inline(text)),
  );
}

function readTable([head, , ...lines]) {
  const cells = (line) => line.split("|").slice(1, -1).map((cell) => cell.trim());
  const title = (cell) => h("th", { scope: "col" }, ...inline(cell));
  const row = (line) => h("tr", {}, ...cells(line).map((cell) => h("td", {}, ...inline(cell))));
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...cells(head).map(title))), h("tbody", {}, ...lines.map(row)));
  return scrolling(table);
}

/** A wide table scrolls by itself, and the keyboard reaches it. @param {any} table */
export function scrolling(table) {
  return h("div", { class: "scroll", tabIndex: 0, role: "group" }, table);
}

const MARK = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`/g;

function inline(text) {
  const joined = text.replace(/\s*\n\s*/g, " ");
  const parts = [];
  let from = 0;
  for (const mark of joined.matchAll(MARK)) {
    parts.push(joined.slice(from, mark.index));
    if (mark[1]) parts.push(h("b", {}, mark[1]));
    else if (mark[2]) parts.push(h("em", {}, mark[2]));
    else parts.push(h("code", {}, mark[3]));
    from = mark.index + mark[0].length;
  }
  return [...parts, joined.slice(from)];
}
