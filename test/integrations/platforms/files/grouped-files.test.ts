import { expect } from "chai";
import { before, describe, it } from "mocha";
import { acceptedBatchSchema } from "../../../../core/api/routes/batches.js";
import { fileInspectionSchema } from "../../../../core/api/routes/file-batches.js";
import {
  batchWhen,
  fetchBatch,
  newBatchCaller,
} from "../../../support/batches.js";
import { reader, refusal, type TestCaller } from "../../../support/caller.js";
import { DocumentRecord } from "../../../../core/storage/database/index.js";
import { useService } from "../../../support/service.js";
import {
  type CellXml,
  makeOds,
  makeXlsx,
  odsText,
  postFile,
} from "../../../support/table-files.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "number", label: "Invoice No", type: "String", required: true },
        { name: "customer", type: "String" },
        { name: "date", label: "Invoice date", type: "Date" },
        { name: "lines", type: "OneToManyLink", target: "line" },
      ],
    },
    {
      id: "line",
      fields: [
        { name: "item", type: "String" },
        { name: "quantity", label: "Qty", type: "Number" },
        { name: "price", label: "Unit price", type: "Number" },
      ],
    },
  ],
  components: [
    {
      type: "text",
      text: "{{ root.number }} {{ root.customer }} {{ COUNT(root.lines) }} {{ SUM(root.lines, quantity * price) }}",
    },
  ],
};
const readAccepted = reader(acceptedBatchSchema);
const readInspection = reader(fileInspectionSchema);

const orders = `Invoice No,Customer,Email,Invoice date,Item,Qty,Unit price
2026-101,Alder & Finch Ltd,a@alder.example,13/11/2026,Oak shelf 80 cm,4,49.50
2026-102,Bramble Bakery,b@bramble.example,14/11/2026,Counter top,1,640.00
2026-101,Alder & Finch Ltd,a@alder.example,13/11/2026,Wall bracket,8,6.20
2026-101,,,,Delivery,1,25.00
2026-103,Alder & Finch Ltd,a@alder.example,14/11/2026,Desk,2,389.00
`;
const group = { by: "Invoice No", as: "lines" };

const toOds = (rows: readonly (readonly (string | number)[])[]) =>
  rows.map((cells) => cells.map((cell) => odsText(String(cell))).join(""));

const hintOf = (...by: string[]) =>
  `Send "group": ${by.map((name) => JSON.stringify({ by: name, as: "lines" })).join(" or ")}, or "mapping" for a document for each row.`;

