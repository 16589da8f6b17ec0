import { expect } from "chai";
import { describe, it } from "mocha";
import type {
  DataCollection,
  Json,
} from "../../../core/plugin-api/definition.js";
import {
  fillWithRows,
  hasHeader,
  readCells,
  readColumns,
  readJsonRows,
} from "../../../plugins/studio/app/src/editor/fields/read-rows.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pasteText,
  pressKeys,
} from "../../support/studio-editor.js";
import {
  pressButton,
  runAxe,
  waitForDialogToClose,
  waitForText,
  useStudio,
} from "../../support/studio.js";

/** The kind and the values of the only column. */
function readColumn(
  values: readonly string[],
  locale = "en-US",
): [kind: string | undefined, values: readonly Json[] | undefined] {
  const [column] = readColumns(
    values.map((value) => [value]),
    false,
    locale,
  );
  return [column?.kind, column?.values];
}

describe("pasted rows", () => {
  it("are read from spreadsheets, and from CSV with either separator and quoted cells", () => {
    const rows = [
      ["Title", "Note"],
      ["Desk", "two\nlines"],
      ["A, b", 'say "hi"'],
    ];
    expect(
      readCells('Title\tNote\r\nDesk\t"two\nlines"\r\nA, b\t"say ""hi"""\r\n'),
    ).to.eql(rows);
    const csv = 'Title;Note\nDesk;"two\nlines"\n"A, b";"say ""hi"""\n\n';
    expect(readCells(csv)).to.eql(rows);
    expect(readCells("\uFEFFa,b\n1\n")).to.eql([
      ["a", "b"],
      ["1", ""],
    ]);
    expect(readCells(" \n")).to.equal(null);
    expect(hasHeader(rows)).to.equal(true);
    expect(hasHeader(rows.slice(0, 1))).to.equal(false);
    expect(
      hasHeader([
        ["Desk", "3"],
        ["Lamp", "4"],
      ]),
    ).to.equal(false);
  });

  it("have numbers, with the decimal sign that all values of the column allow", () => {
    expect(readColumn(["1,234.50", "$ 12", "", "-3"])).to.eql([
      "number",
      [1234.5, 12, null, -3],
    ]);
    expect(readColumn(["1.234,50 €", "12,5", "3"])).to.eql([
      "number",
      [1234.5, 12.5, 3],
    ]);
    expect(readColumn(["1,234"])[1]).to.eql([1234]);
    expect(readColumn(["1,234"], "de-DE")[1]).to.eql([1.234]);
    expect(readColumn(["19 %", "7.5%", "0.2"])).to.eql([
      "number",
      [0.19, 0.075, 0.2],
    ]);
    expect(readColumn(["1’200.00"], "de-CH")[1]).to.eql([1200]);
  });

  it("are money where every number has the same currency, and percentages where each has the sign", () => {
    const [prices, tax, mixed] = readColumns(
      [
        ["€ 1,234.50", "19 %", "$ 3"],
        ["", "7.5%", ""],
        ["3.00 EUR", "0%", "£4"],
      ],
      false,
      "en-US",
    );
    expect(prices).to.deep.include({ kind: "money", currency: "EUR" });
    expect(prices?.values).to.eql([1234.5, null, 3]);
    expect(tax).to.deep.include({ kind: "percent", values: [0.19, 0.075, 0] });
    expect(mixed).to.deep.include({ kind: "number", values: [3, null, 4] });
    const columns = readColumns(
      [
        ["Price", "Cost", "Tax"],
        ["$ 3", "€ 2", "19%"],
      ],
      true,
      "en-US",
    );
    const target = { kind: "record" } as const;
    const { schema, sample } = fillWithRows([], {}, columns, target, "CAD");
    expect(sample).to.eql({ price: 3, cost: 2, tax: 0.19 });
    expect(schema[0]?.fields).to.eql([
      { name: "price", label: "Price", type: "Number", format: "currency" },
      {
        name: "cost",
        label: "Cost",
        type: "Number",
        format: "currency",
        currency: "EUR",
      },
      { name: "tax", label: "Tax", type: "Number", format: "percent" },
    ]);
  });

  it("keep codes as text: leading zeros, long digits, and mixed columns", () => {
    for (const codes of [
      ["01067", "53111"],
      ["12345678901234567890"],
      ["12", "n/a"],
      ["+49 228 123"],
      ["31.13.2026"],
    ])
      expect(readColumn(codes)).to.eql(["text", codes]);
  });

  it("have dates as ISO 8601, and yes and no as booleans", () => {
    expect(readColumn(["2026-03-01", "2026-03-02 10:30"])).to.eql([
      "date",
      ["2026-03-01", "2026-03-02T10:30"],
    ]);
    expect(readColumn(["1.3.2026"])[1]).to.eql(["2026-03-01"]);
    expect(readColumn(["03/01/2026"])[1]).to.eql(["2026-03-01"]);
    expect(readColumn(["03/01/2026", "13/01/2026"])[1]).to.eql([
      "2026-01-03",
      "2026-01-13",
    ]);
    expect(readColumn(["03/01/2026"], "en-GB")[1]).to.eql(["2026-01-03"]);
    expect(readColumn(["Yes", "no", ""])).to.eql([
      "boolean",
      [true, false, null],
    ]);
  });

  it("fill the fields whose names or labels they carry, and add the others with their labels", () => {
    const schema: DataCollection[] = [
      {
        id: "root",
        fields: [
          { name: "number", type: "String" },
          { name: "lines", type: "OneToManyLink", target: "lines" },
        ],
      },
      {
        id: "lines",
        fields: [{ name: "title", label: "What", type: "String" }],
      },
    ];
    const cells = readCells("WHAT\tUnit price\nDesk\t3") ?? [];
    const columns = readColumns(cells, true, "en-US");
    const list = { kind: "list", name: "lines" } as const;
    const filled = fillWithRows(schema, { number: "1" }, columns, list);
    expect(filled.sample).to.eql({
      number: "1",
      lines: [{ title: "Desk", unitPrice: 3 }],
    });
    expect(filled.schema[0]).to.eql(schema[0]);
    expect(filled.schema[1]?.fields[1]).to.eql({
      name: "unitPrice",
      type: "Number",
      label: "Unit price",
    });
    const record = fillWithRows([], undefined, columns, { kind: "record" });
    expect(record.sample).to.eql({ what: "Desk", unitPrice: 3 });
    const added = fillWithRows(schema, {}, columns, {
      kind: "newList",
      label: "Parts list",
    });
    expect(added.schema[0]?.fields[2]).to.eql({
      name: "partsList",
      label: "Parts list",
      type: "OneToManyLink",
      target: "partsList",
    });
  });

  it("may be a JSON array, whose names stay as they are", () => {
    const columns = readJsonRows('[{"unit price": 3, "tags": [{"a": 1}]}]');
    const filled = fillWithRows([], undefined, columns ?? [], {
      kind: "record",
    });
    expect(filled.sample).to.eql({ "unit price": 3, tags: [{ a: 1 }] });
    expect(filled.schema[1]).to.include({ id: "tags" });
    expect(readJsonRows("[1")).to.equal(null);
  });
});

