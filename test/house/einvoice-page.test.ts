import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import {
  EINVOICE_MODEL,
  type EinvoiceTerm,
} from "../../core/plugin-api/definition.js";
import { TERM_NAMES } from "../../studio/src/editor/einvoice/term-names.js";

// docs/reference/einvoices.md explains e-invoices and, below a mark, lists every term. UPDATE_GOLDEN=1 writes the list anew.

const page = "docs/reference/einvoices.md";
const mark =
  "<!-- Written by UPDATE_GOLDEN=1 npm test -- test/house/einvoice-page.test.ts -->";

function describeTerms(terms: Readonly<Record<string, EinvoiceTerm>>): string {
  const rows = Object.entries(terms).map(
    ([name, { id, kind, from }]) =>
      `| \`${name}\` | ${id} | ${TERM_NAMES[name]} | ${kind} | ${from} |`,
  );
  const head = ["| term | number | | value | from |", "| - | - | - | - | - |"];
  return [...head, ...rows].join("\n");
}

function describeGroup(
  name: string,
  { id, terms }: { id: string; terms: Readonly<Record<string, EinvoiceTerm>> },
): string {
  return `### ${name}\n\n${id}, ${TERM_NAMES[name]}.\n\n${describeTerms(terms)}`;
}

/** As Prettier aligns tables, so that both agree. */
function collapse(text: string): string {
  return text.replaceAll(/ +\|/g, " |").replaceAll(/-+(?= \|)/g, "-");
}

describe(page, () => {
  it("lists every term of the map", () => {
    const { terms, groups, lines } = EINVOICE_MODEL;
    const list = [
      `## Terms of the invoice\n\n${describeTerms(terms)}`,
      "## Groups of the invoice",
      ...Object.entries(groups).map(([name, group]) =>
        describeGroup(name, group),
      ),
      `## Lines\n\n\`lines\`, ${lines.id}.\n\n${describeTerms(lines.terms)}`,
      "## Groups of a line",
      ...Object.entries(lines.groups).map(([name, group]) =>
        describeGroup(name, group),
      ),
    ];
    const text = readFileSync(page, "utf8");
    const [introduction] = text.split(mark);
    const expected = `${introduction}${mark}\n\n${list.join("\n\n")}\n`;
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(page, expected);
    else expect(collapse(text)).to.equal(collapse(expected));
  });
});
