import { FIND_ATOMS } from "./find-atoms-script.js";
import { HOLD_COLUMNS } from "./hold-columns-script.js";
import { PIECE_STYLE } from "./piece-style.js";

/**
 * Runs in the page, on our behalf alone, since documents have no scripts: `(pageWidth, names) => cut`, see
 * `CutDocument`. It shows one run of atoms after the other. What is not shown stays in the document, so that every
 * selector, `:nth-child` among them, means the same in each piece.
 */
export const CUT_SCRIPT = `(pageWidth, names) => {
  // Elements with names hide what the document itself has under them.
  const [root, head, body] = ["documentElement", "head", "body"].map((name) => Reflect.get(Document.prototype, name, document));
  const make = Document.prototype.createElement.bind(document);
  const { atoms, tables } = (${FIND_ATOMS})(body);
  const style = make("style");
  style.textContent = ${JSON.stringify(PIECE_STYLE)};
  const links = make("div");
  links.hidden = true;
  const strut = make("div");

  // The browser prints a document that is too wide smaller, and then lays it out as wide as it is.
  const tooWide = root.scrollWidth > pageWidth ? Math.min(root.scrollWidth, Math.floor(pageWidth * 1.5)) : 0;
  const isWidened = tooWide > 0 && getComputedStyle(root).direction === "ltr";
  if (isWidened) root.style.setProperty("width", tooWide + "px", "important");
  const firsts = atoms.map(([first]) => first);
  const { heights, tops, margins, height } = (${HOLD_COLUMNS})(tables, make, () => ({
    heights: new Map(tables.map((table) => [table, table.tHead?.getBoundingClientRect().height ?? 0])),
    tops: firsts.map((first) => first.getBoundingClientRect().top),
    margins: firsts.map((first) => (tableOf(first) ? 0 : parseFloat(getComputedStyle(first).marginTop) || 0)),
    height: root.scrollHeight,
  }));
  if (isWidened) root.style.removeProperty("width");
  strut.style = "position:absolute;top:0;left:0;height:1px;visibility:hidden;width:" + (isWidened ? tooWide : 0) + "px";

  for (const list of new Set(firsts.map((first) => first.parentElement)))
    if (list.tagName === "OL") {
      let number = list.start;
      for (const item of list.children) if (item.tagName === "LI") item.value = number++;
    }
  firsts.forEach((first, index) => { if (!first.id) first.id = names + index; });

  let shown = new Set();
  let marked = [];
  const mark = (element, name) => { element.setAttribute(name, ""); marked.push([element, name]); };
  function tableOf(first) { return first.tagName === "TR" ? first.closest("table") : null; }
  const around = ([first]) => {
    const found = [];
    for (let at = first.parentElement; at && at !== body; at = at.parentElement) found.push(at);
    return found;
  };
  const partsOf = (from, to) =>
    new Set(atoms.slice(from, to).flatMap((atom) => [...atom, ...around(atom)]));
  // The row before a row has a say in the line between it and the head of the table: it is shown, on a page of its own.
  const leadOf = (from) => {
    const table = from > 0 && firsts[from].id.startsWith(names) ? tableOf(firsts[from]) : null;
    return table && table === tableOf(firsts[from - 1]) ? from - 1 : from;
  };
  const dropMargins = (first) => {
    for (let at = first; at; at = at.firstElementChild) {
      const { display, paddingTop, borderTopWidth } = getComputedStyle(at);
      if (display !== "block") break;
      mark(at, "data-piece-flush");
      if (parseFloat(paddingTop) + parseFloat(borderTopWidth) > 0 || at.firstChild?.nodeType === 3) break;
    }
  };
  const begin = (from, isFlush) => {
    const before = new Set(around(atoms[from - 1]));
    for (const part of around(atoms[from])) if (before.has(part)) mark(part, "data-piece-on");
    if (isFlush) dropMargins(firsts[from]);
  };

  return {
    facts: () => ({ atoms: atoms.length, heightPx: height, overflowPx: tooWide }),
    begin() {
      head.append(style);
      body.append(links, strut);
      for (const part of partsOf(0, atoms.length)) part.toggleAttribute("data-piece-off", true);
    },
    show(from, heightPx, isFlush) {
      for (const part of shown) part.toggleAttribute("data-piece-off", true);
      for (const [element, name] of marked) element.removeAttribute(name);
      marked = [];
      const beyond = tops.findIndex((top, index) => index > from && top - tops[from] >= heightPx);
      const to = beyond < 0 ? atoms.length : beyond;
      const lead = leadOf(from);
      shown = partsOf(lead, to);
      for (const part of shown) part.toggleAttribute("data-piece-off", false);
      if (lead < from) mark(firsts[from], "data-piece-first");
      if (from > 0) begin(from, isFlush);
      const named = firsts.slice(from, to).filter(({ id }) => id.startsWith(names));
      links.replaceChildren(...named.map(({ id }) => {
        const link = make("a");
        link.setAttribute("href", "#" + id);
        return link;
      }));
      const heads = firsts.slice(from, to).map((first) => heights.get(tableOf(first)) ?? 0);
      return { from, to, heads, margins: margins.slice(from, to) };
    },
    showSheets(count) {
      style.remove();
      const sheet = '<div style="height:1px;break-after:page"></div>';
      body.innerHTML = sheet.repeat(count - 1) + '<div style="height:1px"></div>';
    },
  };
}`;
