import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { parseFormula } from "../../support/fakes/airtable-formula.js";
import {
  FakeAirtable,
  type FakeTable,
} from "../../support/fakes/fake-airtable.js";
import { airtableHost } from "./airtable-setup.js";

describe("a query by a field of Airtable, whose formulas name fields by name", () => {
  let fake: FakeAirtable;
  let table: FakeTable;
  let scope: { baseId: string; tableId: string };
  let host: ReturnType<typeof airtableHost>;
  let one: string;
  let two: string;

  before(async () => {
    fake = await FakeAirtable.start();
    const token = fake.addToken("pat.secret");
    const base = fake.addBase("Sales");
    table = fake.addTable(base, "Orders", {
      Name: "singleLineText",
      Total: "number",
      Files: "multipleAttachments",
    });
    one = table.add({ Name: "One", Total: 1 });
    two = table.add({ Name: "Two", Total: 2 });
    host = airtableHost({ token, endpointUrl: fake.url });
    scope = { baseId: base.id, tableId: "Orders" };
  });
  after(() => fake.close());

  /** Queries the table by a field that has another name now. */
  async function queryRenamed<T>(
    field: "Name" | "Total" | "Files",
    name: string,
    query: (fieldId: string) => Promise<T>,
  ): Promise<T> {
    const renamed = table.field(field);
    renamed.name = name;
    return query(renamed.id).finally(() => {
      renamed.name = field;
    });
  }

  for (const name of [
    "With {Curly Braces}",
    "{",
    "}",
    `Say "it's"`,
    "a\\b",
    "\\{",
    " a, b) ",
    "Größe 🙂",
  ])
    it(`finds rows after the field was renamed to ${JSON.stringify(name)}`, async () => {
      const found = [
        await queryRenamed("Name", name, (fieldId) =>
          host.findRows(scope, { limit: 5, text: "tWO", fieldId }),
        ),
        await queryRenamed("Total", name, (fieldId) =>
          host.listRows(scope, { filter: { [fieldId]: { max: 1 } } }),
        ),
        await queryRenamed("Files", name, (emptyFieldId) =>
          host.listRows(scope, { emptyFieldId }),
        ),
      ];
      expect(found).to.deep.equal([[two], [one], [one, two]]);
    });

  for (const name of ["{a} {b}", "}}", "a\\", "{a\\}"])
    it(`is refused for the name ${JSON.stringify(name)}, which no formula can contain`, async () => {
      const error = await queryRenamed("Total", name, (fieldId) =>
        host.listRows(scope, { filter: { [fieldId]: 1 } }),
      ).catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: "invalid_field" });
      expect(error).property("message").to.contain("Rename it in Airtable");
    });

  it("is refused for a field that was deleted", async () => {
    for (const query of [
      host.findRows(scope, { limit: 5, text: "x", fieldId: "fldGone" }),
      host.listRows(scope, { emptyFieldId: "fldGone" }),
    ])
      expect(await query.catch((thrown: unknown) => thrown)).to.include({
        code: "invalid_field",
        message: "The table has no field fldGone, or no longer has it.",
      });
  });
});

describe("the formulas of the fake Airtable", () => {
  const fake = new FakeAirtable();
  const table = fake.addTable(fake.addBase("Sales"), "Orders", {
    Name: "singleLineText",
    "{a} b": "number",
    "{a} {b}": "number",
  });
  const recordId = table.add({ Name: "One" });
  const matches = (formula: string) =>
    parseFormula(table, formula)(table.record(recordId));

  it("refuse what Airtable refuses", () => {
    const invalid = "Invalid formula. Please check your formula text.";
    for (const [formula, reason] of [
      [`{${table.field("Name").id}} = 'One'`, "Unknown field names: fld"],
      ["{Names} = 'One'", "Unknown field names: names"],
      ["{{a} b} = 1", "Unknown field names: {a"],
      ["{{a\\} {b\\}} = 1", invalid],
      ['{Name} = "a "b""', invalid],
      ["{Name", invalid],
      ["AND(1 1)", invalid],
      ["UNKNOWN({Name})", invalid],
      ["{Name} = 'One')", invalid],
    ] as const)
      expect(() => matches(formula)).to.throw(reason);
  });

  it("match what Airtable matches", () => {
    expect(matches("{Name} = 'One'")).to.equal(true);
    expect(matches("{Name} = 'Two'")).to.equal(false);
    expect(matches(`"a \\"b\\"" = 'a "b"'`)).to.equal(true);
    expect(matches("AND({{a\\} b} = BLANK(), SEARCH('ne', {Name}))")).to.equal(
      true,
    );
  });
});
