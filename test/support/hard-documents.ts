import { page } from "./caller.js";

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
