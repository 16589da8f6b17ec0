import { expect } from "chai";
import { before, describe, it } from "mocha";
import { fileInspectionSchema } from "../../../../core/api/routes/file-batches.js";
import type { ReadRows } from "../../../../core/integrations/platforms/views.js";
import { describeTableProblem } from "../../../../studio/src/ui/table-problems.js";
import { newBatchCaller } from "../../../support/batches.js";
import { readError, reader, type TestCaller } from "../../../support/caller.js";
import { useService } from "../../../support/service.js";
import { newVisitor, type TestVisitor } from "../../../support/studio.js";
import { postFile } from "../../../support/table-files.js";

const readInspection = reader(fileInspectionSchema);

const orders = `Invoice No,Customer,Email,Invoice date,Paid,Item,Qty,Unit price
2026-101,Alder & Finch Ltd,accounts@alder.example,02/11/2026,no,"Shelf, oak",4,49.50
2026-102,Bramble Street Bakery,hello@bramble.example,03/11/2026,yes,Counter top 2.4 m,1,640.00
2026-104,Dunes Hotel,office@dunes.example,17/11/2026,no,Oil finish,6,18.00
`;

const lists = [
  {
    id: "root",
    fields: [
      { name: "number", type: "String", required: true },
      { name: "due", type: "Date" },
      { name: "customer", type: "OneToOneLink", target: "customer" },
      { name: "lines", type: "OneToManyLink", target: "line" },
    ],
  },
  { id: "customer", fields: [{ name: "city", type: "String" }] },
  {
    id: "line",
    fields: [
      { name: "code", label: "Code", type: "String" },
      { name: "count", type: "Number" },
      { name: "total", type: "Number", computed: "count * 2" },
    ],
  },
];

/** A column of values, beside one of texts. */
const toText = (values: readonly string[]) =>
  ["Key\tValue", ...values.map((value) => `text\t${value}`)].join("\n");

const toColumns = (columns: readonly (readonly string[])[]) => {
  const height = Math.max(...columns.map(({ length }) => length));
  const rows = Array.from({ length: height }, (_, at) =>
    columns.map((values) => values[at] ?? ""),
  );
  return [columns.map((_, at) => `c${at}`), ...rows]
    .map((cells) => cells.join("\t"))
    .join("\n");
};

const sayCode = (text: string) =>
  `"${text}" looks like a code. Give the field the type String, or write the number without letters and leading zeros.`;
const sayUnit = (text: string, word: string) =>
  `"${text}" has "${word}" after the number. Write the number alone, or give the field the type String.`;

