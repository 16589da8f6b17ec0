import { readFileSync } from "node:fs";
import { expect } from "chai";
import { compileTemplate } from "../../core/compiler/index.js";
import { checkDefinition } from "../../core/definition/index.js";

const field = (name: string, type = "String") => ({ name, type });

/** The schema of the data that the examples read. */
const frame = {
  schema: [
    {
      id: "root",
      fields: [
        ..."number name nickname first last note terms intro tags code phone codes status"
          .split(" ")
          .map((name) => field(name)),
        field("Order no"),
        field("price", "Number"),
        field("quantity", "Number"),
        field("total", "Number"),
        field("rate", "Number"),
        field("days", "Number"),
        field("paid"),
        field("due", "Date"),
        { ...field("customer", "OneToOneLink"), target: "customer" },
        { ...field("lines", "OneToManyLink"), target: "lines" },
        { ...field("prices", "OneToOneLink"), target: "prices" },
      ],
    },
    { id: "customer", fields: [field("city")] },
    { id: "prices", fields: [] },
    {
      id: "lines",
      fields: [field("title"), field("category"), field("amount", "Number")],
    },
  ],
  translations: {
    en: { due: "Due in {days, plural, one {# day} other {# days}}" },
  },
};

const data = {
  number: "1",
  name: "Ada",
  nickname: "A",
  first: "Ada",
  last: "Lovelace",
  note: "One\nTwo",
  terms: "**Now**",
  intro: "<b>Dear</b>",
  tags: ["a", "b"],
  code: "AB-1",
  phone: "01 23",
  codes: "a,b",
  status: "new",
  prices: { small: 5, large: 9 },
  "Order no": "7",
  price: 2,
  quantity: 3,
  total: 1234.5,
  rate: 0.19,
  days: 14,
  paid: true,
  due: "2026-03-01",
  customer: { city: "Paris" },
  lines: [{ title: "A", category: "x", amount: 5 }],
};

/** The block that the pages use. */
const partials = {
  names: ["terms"],
  components: { terms: [{ type: "text" as const, text: "Terms" }] },
};

/** Fails unless the component is accepted without a warning and finds all its data. */
function accepts(component: object): void {
  const definition = { ...frame, components: [component] };
  const checked = checkDefinition(definition, "document", partials);
  expect(checked.problems).to.eql([]);
  expect(checked.warnings).to.eql([]);
  if (
    !checked.definition ||
    /"partial"|data-partial/.test(JSON.stringify(component))
  )
    return;
  const program = compileTemplate(checked.definition, "document");
  const { report } = program.merge(data, { isTest: false, now: new Date() });
  expect([...report.missing, ...report.invalidData]).to.eql([]);
}

describe("docs/how-to/move-templates.md", () => {
  const page = readFileSync("docs/how-to/move-templates.md", "utf8");
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .flatMap(([, meaning = "", platen = ""]) => {
      const code = /^`(.+)`$/.exec(platen)?.[1];
      return code === undefined ? [] : [[meaning, code] as const];
    });
  const markup = [...page.matchAll(/^```html\n([^]*?)^```/gm)];
  const blocks = [...page.matchAll(/^```json\n([^]*?)^```/gm)];

  it("has examples for expressions and components", () => {
    expect(rows.length).to.be.above(20);
    expect(blocks.length).to.be.above(5);
    expect(markup.length).to.be.above(4);
  });

  for (const [meaning, code] of rows)
    it(`writes what works for: ${meaning}`, () => {
      accepts({ type: "text", text: code.replaceAll("\\|", "|") });
    });

  for (const [index, [, block = ""]] of blocks.entries())
    it(`has a component that works in its block ${index + 1}`, () => {
      const component: unknown = JSON.parse(block);
      accepts(Object(component));
    });

  for (const [index, [, html = ""]] of markup.entries())
    it(`has HTML that works in its block ${index + 1}`, () => {
      accepts({ type: "markup", html });
    });
});
