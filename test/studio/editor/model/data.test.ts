import { expect } from "chai";
import { describe, it } from "mocha";
import { checkSample } from "../../../../core/definition/index.js";
import type {
  DataCollection,
  Json,
  ProjectData,
} from "../../../../core/plugin-api/definition.js";
import {
  inferSchema,
  mergeTable,
} from "../../../../plugins/studio/app/src/editor/fields/infer-schema.js";
import {
  fillSample,
  withSample,
} from "../../../../plugins/studio/app/src/editor/fields/make-sample.js";
import {
  fillWithRows,
  hasHeader,
  readCells,
  readColumns,
  readJsonRows,
} from "../../../../plugins/studio/app/src/editor/fields/read-rows.js";

const record = {
  number: 7,
  due: "2026-03-01",
  paid: true,
  logo: "asset:1",
  tags: ["a"],
  customer: { name: "Ada" },
  lines: [{ title: "Bolt" }, { title: "Nut", parts: [{ weight: 2.5 }] }],
};

describe("fields and samples", () => {
  it("are detected in a sample, including links and nested lists", () => {
    expect(inferSchema([], record)).to.eql([
      {
        id: "root",
        fields: [
          { name: "number", type: "Number" },
          { name: "due", type: "Date" },
          { name: "paid", type: "String", sample: true },
          { name: "logo", type: "String", sample: "asset:1" },
          { name: "customer", type: "OneToOneLink", target: "customer" },
          { name: "lines", type: "OneToManyLink", target: "lines" },
        ],
      },
      { id: "customer", fields: [{ name: "name", type: "String" }] },
      {
        id: "lines",
        fields: [
          { name: "title", type: "String" },
          { name: "parts", type: "OneToManyLink", target: "parts" },
        ],
      },
      { id: "parts", fields: [{ name: "weight", type: "Number" }] },
    ]);
  });

  it("keep declared fields, and detect nothing new in a generated sample", () => {
    const declared: DataCollection[] = [
      {
        id: "root",
        fields: [
          { name: "number", type: "String", label: "No." },
          { name: "lines", type: "OneToManyLink", target: "rows" },
        ],
      },
      { id: "rows", label: "Rows", fields: [] },
    ];
    const found = inferSchema(declared, record);
    expect(found[0]?.fields.slice(0, 2)).to.eql(declared[0]?.fields);
    expect(found[1]?.fields.map(({ name }) => name)).to.eql(["title", "parts"]);
    const made = fillSample(found, undefined);
    expect(inferSchema(found, made)).to.eql(found);
  });

  it("keep the sample's values and add missing ones", () => {
    const schema = inferSchema([], record);
    const filled = fillSample(schema, { number: 1, lines: [{ x: 1 }] });
    expect(filled).to.deep.include({ number: 1, due: "2026-01-05" });
    expect(filled).to.have.nested.property("lines[0].x", 1);
    expect(filled).to.have.nested.property("lines[0].title", "Title 1");
  });

  it("are added from a table to the existing ones", () => {
    const table: DataCollection[] = [
      {
        id: "root",
        fields: [
          { name: "amount", type: "Number", source: "Amount" },
          { name: "city", type: "String", source: "City" },
          { name: "orders", type: "OneToManyLink", target: "orders" },
          { name: "notes", type: "OneToManyLink", target: "notes" },
        ],
      },
      { id: "orders", fields: [], source: { tableId: "t2" } },
      { id: "notes", fields: [], source: { tableId: "t3" } },
    ];
    const own: DataCollection[] = [
      {
        id: "root",
        fields: [{ name: "total", type: "Number", source: "Amount" }],
      },
      { id: "orders", fields: [{ name: "old", type: "String" }] },
    ];
    const place = { connectionId: "c", tableId: "t1" };
    const [root, ...others] = mergeTable(
      own,
      table,
      new Set(["orders"]),
      place,
    );
    expect(root?.connection).to.eql(place);
    const names = root?.fields.map(({ name }) => name);
    expect(names).to.eql(["total", "city", "orders"]);
    expect(others.map(({ id }) => id)).to.eql(["orders", "orders2"]);
    expect(root?.fields[2]).to.include({ target: "orders2" });
  });
});

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
    const single = fillWithRows([], undefined, columns, { kind: "record" });
    expect(single.sample).to.eql({ what: "Desk", unitPrice: 3 });
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

const definition: ProjectData = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "number", type: "String", required: true },
        { name: "note", type: "String" },
        { name: "email", type: "String" },
        { name: "paid", type: "String", sample: true },
        { name: "dueOn", type: "Date" },
        { name: "tax", type: "Number", format: "percent" },
        { name: "lines", type: "OneToManyLink", target: "lines" },
      ],
    },
    {
      id: "lines",
      fields: [
        { name: "title", type: "String" },
        { name: "price", type: "Number", required: true },
        { name: "parts", type: "OneToManyLink", target: "parts" },
      ],
    },
    { id: "parts", fields: [{ name: "name", type: "String" }] },
  ],
  sample: {
    number: "2026-117",
    note: "Thank you for your order.",
    email: "ada@example.org",
    paid: true,
    dueOn: "2026-12-31",
    tax: 0.19,
    lines: [
      { title: "Paper", price: 12.5, parts: [] },
      { title: "Ink", price: 30, parts: [{ name: "Bottle" }] },
    ],
  },
  components: [],
};

const derive = (name: string) => withSample(definition, name).sample;

describe("samples that follow from the fields", () => {
  it("are short: without what is not required, and with one entry in each list", () => {
    expect(derive("short")).to.eql({
      number: "2026-117",
      note: null,
      email: null,
      paid: null,
      dueOn: null,
      tax: null,
      lines: [{ title: "Paper", price: 12.5, parts: [{ name: "Name 1" }] }],
    });
  });

  it("are long: with long texts and lists, and addresses as they are", () => {
    const sample = derive("long");
    expect(sample).to.include({ number: "2026-117", email: "ada@example.org" });
    const { note, lines } = Object(sample);
    expect(note).to.match(/^(?:Thank you for your order\. ?){4}$/);
    expect(lines).to.have.lengthOf(60);
    expect(lines[1].parts).to.have.lengthOf(3);
  });

  it("are extreme: with every kind of text in every column, and values of all types that fit the fields", () => {
    const sample = derive("extreme");
    expect(sample).to.include({ email: "ada@example.org", paid: false });
    const titles: unknown[] = Object(sample).lines.map(
      ({ title }: { title: string }) => title,
    );
    const all = titles.join(" ");
    expect(all).to.match(/\p{Script=Arabic}/u);
    expect(all).to.match(/\p{Emoji_Presentation}/u);
    expect(all).to.match(/\p{L}{60}/u);
    expect(all).to.contain("<b>");
    for (const name of ["short", "long", "extreme"])
      expect(
        checkSample(definition, derive(name)).filter(
          ({ code }) => code !== "empty_value",
        ),
        name,
      ).to.eql([]);
  });

  it("are replaced by stored ones of the same name, and by the template's own when a name is gone", () => {
    const samples = { short: { number: "1" }, Berlin: { number: "2" } };
    const stored = { ...definition, samples };
    expect(withSample(stored, "short").sample).to.eql({ number: "1" });
    expect(withSample(stored, "Berlin").sample).to.eql({ number: "2" });
    expect(withSample(stored, "gone").sample).to.equal(definition.sample);
    expect(withSample(stored, null)).to.equal(stored);
  });
});