describe("pasted rows", () => {
  const service = useService();
  let caller: TestCaller;
  let visitor: TestVisitor;
  before(async () => {
    caller = await newBatchCaller(service);
    visitor = await newVisitor(service, "editor", caller.organizationId);
  });

  const send = (text: string, more: object = {}) =>
    visitor.post("/studio/api/drafts/rows", {
      text,
      schema: [],
      currency: "USD",
      ...more,
    });
  const read = async (text: string, more: object = {}) => {
    const response = await send(text, more);
    const answer: unknown = await response.json();
    expect(response.status, JSON.stringify(answer)).to.equal(200);
    // What the service responds with, by its own type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return answer as ReadRows;
  };

  it("have the kinds and the values that a batch of the same file has", async () => {
    const { columns, records, problems } = await read(orders);
    expect(problems).to.eql([]);
    const fields = columns.map(({ field }) => field);
    expect(fields.map((field) => field?.type)).to.eql([
      "String",
      "String",
      "String",
      "Date",
      "Boolean",
      "String",
      "Number",
      "Number",
    ]);
    const templateId = await caller.publish({
      definition: { schema: [{ id: "root", fields }], components: [] },
    });
    const [header = "", ...rows] = orders.trimEnd().split("\n");
    const path = "/api/export/batch/file/inspect";
    for (const [at, row] of rows.entries()) {
      // The first row of each file; the others show the order of the dates.
      const file = [header, row, ...rows].join("\n");
      const inspection = await readInspection(
        await postFile(service, caller, path, {
          file,
          request: { templateId },
        }),
      );
      expect(inspection.problems).to.eql([]);
      expect(inspection.first).to.eql(records[at]);
    }
  });

  it("become fields of the kind and the unit that all values of a column have", async () => {
    type Case = [
      values: string[],
      kind: string,
      results: unknown[],
      currency?: string,
    ];
    const cases: Case[] = [
      [["1,234.50", "$ 12", "", "-3"], "Number", [1234.5, 12, null, -3]],
      [["1.234,50 €", "12,5", "3"], "Number", [1234.5, 12.5, 3]],
      [["1’200.00"], "Number", [1200]],
      [["1", "0"], "Number", [1, 0]],
      [["19 %", "7.5%", "0%"], "Number percent", [0.19, 0.075, 0]],
      [["€ 1,234.50", "3.00 EUR"], "Number currency EUR", [1234.5, 3]],
      [["$3.50", "", "$ 4"], "Number currency", [3.5, null, 4]],
      [["$3.50"], "Number currency", [3.5], "CAD"],
      [["3.50 USD"], "Number currency USD", [3.5], "CAD"],
      [["$3.50"], "Number currency USD", [3.5], "EUR"],
      [["$ 3", "£4"], "String", ["$ 3", "£4"]],
      [["19 %", "0.2"], "String", ["19 %", "0.2"]],
      [["01067", "53111"], "String", ["01067", "53111"]],
      [["12345678901234567890"], "String", ["12345678901234567890"]],
      [["+49 228 123"], "String", ["+49 228 123"]],
      [["12", "n/a"], "String", ["12", "n/a"]],
      [["31.13.2026"], "String", ["31.13.2026"]],
      [
        ["2026-03-01", "2026-03-02 10:30"],
        "Date",
        ["2026-03-01", "2026-03-02T10:30:00"],
      ],
      [["1.3.2026", "12. März 2026"], "Date", ["2026-03-01", "2026-03-12"]],
      [["03/01/2026", "13/01/2026"], "Date", ["2026-01-03", "2026-01-13"]],
      [["x", "", "X"], "Boolean", [true, false, true]],
      [["Yes", "no", ""], "Boolean", [true, false, null]],
      [["да", "нет"], "Boolean", [true, false]],
      [["FALSE", "TRUE"], "Boolean", [false, true]],
      [["x", "✓"], "String", ["x", "✓"]],
      [["F", "F"], "String", ["F", "F"]],
      [["NO", "NO"], "String", ["NO", "NO"]],
      [["ja", ""], "String", ["ja", null]],
      [["TRUE", ""], "Boolean", [true, null]],
      [["✓", ""], "Boolean", [true, false]],
      [["EUR -12.50", "CHF-12.50"], "String", ["EUR -12.50", "CHF-12.50"]],
      [["CHF-12.50"], "Number currency CHF", [-12.5]],
      [["EUR -12", "EUR 100"], "Number currency EUR", [-12, 100]],
      [["EUR100", "EUR 1.50"], "Number currency EUR", [100, 1.5]],
      [["Rs.500"], "Number currency INR", [500]],
      [["R 1 234,50", "R 12", "R5"], "Number currency ZAR", [1234.5, 12, 5]],
      [["kr 12,50", "kr5"], "Number", [12.5, 5]],
      [["12,50kr"], "Number", [12.5]],
      [["R$ 12,00", "R$5"], "Number currency BRL", [12, 5]],
      [["€5", "-€5", "€-5"], "Number currency EUR", [5, -5, -5]],
      [["12,50-", "100-"], "Number", [-12.5, -100]],
      [["1.5E5", "1E5", "1E+05"], "Number", [150000, 100000, 100000]],
      [["1.10", "2.50"], "Number", [1.1, 2.5]],
      [
        ["₺1.234,50", "12,00 TL", "TRY 3"],
        "Number currency TRY",
        [1234.5, 12, 3],
      ],
      [["£3.50", "4 GBP"], "Number currency GBP", [3.5, 4]],
      [["3,50 zł", "4 PLN"], "Number currency PLN", [3.5, 4]],
    ];
    for (const [values, kind, results, currency = "USD"] of cases) {
      const { columns, records, problems } = await read(toText(values), {
        currency,
      });
      expect(problems).to.eql([]);
      const field = columns[1]?.field;
      const unit =
        field && "format" in field ? [field.format, field.currency] : [];
      expect([field?.type, ...unit].filter(Boolean).join(" ")).to.equal(kind);
      expect(records.map(({ value = null }) => value)).to.eql(results);
    }
  });

  it("are numbers in a field of numbers where every value has the unit, or a problem that names what is written", async () => {
    const readNumbers = (columns: readonly (readonly string[])[]) => {
      const fields = columns.map((_, at) => ({
        name: `c${at}`,
        type: "Number",
      }));
      return read(toColumns(columns), { schema: [{ id: "root", fields }] });
    };
    const numbers: [values: string[], results: number[]][] = [
      [
        ["100kr", "250kr", "0"],
        [100, 250, 0],
      ],
      [
        ["100 kr", "1 250,50 kr"],
        [100, 1250.5],
      ],
      [
        ["R 100", "R 1001"],
        [100, 1001],
      ],
      [
        ["R100,50", "R5"],
        [100.5, 5],
      ],
      [
        ["100EUR", "7EUR"],
        [100, 7],
      ],
      [
        ["CHF 1'200.–", "CHF 7.50"],
        [1200, 7.5],
      ],
      [
        ["1.200,- €", "3,- €"],
        [1200, 3],
      ],
      [
        ["Rs. 1,00,000/-", "Rs. 500/-"],
        [100_000, 500],
      ],
      [
        ["5000/=", "200/="],
        [5000, 200],
      ],
      [
        ["(1,234.50)", "1,234.50-", "−5"],
        [-1234.5, -1234.5, -5],
      ],
      [
        ["12%", "\u200e-3 %"],
        [0.12, -0.03],
      ],
      [
        ["￥１，２３４．５０", "－５"],
        [1234.5, -5],
      ],
      [
        ["١٬٢٣٤٫٥٠", "۱۲۳"],
        [1234.5, 123],
      ],
      [["٥٠٪"], [0.5]],
    ];
    const plain = await readNumbers(numbers.map(([values]) => values));
    expect(plain.problems).to.eql([]);
    for (const [at, [, results]] of numbers.entries())
      expect(
        plain.records.flatMap(({ [`c${at}`]: value }) => value ?? []),
      ).to.eql(results);
    const refused: [values: string[], messages: string[]][] = [
      [
        ["R-1001", "R-1002"],
        [sayCode("R-1001"), sayCode("R-1002")],
      ],
      [
        ["EUR100", "EUR250"],
        [sayCode("EUR100"), sayCode("EUR250")],
      ],
      [["100kr", "250"], [sayCode("100kr")]],
      [
        ["100kr", "5Ft"],
        [sayCode("100kr"), sayCode("5Ft")],
      ],
      [["٠١٢٣", "1"], [sayCode("٠١٢٣")]],
      [
        ["5 Stück", "12 pcs", "7"],
        [sayUnit("5 Stück", "Stück"), sayUnit("12 pcs", "pcs")],
      ],
      [["2.5kg"], [sayUnit("2.5kg", "kg")]],
    ];
    const { problems } = await readNumbers(refused.map(([values]) => values));
    for (const [at, [, messages]] of refused.entries())
      expect(
        problems
          .filter(({ path }) => path.endsWith(`"c${at}"`))
          .map(({ message }) => message),
      ).to.eql(messages);
    const texts = await read(toColumns([["100kr"], ["R 12"], ["5 Stück"]]));
    expect(texts.columns.map(({ field }) => field?.type)).to.eql([
      "String",
      "String",
      "String",
    ]);
  });

  const codes =
    "R-1001,R1,R 12,EUR-100,EUR100,USD-1,CHF-12,kr-5,Rs-5,TL-5,Ft-5,5TL,1001-,R1.5,1E5,12e4,12E-4,01067,€ 007,00.50".split(
      ",",
    );

  it("are text where a number may be a code, and a problem in a field of numbers", async () => {
    const numbers = ["0", "0.5", "-0.5", "€5", "12.-", "5 €", "1E+05"];
    const texts = [...codes, ...numbers];
    const names = texts.map((_, at) => `c${at}`);
    const rows = [names, texts, names.map(() => "12")];
    const text = rows.map((cells) => cells.join("\t")).join("\n");
    const plain = await read(text);
    expect(plain.problems).to.eql([]);
    expect(plain.columns.map(({ field }) => field?.type)).to.eql(
      texts.map((_, at) => (at < codes.length ? "String" : "Number")),
    );
    expect(Object.values(plain.records[0] ?? {}).slice(0, codes.length)).to.eql(
      codes,
    );
    const fields = names.map((name) => ({ name, type: "Number" }));
    const typed = await read(text, { schema: [{ id: "root", fields }] });
    expect(typed.problems.map(({ message }) => message)).to.eql(
      codes.map(
        (code) =>
          `"${code}" looks like a code. Give the field the type String, or write the number without letters and leading zeros.`,
      ),
    );
  });

  it("are a question where a file is, until it is answered", async () => {
    const rates = "Number;Amount\nEUR/USD;1.085\nEUR/CHF;1.942\n";
    const unanswered = await read(rates);
    expect(unanswered.decimal).to.equal(null);
    expect(unanswered.problems).to.eql([
      {
        path: 'row 2, column "Amount"',
        code: "ambiguous_number",
        message:
          '"1.085" may be two numbers: 1.085 or 1085. Set "decimal" to "." or ",".',
        values: {
          row: 2,
          column: "Amount",
          text: "1.085",
          readings: ["1.085", "1085"],
        },
      },
      {
        path: 'row 3, column "Amount"',
        code: "ambiguous_number",
        message:
          '"1.942" may be two numbers: 1.942 or 1942. Set "decimal" to "." or ",".',
        values: {
          row: 3,
          column: "Amount",
          text: "1.942",
          readings: ["1.942", "1942"],
        },
      },
    ]);
    for (const [values, answer, result] of [
      [["1,234"], { decimal: "." }, 1234],
      [["1,234"], { decimal: "," }, 1.234],
      [["03/01/2026"], { dateFormat: "MDY" }, "2026-03-01"],
      [["03/01/2026"], { dateFormat: "DMY" }, "2026-01-03"],
    ] as const) {
      const text = toText(values);
      expect((await read(text)).problems).to.have.length(1);
      const { problems, records } = await read(text, answer);
      expect(problems).to.eql([]);
      expect(records[0]?.["value"]).to.equal(result);
    }
  });

  it("have problems that the studio words for its own controls, or as the service does", async () => {
    const fields = [
      { name: "code", type: "Number" },
      { name: "count", type: "Number" },
      { name: "due", type: "Date" },
      { name: "paid", type: "Boolean" },
    ];
    const { problems } = await read(
      "code;count;due;paid\n0042;1,234;01/02/2026;maybe\n",
      { schema: [{ id: "root", fields }] },
    );
    expect(problems.map(describeTableProblem)).to.eql([
      {
        place: "Row 2 · Column “code”",
        sentence:
          "“0042” looks like a code. Use a text field for the column, or write the number without letters and leading zeros.",
      },
      {
        place: "Row 2 · Column “count”",
        sentence: "“1,234” may be 1234 or 1.234. Choose under “Numbers”.",
      },
      {
        place: "Row 2 · Column “due”",
        sentence: "“01/02/2026” may be several dates. Choose under “Dates”.",
      },
      {
        place: "Row 2 · Column “paid”",
        sentence: "“maybe” isn't yes or no.",
      },
    ]);
    const [problem] = problems;
    if (!problem) throw new Error("There is no problem.");
    const later = Object.assign(problem, { code: "of_a_later_version" });
    expect(describeTableProblem(later)).to.eql({
      place: problem.path,
      sentence: problem.message,
    });
  });

  it("contradict themselves when they prove two orders of dates", async () => {
    const { problems } = await read(toText(["13/01/2026", "01/13/2026"]));
    expect(problems.map(({ message }) => message)).to.eql(
      ["13/01/2026", "01/13/2026"].map(
        (date) =>
          `"${date}" has day and month in another order than other values of the column. Write all in the same way.`,
      ),
    );
    const apart = await read("From\tTo\n13/01/2026\t01/13/2026\n");
    expect(apart.problems).to.eql([]);
    expect(apart.records).to.eql([{ from: "2026-01-13", to: "2026-01-13" }]);
  });

  it("say whether a first row with numbers has names or values", async () => {
    const rows = "Desk\t3\nLamp\t4\n";
    const unanswered = await read(rows);
    expect(unanswered).to.include({ headerRow: 1, isHeaderUnclear: true });
    expect(unanswered.problems).to.eql([
      {
        path: "row 1",
        code: "unclear_header",
        message:
          "Has numbers or dates, which may be names of columns or values. Choose the header row.",
        values: { row: 1 },
      },
    ]);
    const named = await read(rows, { headerRow: 1 });
    expect(named.problems).to.eql([]);
    expect(named.records).to.eql([{ desk: "Lamp", n3: 4 }]);
    const plain = await read(rows, { headerRow: 0 });
    expect(plain.problems).to.eql([]);
    expect(plain.columns.map(({ name }) => name)).to.eql(["A", "B"]);
    expect(plain.records).to.eql([
      { a: "Desk", b: 3 },
      { a: "Lamp", b: 4 },
    ]);
    const names = await read("Name\tCity\tAmount");
    expect(names).to.include({ headerRow: 0, isHeaderUnclear: true });
    expect(names.problems).to.have.length(1);
    const texts = await read("Name\tCity\tAmount", { headerRow: 0 });
    expect(texts.problems).to.eql([]);
    const single = await read("Desk\t3\n");
    expect(single).to.include({ headerRow: 0, isHeaderUnclear: false });
    expect(single.problems).to.eql([]);
    expect(single.records).to.eql([{ a: "Desk", b: 3 }]);
  });

  it("are cells of a spreadsheet, with quotation marks around those with line breaks alone", async () => {
    const { records } = await read(
      'Item\tNote\r\n12" pipe\tsay "hi"\r\n"Big" desk\tA, b; c\r\n"two\n""lines"""\t\r\n',
    );
    expect(records).to.eql([
      { item: '12" pipe', note: 'say "hi"' },
      { item: '"Big" desk', note: "A, b; c" },
      { item: 'two\n"lines"' },
    ]);
    const cut = await send('Item,Note\n"Desk,new\n');
    expect(await readError(cut)).to.include("is opened and never closed");
  });

  it("go where most of their columns fit, as the values that the fields there have", async () => {
    const lines = await read("Code\tCount\tSize\tTotal\n0042\t7\t1.5\t14\n", {
      schema: lists,
    });
    expect(lines.target).to.equal("list:lines");
    expect(lines.calculated).to.eql(["Total"]);
    expect(lines.columns.map(({ isNew }) => isNew)).to.eql([
      false,
      false,
      true,
    ]);
    expect(lines.records).to.eql([{ code: "0042", count: 7, size: 1.5 }]);
    const record = await read("Due\tCity\tTown\n31.12.2026\tBonn\tUlm\n", {
      schema: lists,
    });
    expect(record.target).to.equal("record");
    expect(record.calculated).to.eql([]);
    expect(record.problems).to.eql([]);
    expect(record.records).to.eql([
      { due: "2026-12-31", customer: { city: "Bonn" }, town: "Ulm" },
    ]);
    const list = await read("Due\tCity\n31.12.2026\tBonn\n", {
      schema: lists,
      target: "new",
    });
    expect(list.columns.map(({ path }) => path)).to.eql([["due"], ["city"]]);
  });

  it("have each column once, and values for no record", async () => {
    const twice = "Item\tPrice\tPrice\nDesk\t3\t4\n";
    const price = { name: "price", type: "Number" };
    for (const schema of [[], [{ id: "root", fields: [price] }]]) {
      const { problems } = await read(twice, { schema });
      expect(problems).to.eql([
        {
          path: 'column "Price (C)"',
          code: "repeated_column",
          message:
            'Another column is called "Price" too. Rename one of them, or delete it.',
          values: { column: "Price (C)", text: "Price" },
        },
      ]);
      expect(problems.map(describeTableProblem)).to.eql([
        {
          place: "Column “Price (C)”",
          sentence:
            "Another column is called “Price” too. Rename one of them in the header row, or delete it.",
        },
      ]);
    }
    const currencies = await read("Item\tPrice €\tPrice $\nDesk\t3\t4\n");
    expect(currencies.problems).to.eql([]);
    const nameless = await read("Item\t\t\nDesk\t3\t4\n");
    expect(nameless.problems).to.eql([]);
    const linked = await read("Due\tCustomer\n31.12.2026\tAda\n", {
      schema: lists,
    });
    expect(linked.problems.map(describeTableProblem)).to.eql([
      {
        place: "Column “Customer” · Field “customer”",
        sentence:
          "The field is a record with fields of its own: customer.city. Use one of these for the column, or leave it out.",
      },
    ]);
    const named = await read("Due\tCustomer city\n31.12.2026\tUlm\n", {
      schema: lists,
    });
    expect(named.problems).to.eql([]);
  });

  it("are JSON only if they are meant as such", async () => {
    const table = await read("[Draft]\tQty\nDesk\t3\n");
    expect(table.columns.map(({ name }) => name)).to.eql(["[Draft]", "Qty"]);
    expect((await read("{a}\tQty\nDesk\t3\n")).records).to.have.length(1);
    for (const [text, message] of [
      ['[{"a": 1},]', "not valid JSON"],
      ['{"a": 1', "not valid JSON"],
      ["[1, 2]", "not an object"],
      ['[{"a": 1, "b": 2, "a": 3}]', 'Item 1 has "a" twice'],
      ['{"a": {"b": 1, "b": 2}}', 'Line 1 has "b" twice'],
    ] as const)
      expect(await readError(await send(text))).to.include(message);
  });

  it("may be a JSON array, read as a JSON file", async () => {
    const text =
      '[{"number": "0042", "due": "31.12.2026", "unit price": 3, "a.b": "5", "tags": [{"a": 1}]}]';
    const { headerRow, columns, records, problems } = await read(text, {
      schema: lists,
    });
    expect(problems).to.eql([]);
    expect(headerRow).to.equal(null);
    expect(columns.map(({ path, isNew }) => [...path, isNew])).to.eql([
      ["number", false],
      ["due", false],
      ["unit price", false],
      ["a.b", false],
      ["tags", false],
    ]);
    expect(records).to.eql([
      {
        number: "0042",
        due: "2026-12-31",
        "unit price": 3,
        "a.b": "5",
        tags: [{ a: 1 }],
      },
    ]);
  });
});
