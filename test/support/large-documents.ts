import { page } from "./caller.js";

/** The page of `longDocument`, as its `@page` rule has it. */
export const LONG_PAGE = {
  widthPx: 560,
  heightPx: 700,
  margin: { top: 80, right: 40, bottom: 60, left: 40 },
};

const STYLE = `
@page {
  size: 560px 700px; margin: 80px 40px 60px; background: #f4f8ff;
  @top-left { content: "Running head" }
  @bottom-right { content: "Page " counter(page) " of " counter(pages) }
}
@page :first { @top-left { content: "First head" } }
* { box-sizing: border-box }
body { margin: 0; font: 12px/1.4 Inter }
table { width: 100%; border-collapse: collapse; margin: 0 0 12px }
thead { border-bottom: 2px solid #123 }
td { padding: 3px 6px; border-bottom: 1px solid #ccc }
tr { break-inside: avoid }
tr:nth-child(even) td { background: #eef }
h2 { margin: 20px 0 6px; break-after: avoid }
section { padding: 10px; border: 1px solid #999 }
.mark { position: fixed; inset: 40% 0 0; text-align: center; opacity: .2 }
`;

/** As many characters as make a document a long one, in front of what is read. */
const PADDING = `<!--${" ".repeat(256 * 1024)}-->`;

/**
 * Much that matters where a document is cut: tables with heads and spans, headings, page breaks, links, a mark. It is
 * long by its characters, and has about one page for 15 rows.
 */
export function longDocument(rows: number): string {
  const chapters = Math.ceil(rows / CHAPTER);
  const contents = Array.from(
    { length: chapters },
    (_, index) =>
      `<li><a href="#chapter-${index}">Chapter ${index + 1}</a></li>`,
  );
  const body = Array.from({ length: chapters }, (_, index) => chapter(index));
  return page(
    `${PADDING}<main><ol>${contents.join("")}</ol>${body.join("")}<p>The end.</p></main><div class="mark">Mark</div>`,
    STYLE,
  );
}

const CHAPTER = 100;
const WORDS = "some words that may take another line in a narrow cell".split(
  " ",
);

function chapter(index: number): string {
  const rows = Array.from({ length: CHAPTER }, (_, row) => {
    const words = WORDS.slice(0, 2 + ((row * 7 + index) % 9)).join(" ");
    const isLast = row === CHAPTER - 1;
    const span = row % 40 === 7 && !isLast ? ' rowspan="2"' : "";
    const first = row % 40 === 8 ? "" : `<td${span}>${index + 1}.${row}</td>`;
    return `<tr>${first}<td>${words}</td><td><span class="filler">${words}</span></td><td>${row * 12.5}</td></tr>`;
  });
  const pageBreak = index % 2 === 1 ? ' style="break-before:page"' : "";
  return (
    `<h2 id="chapter-${index}"${pageBreak}>Chapter ${index + 1}</h2>` +
    `<section><p>What follows are ${CHAPTER} rows.</p><table><thead><tr><th>No</th><th>Words</th><th>Again</th><th>Sum</th></tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table></section>`
  );
}

/** A table that takes about a third of a second to print. */
export function longTable(rows = 1500): string {
  const row = "<tr><td>7</td><td>A line of some words</td><td>12.50</td></tr>";
  return page(`<table>${row.repeat(rows)}</table>`);
}

/** A drawing that doubles thirty times: its layout never ends. */
export function endlessLayout(): string {
  const doubled = Array.from(
    { length: 30 },
    (_, index) =>
      `<g id="g${index + 1}"><use href="#g${index}"/><use href="#g${index}"/></g>`,
  );
  return page(
    `<svg><defs><g id="g0"><rect width="1" height="1"/></g>${doubled.join("")}</defs><use href="#g30"/></svg>`,
  );
}

/** Grids of so many columns and rows that no memory holds them: each one alone takes about two gigabytes. */
export function hungryLayout(): string {
  const grid = "<div style='display: grid; grid-template: ";
  const tracks = "repeat(9999999, 1px) / repeat(9999999, 1px)'>x</div>";
  return page(`${grid}${tracks}`.repeat(20));
}