describe("rows pasted into the sample", () => {
  const service = useService();
  const signIn = useStudio(service);
  const rows = "Title\tPrice\tPaid\nDesk\t1,450.00\tyes\nLamp\t49.90\tno\n";

  it("fill a list of the template and add its new fields", async () => {
    const editor = await openEditor(service, await signIn(), {
      schema: [
        {
          id: "root",
          fields: [
            { name: "number", type: "String" },
            { name: "lines", type: "OneToManyLink", target: "lines" },
          ],
        },
        { id: "lines", fields: [{ name: "title", type: "String" }] },
      ],
      sample: { number: "7" },
      components: [{ type: "text", id: "one", text: "{{ root.number }}" }],
    });
    const { page, draft, pageErrors } = editor;
    await pressButton(page, "Data");
    await pressButton(page, "Sample data");
    await page.locator("dialog label ::-p-text(Paste rows)").click();
    await page.locator("dialog textarea").click();
    await pasteText(page, rows);
    await waitForText(page, "The 2 rows become the entries of the list.");
    expect(await runAxe(page)).to.eql([]);
    // What was pasted is not lost by closing.
    await page.keyboard.press("Escape");
    await waitForText(page, "These rows aren't used yet");
    await pressButton(page, "Use these rows");
    await waitForText(page, "2 fields were added.");
    await pressButton(page, "Done");
    await waitForDialogToClose(page);
    const { sample, schema } = await eventually(async () => {
      const found = await draft();
      return found.schema[1]?.fields.length === 3 && found;
    });
    expect(sample).to.eql({
      number: "7",
      lines: [
        { title: "Desk", price: 1450, paid: true },
        { title: "Lamp", price: 49.9, paid: false },
      ],
    });
    expect(schema[1]?.fields.slice(1)).to.eql([
      { name: "price", label: "Price", type: "Number" },
      { name: "paid", label: "Paid", type: "String", sample: true },
    ]);
    await pressKeys(page, "Control+Z");
    await eventually(
      async () => (await draft()).schema[1]?.fields.length === 1,
    );
    expect(pageErrors).to.eql([]);
  });

  it("are the record of a template without fields, also when they were pasted as JSON", async () => {
    const editor = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: "Dear " },
    ]);
    const { page, draft } = editor;
    await pressButton(page, "Data");
    await pressButton(page, "Sample data");
    await page.locator("dialog label ::-p-text(As JSON)").click();
    await page.locator("dialog textarea").click();
    await pressKeys(page, "Control+A");
    await pasteText(page, rows);
    await page.locator(".sample-is-table ::-p-text(Paste rows)").click();
    await waitForText(page, "The first of 2 rows becomes the sample record.");
    await pressButton(page, "Use these rows");
    const sample = await eventually(async () => (await draft()).sample);
    expect(sample).to.eql({ title: "Desk", price: 1450, paid: true });
  });
});