describe("rows of a file that belong together", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;
  before(async () => {
    caller = await newBatchCaller(service);
    templateId = await caller.publish({ definition });
  });

  const inspect = async (
    file: string | Uint8Array<ArrayBuffer>,
    options = {},
  ) =>
    readInspection(
      await postFile(service, caller, "/api/export/batch/file/inspect", {
        file,
        request: { templateId, ...options },
      }),
    );
  const send = (file: string | Uint8Array<ArrayBuffer>, options = {}) =>
    postFile(service, caller, "/api/export/batch/file", {
      file,
      request: { templateId, formats: ["html"], ...options },
    });
  async function make(file: string | Uint8Array<ArrayBuffer>, options = {}) {
    const { batchId } = await readAccepted(await send(file, options), 202);
    const { documents } = await batchWhen(caller, batchId);
    const texts: string[] = [];
    for (const { outputs } of documents) {
      const html = await (await fetch(outputs[0]?.url ?? "")).text();
      texts.push(/<p[^>]*>([^<]*)</.exec(html)?.[1] ?? html);
    }
    return { batchId, documents, texts };
  }

  it("become a document for each key, in the order of the file", async () => {
    const { batchId, documents, texts } = await make(orders, { group });
    expect(texts).to.eql([
      "2026-101 Alder &amp; Finch Ltd 3 272.6",
      "2026-102 Bramble Bakery 1 640",
      "2026-103 Alder &amp; Finch Ltd 1 778",
    ]);
    expect(documents.map(({ metadata }) => metadata?.["row"])).to.eql([
      2, 3, 6,
    ]);
    // Each row of the file comes back, with the document that it is part of.
    const table = await caller.get(`/api/batches/${batchId}/table`);
    const again = await inspect(new Uint8Array(await table.arrayBuffer()), {
      mapping: { "Invoice No": "number" },
    });
    expect(again.rowCount).to.equal(5);
  });

  it("are proposed as documents, and refused until the request says what they are", async () => {
    const { proposal, documentCount, problems } = await inspect(orders);
    expect(documentCount).to.equal(5);
    expect(proposal).to.eql({ ...group, documentCount: 3 });
    expect(problems).to.eql([
      {
        path: 'field "lines"',
        code: "list_in_rows",
        message:
          'These 5 rows look like 3 documents, one for each "Invoice No". The columns "Item", "Qty", "Unit price" fit the list "lines", which would be empty in every document.',
        hint: 'Send "group": {"by":"Invoice No","as":"lines"}, or "mapping" for a document for each row.',
        values: {
          column: "Invoice No",
          field: "lines",
          columns: ["Item", "Qty", "Unit price"],
          count: 5,
          documentCount: 3,
        },
      },
    ]);
    expect(await refusal(send(orders))).to.include("3 documents, one for each");
    const grouped = await inspect(orders, { group });
    expect(grouped).to.deep.include({
      documentCount: 3,
      proposal: null,
      problems: [],
      mapping: {
        "Invoice No": "number",
        Customer: "customer",
        Email: null,
        "Invoice date": "date",
        Item: "lines.item",
        Qty: "lines.quantity",
        "Unit price": "lines.price",
      },
    });
    const { texts } = await make(orders, {
      mapping: { "Invoice No": "number", Customer: "customer" },
    });
    expect(texts).to.have.length(5);
  });

  it("are counted beyond those that are compared to find the key", async () => {
    const rows = Array.from(
      { length: 12_000 },
      (_, at) => `N-${Math.floor(at / 3)},Ann,Ü ${at}`,
    );
    const file = `Invoice No,Customer,Item\n${rows.join("\n")}\n`;
    const { proposal } = await inspect(file);
    expect(proposal).to.eql({ ...group, documentCount: 4000 });
    const { documentCount, first, problems } = await inspect(file, { group });
    expect(documentCount).to.equal(4000);
    expect(first).to.deep.include({
      lines: [{ item: "Ü 0" }, { item: "Ü 1" }, { item: "Ü 2" }],
    });
    expect(problems).to.eql([]);
  });

  it("take their fields from a mapping whose paths lead through the list", async () => {
    const { texts } = await make(
      "Ref;Who;What;How many;Each\nA;Ann;Pen;2;1,50\nA;Ann;Ink;1;3,00\n",
      {
        group: { by: "Ref", as: "lines" },
        mapping: {
          Ref: "number",
          Who: "customer",
          What: "lines.item",
          "How many": "lines.quantity",
          Each: "lines.price",
        },
      },
    );
    expect(texts).to.eql(["A Ann 2 6"]);
  });

  it("have numbers as keys in a workbook, and any columns without a schema", async () => {
    const file = makeXlsx([
      {
        name: "Orders",
        rows: [
          ["Order", "Customer", "Item", "Qty"],
          [7, "Ann", "Pen", 2],
          [8, "Bob", "Ink", 1],
          [7, "Ann", "Cap", 3],
        ],
      },
    ]);
    const open = await caller.publish({
      definition: {
        schema: [{ id: "root", fields: [] }],
        components: [
          {
            type: "text",
            text: "{{ root.Order }} {{ root.Customer }} {{ root.Item }} {{ COUNT(root.items) }}",
          },
        ],
      },
    });
    const { texts } = await make(file, {
      templateId: open,
      group: { by: "Order", as: "items" },
    });
    expect(texts).to.eql(["7 Ann  2", "8 Bob  1"]);
  });

  it("are refused where a document would have two values, or a row has no key", async () => {
    const { problems } = await inspect(
      "Invoice No,Customer,Item,Qty\nA,Ann,Pen,1\nA,Bob,Ink,2\n,Ann,Cap,1\nB,Eve,Pot,many\n",
      { group },
    );
    expect(problems.map(({ path, message }) => [path, message])).to.eql([
      [
        'row 4, column "Invoice No"',
        "Is empty, so that the row belongs to no document.",
      ],
      [
        'row 3, column "Customer"',
        '"Bob" differs from "Ann" in another row of the same document. Correct it, or map the column to a field of the list, such as "lines.…".',
      ],
      ['row 5, column "Qty"', '"many" is not a number.'],
    ]);
    for (const [wrong, words] of [
      [
        { by: "Invoice", as: "lines" },
        'group.by: the table has no column "Invoice"',
      ],
      [
        { by: "Item", as: "items" },
        'group.as: the template has no list "items". Lists: "lines".',
      ],
    ] as const)
      expect(await refusal(send(orders, { group: wrong }))).to.include(words);
  });

  const declareKey = (type: string) =>
    caller.publish({
      definition: {
        ...definition,
        schema: definition.schema.map((collection) => ({
          ...collection,
          fields: collection.fields.map((field) =>
            field.name === "number" ? { ...field, type } : field,
          ),
        })),
      },
    });
  const listProblems = async (file: string | Uint8Array<ArrayBuffer>) =>
    (await inspect(file, { group })).problems.map(({ message }) => message);

  it("have one key, and one value, where a field of numbers or dates reads both alike", async () => {
    const file = `Invoice No,Invoice date,Item
10.50,13/11/2026,Pen
10.5,2026-11-13,Ink
7,14/11/2026,Cap
`;
    for (const [type, documentCount] of [
      ["Number", 2],
      ["String", 3],
    ] as const) {
      const options = { templateId: await declareKey(type) };
      const { proposal } = await inspect(file, options);
      expect(proposal).to.eql({ ...group, documentCount });
      expect(await inspect(file, { ...options, group })).to.deep.include({
        documentCount,
        problems: [],
      });
    }
  });

  it("are refused for keys that are no texts and no numbers, with what they are", async () => {
    const formula = { xml: "<c><f>A1</f></c>" };
    const workbook = makeXlsx([
      {
        name: "Orders",
        rows: [
          ["Invoice No", "Item"],
          [true, "Pen"],
          [formula, "Ink"],
          ["#REF!", "Cap"],
          [7, "Pot"],
        ],
      },
    ]);
    expect(await listProblems(workbook)).to.eql([
      "Is true, not a text or a number, so that the row belongs to no document.",
      "Contains a formula that was never calculated. Open the workbook in your spreadsheet program and save it.",
      "Contains the formula error #REF!.",
    ]);
    const rows = [
      { "Invoice No": false, Item: "Pen" },
      { "Invoice No": [1], Item: "Ink" },
    ];
    expect(await listProblems(JSON.stringify(rows))).to.eql([
      "Is false, not a text or a number, so that the row belongs to no document.",
      "Is a list or an object, not a text or a number, so that the row belongs to no document.",
    ]);
  });

  it("have one key where it is spelled alike, and are asked for where only its capital letters, dashes, widths or leading zeros differ", async () => {
    const alike = await inspect(
      "Invoice No,Item\nA\u00a01,Pen\nA  1,Ink\n\u200bA 1,Cap\ne\u0301,Pot\n\u00e9,Lid\n",
      { group },
    );
    expect(alike).to.deep.include({ documentCount: 2, problems: [] });
    for (const [key, difference] of [
      ["a-1", "capital letters"],
      ["A\u20131", "dashes or wide characters"],
      ["\uff21-\uff11", "dashes or wide characters"],
    ] as const)
      expect(
        await listProblems(`Invoice No,Item\nA-1,Pen\n${key},Ink\n`),
      ).to.eql([
        `"${key}" differs from "A-1" in row 2 by ${difference} alone. Write both in the same way.`,
      ]);
    expect(
      await listProblems(
        "Invoice No,Item\n0042,Pen\n42,Ink\n00042,Cap\n420,Pot\n",
      ),
    ).to.eql(
      ["42", "00042"].map(
        (key) =>
          `"${key}" differs from "0042" in row 2 by leading zeros alone. Write both in the same way.`,
      ),
    );
    // Parts of a number, and numbers with letters, are keys of their own.
    expect(
      await listProblems(
        "Invoice No,Item\n1.1,Pen\n1.10,Ink\nA-1,Cap\nA-01,Pot\n",
      ),
    ).to.eql([]);
  });

  it("have no item for a row that is about the document alone", async () => {
    const { first } = await inspect(
      "Invoice No,Customer,Item,Qty\nA,Ann,,\nA,,Pen,2\n",
      { group },
    );
    expect(first).to.deep.include({
      customer: "Ann",
      lines: [{ item: "Pen", quantity: 2 }],
    });
  });

  it("are asked for a column that fits the document and its lines", async () => {
    const { problems } = await inspect(
      "Ref,Invoice No,Customer,Item\n1,A,Ann,Pen\n",
      {
        templateId: await caller.publish({
          definition: {
            ...definition,
            schema: definition.schema.map((collection) => ({
              ...collection,
              fields: [...collection.fields, { name: "ref", type: "String" }],
            })),
          },
        }),
        group,
      },
    );
    expect(problems).to.eql([
      {
        path: 'column "Ref"',
        code: "unclear_column",
        message:
          'The column fits the field "ref" of the document and "lines.ref" of its lines.',
        hint: 'Say in "mapping" which column is which field.',
        values: { column: "Ref", fields: ["ref", "lines.ref"] },
      },
    ]);
  });

  it("of a second file belong to one row alone, and are refused when two rows have their key", async () => {
    for (const [keys, problems] of [
      ["A\nB\nB", []],
      [
        "A\nB\nA",
        [
          'row 4, column "Invoice No": Has the same key as row 2, so that the lines would be in both documents.',
        ],
      ],
    ] as const) {
      const path = "/api/export/batch/file/inspect";
      const answer = await postFile(service, caller, path, {
        file: `Invoice No\n${keys}\n`,
        join: "Invoice No,Item\nA,Pen\n",
        request: { templateId, join: { key: "Invoice No", as: "lines" } },
      });
      const inspection = await readInspection(answer);
      expect(
        inspection.problems.map(
          (problem) => `${problem.path}: ${problem.message}`,
        ),
      ).to.eql(problems);
    }
  });

  it("of a second sheet are proposed by the column that has their keys, and refused until the request says so", async () => {
    const file = makeXlsx([
      {
        name: "Orders",
        rows: [
          ["Invoice No", "Customer"],
          [1, "Ann"],
          [2, "Bob"],
          [3, "Ann"],
        ],
      },
      {
        name: "Lines",
        rows: [
          ["Invoice", "Item", "Qty", "Unit price"],
          [1, "Pen", 2, 5],
          [3, "Ink", 1, 7],
          [1, "Cap", 3, 1],
        ],
      },
      { name: "Empty", rows: [] },
    ]);
    const join = {
      sheet: "Lines",
      key: "Invoice No",
      foreignKey: "Invoice",
      as: "lines",
    };
    const { joins, proposal, problems } = await inspect(file);
    expect({ joins, proposal }).to.eql({ joins: [join], proposal: null });
    expect(problems).to.eql([
      {
        path: 'field "lines"',
        code: "list_in_sheet",
        message:
          'The columns "Item", "Qty", "Unit price" of the sheet "Lines" fit the list "lines", which would be empty in every document.',
        hint: `Send "join": ${JSON.stringify(join)}, or "mapping" for documents without the rows of this sheet.`,
        values: {
          sheet: "Lines",
          field: "lines",
          columns: ["Item", "Qty", "Unit price"],
        },
      },
    ]);
    expect(await refusal(send(file))).to.include('of the sheet "Lines"');
    const joined = await inspect(file, { join });
    expect(joined).to.deep.include({ joins: [], problems: [] });
    const { texts } = await make(file, { join });
    expect(texts).to.eql(["1 Ann 2 13", "2 Bob 0 0", "3 Ann 1 7"]);
    const mapping = { "Invoice No": "number", Customer: "customer" };
    expect((await make(file, { mapping })).texts).to.have.length(3);
  });

  const findJoins = async (
    invoices: readonly (readonly (string | number)[])[],
    lines: readonly (readonly (string | number)[])[],
  ) => {
    const { joins, problems } = await inspect(
      makeXlsx([
        { name: "Orders", rows: invoices },
        { name: "Lines", rows: lines },
      ]),
    );
    return [
      ...joins.map(({ key, foreignKey }) => `${key} = ${foreignKey}`),
      ...problems.map(({ hint = "" }) => hint.split(" or ").length),
    ];
  };

  it("of a second sheet are asked for where two columns may be their key, and not taken for lines without one", async () => {
    const invoices = [
      ["Invoice No", "Order", "Customer"],
      ["A", "O1", "Ann"],
      ["B", "O2", "Ann"],
    ];
    for (const [lines, result] of [
      [
        [
          ["Invoice No", "Order", "Item"],
          ["B", "O2", "Pen"],
        ],
        ["Invoice No = Invoice No", "Order = Order", 3],
      ],
      [
        [
          ["Ref", "Item"],
          ["O1", "Pen"],
          ["O2", "Ink"],
        ],
        ["Order = Ref", 2],
      ],
      // A key of no row, a row without a key, and capital letters are problems of the join.
      [
        [
          ["Ref", "Item"],
          ["O1", "Pen"],
          ["O9", "Ink"],
        ],
        ["Order = Ref", 2],
      ],
      [
        [
          ["Ref", "Item"],
          ["o1", "Pen"],
          ["", "Ink"],
        ],
        ["Order = Ref", 2],
      ],
      // Mostly keys of no row, keys of several rows, no column of a line.
      [
        [
          ["Ref", "Item"],
          ["O1", "Pen"],
          ["O8", "Ink"],
          ["O9", "Cap"],
        ],
        [],
      ],
      [
        [
          ["Who", "Item"],
          ["Ann", "Pen"],
        ],
        [],
      ],
      [
        [
          ["Invoice No", "Note"],
          ["A", "Pen"],
        ],
        [],
      ],
    ] as const)
      expect(await findJoins(invoices, lines), JSON.stringify(lines)).to.eql(
        result,
      );
  });

  const inspectSheets = (
    sheets: Record<string, readonly (readonly CellXml[])[]>,
    options = {},
  ) =>
    inspect(
      makeXlsx(Object.entries(sheets).map(([name, rows]) => ({ name, rows }))),
      options,
    );
  const list = ({ problems }: Awaited<ReturnType<typeof inspect>>) =>
    problems.map(({ path, message }) => `${path}: ${message}`);
  const twoOrders = [
    ["Invoice No", "Customer"],
    ["A", "Ann"],
    ["B", "Bob"],
  ];
  const twoLines = [
    ["Invoice No", "Item", "Qty"],
    ["A", "Pen", 1],
    ["B", "Ink", 2],
    ["A", "Cap", 3],
  ];
  const join = { sheet: "Lines", key: "Invoice No", as: "lines" };

  it("of a second sheet are proposed beside rows that do not fit, which the join names", async () => {
    for (const [Orders, Lines, problem] of [
      [
        twoOrders,
        [...twoLines, ["Total", null, 6]],
        'row 5 of the sheet "Lines", column "Invoice No": No row has the key "Total" that this line belongs to.',
      ],
      [
        twoOrders,
        [...twoLines, [null, "Lid", 6]],
        'row 5 of the sheet "Lines", column "Invoice No": Is empty, so that the row belongs to no document.',
      ],
      [
        [...twoOrders, ["A", "Ann"]],
        twoLines,
        'row 4, column "Invoice No": Has the same key as row 2, so that the lines would be in both documents.',
      ],
      [
        twoOrders,
        [...twoLines, ["b", "Lid", 6]],
        'row 5 of the sheet "Lines", column "Invoice No": No row has the key "b" that this line belongs to.',
      ],
    ] as const) {
      const { joins } = await inspectSheets({ Orders, Lines });
      expect(joins).to.eql([{ ...join, foreignKey: "Invoice No" }]);
      expect(list(await inspectSheets({ Orders, Lines }, { join }))).to.eql([
        problem,
      ]);
    }
  });

  it("of a second sheet belong to the row whose key looks alike, and to one alone", async () => {
    const Lines = [
      ["Invoice No", "Item"],
      ["0042", "Pen"],
      [{ value: 43, format: "0000" }, "Ink"],
      [42, "Cap"],
    ];
    const Orders = [["Invoice No"], [{ value: 42, format: "0000" }], ["0043"]];
    const { joins } = await inspectSheets({ Orders, Lines });
    expect(joins).to.have.length(1);
    const { problems, first } = await inspectSheets(
      { Orders, Lines },
      { join },
    );
    expect(problems).to.eql([]);
    expect(first).to.deep.include({
      lines: [{ item: "Pen" }, { item: "Cap" }],
    });
    expect(
      list(
        await inspectSheets(
          {
            Orders: [["Invoice No"], [{ value: 42, format: "0000" }], ["0042"]],
            Lines: Lines.slice(0, 2),
          },
          { join },
        ),
      ),
    ).to.eql([
      'row 3, column "Invoice No": Has the same key as row 2, so that the lines would be in both documents.',
    ]);
  });

  it("of a second sheet are left out with the row of their key that the sheet hides", async () => {
    const file = makeXlsx([
      { name: "Orders", rows: twoOrders, hiddenRows: [2] },
      { name: "Lines", rows: twoLines },
    ]);
    expect((await inspect(file, { hiddenRows: "skip" })).joins).to.have.length(
      1,
    );
    const { problems, first } = await inspect(file, {
      hiddenRows: "skip",
      join,
    });
    expect(problems).to.eql([]);
    expect(first).to.deep.include({ lines: [{ item: "Ink", quantity: 2 }] });
  });

  it("of a second sheet are proposed by columns with equal names before others, and not by yes, no or states", async () => {
    const tenOrders = Array.from({ length: 10 }, (_, at) => [at + 1, `C${at}`]);
    const Orders = [["Invoice No", "Customer"], ...tenOrders];
    for (const [head, toCells, expected] of [
      [["Invoice No", "Line"], (at: number) => [1, at], ["Invoice No"]],
      [["Ref"], (at: number) => [at], ["Ref"]],
      [["State"], (at: number) => [(at % 2) + 1], []],
    ] as const) {
      const { joins } = await inspectSheets({
        Orders,
        Lines: [
          [...head, "Item"],
          ...tenOrders.map((_, at) => [...toCells(at + 1), "Pen"]),
        ],
      });
      expect(joins.map(({ foreignKey }) => foreignKey)).to.eql(expected);
    }
  });

  it("of a second sheet are proposed by the column of the same name rather than by one whose amounts happen to be equal, also where its keys do not fit", async () => {
    const Orders = [
      ["Invoice No", "Total"],
      [1, 2],
      [2, 5],
      [3, 7],
    ];
    const head = ["Invoice No", "Item", "Qty"];
    for (const [sheet, keys] of [
      [Orders, ["1", "1", "2"]],
      [Orders, ["1", "2", "3"]],
      // No key fits; most do not.
      [
        [["Invoice No"], ["0001"], ["0002"]],
        [1, 2, 2],
      ],
      [Orders, [1, 8, 9]],
      // Twice in the first sheet.
      [
        [...Orders, [2, 9]],
        [1, 2, 2],
      ],
    ] as const) {
      const { joins } = await inspectSheets({
        Orders: sheet,
        Lines: [head, ...keys.map((key) => [key, "Pen", 2])],
      });
      expect(joins, JSON.stringify([sheet, keys])).to.eql([
        { ...join, foreignKey: "Invoice No" },
      ]);
    }
  });

  const publishPayments = () =>
    caller.publish({
      definition: {
        ...definition,
        schema: [
          {
            id: "root",
            fields: [
              { name: "number", label: "Invoice No", type: "String" },
              { name: "lines", type: "OneToManyLink", target: "line" },
              { name: "payments", type: "OneToManyLink", target: "payment" },
            ],
          },
          ...definition.schema.slice(1),
          { id: "payment", fields: [{ name: "amount", type: "Number" }] },
        ],
      },
    });
  const paid = [
    ["Invoice No", "Amount"],
    ["A", 5],
    ["B", 6],
    ["A", 7],
  ];
  const payments = { sheet: "Payments", key: "Invoice No", as: "payments" };
  const withForeignKey = ({ sheet, key, as }: typeof join) => ({
    sheet,
    key,
    foreignKey: key,
    as,
  });

  it("of several sheets are lists of the documents, each by its key, once the request says so", async () => {
    const id = await publishPayments();
    const sheets = { Orders: twoOrders, Lines: twoLines, Payments: paid };
    const options = { templateId: id };
    const proposals = [join, payments].map(withForeignKey);
    const open = await inspectSheets(sheets, options);
    expect(open.joins).to.eql(proposals);
    expect(open.problems.map(({ hint }) => hint)).to.eql(
      proposals.map(
        (proposal) =>
          `Add ${JSON.stringify(proposal)} to the list "join", or send "mapping" for documents without the rows of this sheet.`,
      ),
    );
    const partly = await inspectSheets(sheets, { ...options, join });
    expect(partly.joins).to.eql(proposals.slice(1));
    expect(list(partly)).to.eql([
      'field "payments": The column "Amount" of the sheet "Payments" fits the list "payments", which would be empty in every document.',
    ]);
    const mapping = { "Invoice No": "number" };
    const answered = await inspectSheets(sheets, { ...options, join, mapping });
    expect(answered).to.deep.include({ joins: [], problems: [] });
    const joined = await inspectSheets(sheets, { ...options, join: proposals });
    expect(joined).to.deep.include({ joins: [], problems: [] });
    expect(joined.joined.map(({ sheet }) => sheet)).to.eql([
      "Lines",
      "Payments",
    ]);
    expect(joined.first).to.eql({
      number: "A",
      lines: [
        { item: "Pen", quantity: 1 },
        { item: "Cap", quantity: 3 },
      ],
      payments: [{ amount: 5 }, { amount: 7 }],
    });
    // A row that is wrong for both is one problem.
    const twice = { ...sheets, Orders: [...twoOrders, ["A", "Ann"]] };
    expect(
      (await inspectSheets(twice, { ...options, join: proposals })).problems,
    ).to.have.length(1);
    const file = makeXlsx(
      Object.entries(sheets).map(([name, rows]) => ({ name, rows })),
    );
    for (const [wrong, words] of [
      [[join, join], 'Two tables of "join" are both for the list "lines".'],
      [
        [join, { ...payments, key: "Nr" }],
        'join[1].key: the table has no column "Nr".',
      ],
      [{ sheet: "Lines", as: "lines" }, "$.join.key: is required"],
      [[join, { key: "Invoice No" }], "$.join[1].as: is required"],
    ] as const)
      expect(await refusal(send(file, { ...options, join: wrong }))).to.include(
        words,
      );
  });

  it("of another sheet are proposed beside rows that are grouped, by the key of the group", async () => {
    const options = { templateId: await publishPayments(), group };
    const sheets = {
      Orders: [
        ["Invoice No", "Item", "Qty"],
        ["A", "Pen", 1],
        ["A", "Ink", 2],
        ["B", "Cap", 3],
      ],
      Payments: paid,
    };
    const { joins } = await inspectSheets(sheets, options);
    expect(joins).to.eql([withForeignKey(payments)]);
    const joined = await inspectSheets(sheets, { ...options, join: payments });
    expect(joined).to.deep.include({ documentCount: 2, problems: [] });
    expect(joined.first).to.eql({
      number: "A",
      lines: [
        { item: "Pen", quantity: 1 },
        { item: "Ink", quantity: 2 },
      ],
      payments: [{ amount: 5 }, { amount: 7 }],
    });
  });

  it("of a hidden sheet are proposed as such, and used when the request names it", async () => {
    for (const file of [
      makeXlsx([
        { name: "Orders", rows: twoOrders },
        { name: "Lines", rows: twoLines, state: "hidden" },
      ]),
      makeOds([
        { name: "Orders", rows: toOds(twoOrders) },
        { name: "Lines", rows: toOds(twoLines), isHidden: true },
      ]),
    ]) {
      const open = await inspect(file);
      expect(open).to.deep.include({
        sheets: ["Orders"],
        hiddenSheets: ["Lines"],
        joins: [withForeignKey(join)],
      });
      expect(list(open)).to.eql([
        'field "lines": The columns "Item", "Qty" of the hidden sheet "Lines" fit the list "lines", which would be empty in every document.',
      ]);
      const joined = await inspect(file, { join });
      expect(joined.problems).to.eql([]);
      expect(joined.first).to.deep.include({
        lines: [
          { item: "Pen", quantity: 1 },
          { item: "Cap", quantity: 3 },
        ],
      });
      expect((await inspect(file, { sheet: "Lines" })).sheet).to.equal("Lines");
    }
  });

  it("are refused for a row that looks like a total, and for one without a key, with what to do", async () => {
    const head = "Invoice No,Customer,Item,Qty\n";
    for (const word of [
      "Total",
      "GRAND TOTAL",
      "A-1 Total",
      "Gesamtsumme",
      "Total g\u00e9n\u00e9ral",
      "Sous-total",
      "Итого",
    ]) {
      const file = `${head}A-1,Ann,Pen,1\nB,Bob,Ink,"2"\n${word},,,3\n`;
      expect((await inspect(file, { group })).problems, word).to.eql([
        {
          path: 'row 4, column "Invoice No"',
          code: "total_row",
          message: "Looks like a total of other rows.",
          hint: "Delete the row, or write this cell in another way.",
          values: { row: 4, column: "Invoice No" },
        },
      ]);
    }
    for (const [rows, documentCount] of [
      // A customer, a key with the word in it, blank rows.
      ["A,Ann,Pen,1\nTotal,Total SE,Ink,2\n", 2],
      ["A,Ann,Pen,1\nTotal-7,,,2\n", 2],
      ["A,Ann,Pen,1\nTotal Energies,,,2\n", 2],
      ["A,Ann,Pen,1\n,,,\n\nA,,Ink,2\n", 1],
    ] as const)
      expect(await inspect(head + rows, { group }), rows).to.deep.include({
        documentCount,
        problems: [],
      });
    const hint = "Write the key into each row, and delete rows of totals.";
    const noKey = "Is empty, so that the row belongs to no document.";
    for (const [rows, row] of [
      [",Ann,Pen,1\nA,Ann,Ink,2\n", 2],
      ["A,Ann,Pen,1\n,,Ink,2\nB,Bob,Cap,3\n", 3],
      ["A,Ann,Pen,1\nA,Ann,Ink,2\n,,Total,3\n", 4],
    ] as const) {
      const path = `row ${row}, column "Invoice No"`;
      const file = head + rows;
      expect((await inspect(file, { group })).problems).to.eql([
        {
          path,
          code: "no_key",
          message: noKey,
          hint,
          values: { row, column: "Invoice No" },
        },
      ]);
      // Such a row hides no key.
      expect((await inspect(file)).proposal).to.deep.include(group);
    }
    const rows = [
      ["Invoice No", "Item"],
      ["A", "Pen"],
      [null, "Ink"],
    ];
    const merged = makeXlsx([{ name: "Orders", rows, merged: ["A2:A3"] }]);
    expect(await listProblems(merged)).to.eql([
      "The cells A2:A3 are merged. Unmerge them, and fill in each one.",
      noKey,
    ]);
    // So is one below rows that are a document each, if it lacks what they have.
    for (const [file, row] of [
      ["Invoice No;Customer;Net\nA;Ann;1\nB;Bob;2\nTotal;;3\n", 4],
      ["Invoice No;Net\nA;1\nTotal;3\n", null],
      ["Invoice No;Customer;Net\nA;Ann;1\nTotal;;3\nB;Bob;2\n", null],
    ] as const)
      expect(list(await inspect(file)), file).to.eql(
        row === null
          ? []
          : [
              `row ${row}, column "Invoice No": Looks like a total of other rows.`,
            ],
      );
  });

  it("are refused for keys that are equal or look alike and have different formats", async () => {
    const format = "dd.mm.yyyy";
    for (const [first, second, words] of [
      [
        { value: 42, format: "0000" },
        42,
        '"42" differs from "0042" in row 2 by leading zeros alone',
      ],
      [
        42,
        { value: 42, format: "0000" },
        '"0042" differs from "42" in row 2 by leading zeros alone',
      ],
      [
        { value: 46_387, format },
        { value: 46_387.5, format },
        '"2026-12-31T12:00:00" and "2026-12-31" in row 2 have equal values or look the same in the sheet',
      ],
    ] as const)
      expect(
        await listProblems(
          makeXlsx([
            {
              name: "Orders",
              rows: [
                ["Invoice No", "Item"],
                [first, "Pen"],
                [second, "Ink"],
              ],
            },
          ]),
        ),
      ).to.eql([`${words}. Write both in the same way.`]);
  });

  it("of another table are compared by the type of the key, and are refused for documents without one", async () => {
    const answer = await postFile(
      service,
      caller,
      "/api/export/batch/file/inspect",
      {
        file: "Invoice No\n10.50\n",
        join: "Invoice No,Item\n10.5,Pen\n",
        request: {
          templateId: await declareKey("Number"),
          join: { key: "Invoice No", as: "lines" },
        },
      },
    );
    const { first, problems } = await readInspection(answer);
    expect({ first, problems }).to.eql({
      first: { number: 10.5, lines: [{ item: "Pen" }] },
      problems: [],
    });
    const options = { templateId: await publishPayments(), join };
    for (const [row, code, message, hint, values] of [
      [
        [null, "Eve"],
        "no_key",
        'Has no key, so that "lines" would be empty.',
        "Write the key into each row, and delete rows of totals.",
        { field: "lines" },
      ],
      [
        ["Total", 9],
        "total_row",
        "Looks like a total of other rows.",
        "Delete the row, or write this cell in another way.",
        {},
      ],
      [
        ["a", "Eve"],
        "similar_keys",
        '"a" differs from "A" in row 2 by capital letters alone. Write both in the same way.',
        undefined,
        { text: "a", other: "A", otherRow: 2 },
      ],
    ] as const) {
      const sheets = { Orders: [...twoOrders, row], Lines: twoLines };
      expect((await inspectSheets(sheets, options)).problems).to.eql([
        {
          path: 'row 4, column "Invoice No"',
          code,
          message,
          ...(hint !== undefined && { hint }),
          values: { row: 4, column: "Invoice No", ...values },
        },
      ]);
    }
    for (const [key, hint, values] of [
      [
        "b",
        '"b" differs from "B" in row 3 by capital letters alone. Write both in the same way.',
        { other: "B", otherRow: 3 },
      ],
      ["Total", "Delete the row if it is a total of others.", {}],
    ] as const) {
      const Lines = [...twoLines, [key, null, 9]];
      const inspection = await inspectSheets(
        { Orders: twoOrders, Lines },
        { join },
      );
      expect(inspection.problems).to.eql([
        {
          path: 'row 5 of the sheet "Lines", column "Invoice No"',
          code: "line_without_row",
          message: `No row has the key "${key}" that this line belongs to.`,
          hint,
          values: {
            sheet: "Lines",
            row: 5,
            column: "Invoice No",
            text: key,
            ...values,
          },
        },
      ]);
    }
  });

  it("of a second sheet have fields of the list, and are named in what is wrong", async () => {
    const Lines = [
      ["Invoice No", "Article", "Qty", "Due"],
      ["A", "Pen", "1,234", "01/02/2026"],
    ];
    const {
      joined: [joined],
      decimal,
    } = await inspectSheets({ Orders: twoOrders, Lines }, { join });
    expect(joined?.mapping).to.include({ Article: null, Qty: "quantity" });
    expect(joined?.fields.map(({ path }) => path)).to.eql([
      "item",
      "quantity",
      "price",
    ]);
    expect(decimal).to.equal(null);
    const { problems } = await inspectSheets(
      { Orders: twoOrders, Lines },
      { join, unknownFields: "error", decimal: "," },
    );
    expect(problems.slice(0, 1)).to.eql([
      {
        path: 'column "Article" of the sheet "Lines"',
        code: "unknown_column",
        message: "No field of the list has this name.",
        hint: 'Map it to null in "join.mapping" to leave it out.',
        values: { sheet: "Lines", column: "Article" },
      },
    ]);
    const file = makeXlsx([
      { name: "Orders", rows: twoOrders },
      { name: "Lines", rows: Lines },
    ]);
    const { sheet: _, ...withoutSheet } = join;
    for (const [options, words] of [
      [
        { join: withoutSheet },
        'join: the "sheet" with the rows of "lines" is missing. Sheets: "Orders", "Lines".',
      ],
      [{ join, group }, "both for the list"],
    ] as const)
      expect(await refusal(send(file, options))).to.include(words);
  });

  it("are documents of the column with numbers of documents, although a row disagrees, and of others that the problem names", async () => {
    for (const [file, keys, documentCount] of [
      [
        "Invoice No,Customer,Item\nA,Ann,Pen\nA,Bob,Ink\nB,Eve,Cap\n",
        ["Invoice No"],
        2,
      ],
      // A wrong customer, whose other rows are one document each.
      [
        "Invoice No,Customer,Item\n7,Ann,Pen\n7,Anm,Ink\n7,Ann,Cap\n8,Bob,Pot\n8,Bob,Lid\n",
        ["Invoice No", "Customer"],
        2,
      ],
      [
        "Customer,Order ref.,Item\nAnn,R-1,Pen\nAnn,R-1,Ink\nAnn,R-2,Cap\nBob,R-3,Pot\n",
        ["Order ref.", "Customer"],
        3,
      ],
      // Postal codes are no numbers of documents.
      [
        "Customer,Zip,Item\nAnn,53111,Pen\nAnn,53111,Ink\nBob,53111,Cap\nBob,53111,Pot\nEve,50667,Lid\n",
        ["Customer"],
        3,
      ],
    ] as const) {
      const { proposal, problems } = await inspect(file);
      expect(proposal, file).to.eql({
        by: keys[0],
        as: "lines",
        documentCount,
      });
      expect(problems.map(({ hint }) => hint)).to.include(hintOf(...keys));
    }
  });

  it("are asked for the list where two fit equally well", async () => {
    const credits = {
      name: "credits",
      type: "OneToManyLink",
      target: "line",
    };
    const options = {
      templateId: await caller.publish({
        definition: {
          ...definition,
          schema: definition.schema.map(({ id, fields }) => ({
            id,
            fields: id === "root" ? [...fields, credits] : fields,
          })),
        },
      }),
    };
    const { problems } = await inspect(orders, options);
    expect(problems).to.have.length(1);
    expect(problems[0]?.message).to.include(
      'fit the list "lines" or "credits", which would be empty',
    );
    expect(problems[0]?.hint).to.include(
      `${JSON.stringify(group)} or ${JSON.stringify({ ...group, as: "credits" })},`,
    );
    expect(problems[0]?.values.fields).to.eql(["lines", "credits"]);
    const sheets = { Orders: twoOrders, Lines: twoLines };
    expect(list(await inspectSheets(sheets, options))).to.eql([
      'field "lines": The columns "Item", "Qty" of the sheet "Lines" fit the list "lines" or "credits", which would be empty in every document.',
    ]);
  });

  it("before the sheet of their documents are asked for it, and are its lines once it is read", async () => {
    const Lines = twoLines;
    const Customers = [
      ["Customer No", "Customer"],
      ["K1", "Ann"],
      ["K2", "Bob"],
    ];
    const { problems, proposal } = await inspectSheets({
      Lines,
      Customers,
      Orders: twoOrders,
    });
    expect(proposal).to.eql({ ...group, documentCount: 2 });
    expect(problems).to.eql([
      {
        path: 'sheet "Orders"',
        code: "documents_in_sheet",
        message:
          'The sheet "Orders" looks like the documents that these rows belong to: it has the columns "Customer".',
        hint: `Send "sheet": "Orders" and "join": ${JSON.stringify(withForeignKey(join))}. Without that sheet: Send "group": ${JSON.stringify(group)}, or "mapping" for a document for each row.`,
        values: { sheet: "Orders", columns: ["Customer"] },
      },
    ]);
    const withCustomers = twoLines.map((cells, at) => [
      ...cells,
      at === 0 ? "Customer No" : "K1",
    ]);
    for (const [sheets, codes] of [
      // The column of the key has a name of its own.
      [
        {
          Lines: [
            ["Ref", "Item"],
            ["A", "Pen"],
          ],
          Orders: twoOrders,
        },
        ["no_column", "documents_in_sheet"],
      ],
      // A sheet of something else, and one without more fields.
      [{ Lines: withCustomers, Customers }, ["list_in_rows"]],
      [{ Lines, Orders: [["Invoice No"], ["A"], ["B"]] }, ["list_in_rows"]],
    ] as const) {
      const inspection = await inspectSheets(sheets);
      expect(inspection.problems.map(({ code }) => code)).to.eql(codes);
    }
    const options = { sheet: "Orders" };
    const sheets = { Lines, Orders: twoOrders };
    const { joins } = await inspectSheets(sheets, options);
    expect(joins).to.eql([withForeignKey(join)]);
    const joined = await inspectSheets(sheets, { ...options, join: joins });
    expect(joined).to.deep.include({ documentCount: 2, problems: [] });
  });

  it("are found below a title and another table, in every sheet", async () => {
    const title = [["Invoices of 2026"], []];
    const summary = [["Customer", "Sum", "Paid"], ["Ann", 7, 7], []];
    for (const above of [title, summary, [...title, ...summary]]) {
      const sheets = {
        Orders: [...title, ...twoOrders],
        Lines: [...above, ...twoLines],
      };
      const { headerRow, joins } = await inspectSheets(sheets);
      expect(headerRow).to.equal(3);
      expect(joins).to.eql([withForeignKey(join)]);
      const joined = await inspectSheets(sheets, { join });
      expect(joined.problems).to.eql([]);
      expect(joined.joined[0]?.headerRow).to.equal(above.length + 1);
    }
  });

  it("have lists that the batch names when they are empty in every document", async () => {
    const json = [{ number: "A" }, { number: "B", lines: [{ item: "Pen" }] }];
    for (const [file, options, emptyLists] of [
      ["Invoice No,Customer\nA,Ann\n", {}, ["lines"]],
      [orders, { group }, []],
      [JSON.stringify(json), {}, []],
    ] as const) {
      const { batchId } = await make(file, options);
      // They are found once, and stay when the records are deleted.
      await service.store.unitOfWork.run((tx) =>
        tx.delete(DocumentRecord, { batchId }),
      );
      const batch = await fetchBatch(caller, batchId);
      expect(batch.emptyLists).to.eql(emptyLists);
    }
  });

  it("are a document each where no column fits a list, or nothing repeats but the customer", async () => {
    const single = await inspect("Invoice No,Customer\nA,Ann\nB,Ann\n");
    expect(single).to.deep.include({ proposal: null, problems: [] });
    const unique = await inspect(
      "Invoice No,Customer,Item\nA,Ann,Pen\nB,Ann,Pen\n",
    );
    expect(unique.proposal).to.eql({ ...group, documentCount: 2 });
  });
});
