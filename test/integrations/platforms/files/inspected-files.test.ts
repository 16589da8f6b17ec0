import { expect } from "chai";
import { unzipSync, strFromU8 } from "fflate";
import { before, describe, it } from "mocha";
import { acceptedBatchSchema } from "../../../../core/api/routes/batches.js";
import { fileInspectionSchema } from "../../../../core/api/routes/file-batches.js";
import type { TableProblem } from "../../../../core/integrations/platforms/views.js";
import {
  batchWhen,
  newBatchCaller,
  retryBatch,
} from "../../../support/batches.js";
import { readError, reader, type TestCaller } from "../../../support/caller.js";
import { useService } from "../../../support/service.js";
import {
  describeFileFault,
  describeTableProblem,
} from "../../../../studio/src/ui/table-problems.js";
import { day, makeXlsx, postFile } from "../../../support/table-files.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "number", type: "String", required: true },
        { name: "due", type: "Date" },
        { name: "total", type: "Number" },
      ],
    },
  ],
  components: [{ type: "text", text: "{{ root.number }} {{ root.total }}" }],
};
const readAccepted = reader(acceptedBatchSchema);
const readInspection = reader(fileInspectionSchema);

const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));

describe("a file", () => {
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

  it("gives no values to computed fields", async () => {
    const [root] = definition.schema;
    const schema = [
      {
        ...root,
        fields: [
          ...(root?.fields ?? []),
          { name: "tax", type: "Number", computed: "total * 0.19" },
        ],
      },
    ];
    const computing = await caller.publish({
      definition: { ...definition, schema },
    });
    const { mapping, first } = await inspect("Number,Total,Tax\n1,100,7\n", {
      templateId: computing,
    });
    expect(mapping).to.eql({ Number: "number", Total: "total", Tax: null });
    expect(first).to.eql({ number: "1", total: 100 });
  });

  const problemsOf = async (file: string, options = {}) =>
    (await inspect(file, options)).problems.map(
      ({ path, message }) => `${path}: ${message}`,
    );

  it("is asked for a column whose numbers have different units", async () => {
    for (const [rows, fault] of [
      [["19 %", "7"], '"7" is not a percentage, unlike other values'],
      [["7", "19 %"], '"19 %" is a percentage, unlike other values'],
      [["12.50 USD", "3 CHF"], '"3 CHF" is in another currency than'],
      [["€ 5", "$ 5"], '"$ 5" is in another currency than'],
    ] as const)
      expect(
        (await problemsOf(`number;total\nA;${rows.join("\nB;")}\n`)).join(),
      ).to.include(`row 3, column "total": ${fault}`);
    for (const rows of [
      ["19 %", "0", "7%"],
      ["12.50 USD", "3", "US$ 4"],
      ["5 €", "7 EUR", "0 CHF"],
    ])
      expect(await problemsOf(`number;total\nA;${rows.join("\nB;")}\n`)).to.eql(
        [],
      );
  });

  it("is asked which of two columns or fields is meant", async () => {
    expect(await problemsOf("number;total;Total\nA;1;2\n")).to.eql([
      'column "Total": The column fits the field "total", which another column fits as well.',
    ]);
    expect(await problemsOf("number;total;total \nA;1;2\n")).to.eql([
      'column "total (C)": The column fits the field "total", which another column fits as well.',
    ]);
    expect(await problemsOf("number;total;total\nA;1;\n")).to.eql([]);
    const unclear = await postFile(
      service,
      caller,
      "/api/export/batch/file/inspect",
      {
        file: "number;total;Total\nA;1;2\n",
        request: { templateId, mapping: { number: "number", TOTAL: "total" } },
      },
    );
    expect(await readError(unclear)).to.equal(
      'mapping: "TOTAL" may be each of the columns "total", "Total". Write its name as the table does.',
    );
    const person = { fields: [{ name: "name", type: "String" }] };
    const people = await caller.publish({
      definition: {
        components: [],
        schema: [
          {
            id: "root",
            fields: [
              { name: "number", type: "String" },
              { name: "customer", type: "OneToOneLink", target: "customer" },
              { name: "supplier", type: "OneToOneLink", target: "supplier" },
            ],
          },
          { id: "customer", ...person },
          { id: "supplier", ...person },
        ],
      },
    });
    const file = "number;Name\nA;Ann\n";
    const options = { templateId: people };
    expect(await problemsOf(file, options)).to.eql([
      'column "Name": The column fits the fields "customer.name", "supplier.name", of which it may be any.',
    ]);
    const mapping = { number: "number", Name: "supplier.name" };
    expect(await problemsOf(file, { ...options, mapping })).to.eql([]);
  });

  it("is asked once for the field of a column that is called as a record or a list is", async () => {
    const linked = await caller.publish({
      definition: {
        components: [],
        schema: [
          {
            id: "root",
            fields: [
              { name: "number", type: "String" },
              { name: "customer", type: "OneToOneLink", target: "customer" },
              { name: "lines", type: "OneToManyLink", target: "line" },
            ],
          },
          {
            id: "customer",
            fields: [
              { name: "name", type: "String" },
              { name: "city", type: "String" },
            ],
          },
          { id: "line", fields: [{ name: "item", type: "String" }] },
        ],
      },
    });
    const options = { templateId: linked };
    const rows = [
      ["Number", "Customer", "Lines"],
      ["A", "Ada", 3],
      ["B", "Bob", 4],
    ];
    const csv = rows.map((cells) => `${cells.join(";")}\n`).join("");
    for (const file of [csv, makeXlsx([{ name: "Sheet", rows }])]) {
      const { problems } = await inspect(file, options);
      expect(problems).to.eql([
        {
          path: 'column "Customer"',
          code: "linked_field",
          message:
            'The field "customer" is a record, and the column has values.',
          hint: 'Map the column to a field of the record in "mapping": "customer.name", "customer.city".',
          values: {
            column: "Customer",
            field: "customer",
            fields: ["customer.name", "customer.city"],
          },
        },
        {
          path: 'column "Lines"',
          code: "linked_field",
          message:
            'The field "lines" is a list of records, and the column has values.',
          hint: 'Map the column to another field or to null in "mapping". The rows of the list are those of "group", or another table in "join".',
          values: { column: "Lines", field: "lines", fields: [] },
        },
      ]);
      const sent: TableProblem[] = JSON.parse(JSON.stringify(problems));
      expect(sent.map(describeTableProblem)).to.eql([
        {
          place: "Column “Customer” · Field “customer”",
          sentence:
            "The field is a record with fields of its own: customer.name and customer.city. Use one of these for the column, or leave it out.",
        },
        {
          place: "Column “Lines” · Field “lines”",
          sentence:
            "The field is a list of records, which a column can't have. Use another field for the column, or leave it out. The rows of a list can be on a sheet of their own, with a column that says which document they belong to.",
        },
      ]);
    }
    const mapping = { Number: "number", Customer: "customer.name" };
    const first = { number: "A", customer: { name: "Ada" } };
    expect(await inspect(csv, { ...options, mapping })).to.deep.include({
      problems: [],
      first,
    });
    const again = { ...options, mapping: { Customer: "customer" } };
    expect(await problemsOf(csv, again)).to.have.length(1);
    const records = [{ ...first, lines: [{ item: "Pen" }] }];
    expect(await problemsOf(JSON.stringify(records), options)).to.eql([]);
    expect(await problemsOf("Number;Customer\nA;\n", options)).to.eql([]);
  });

  it("that cannot be read has a code, with which the studio says it in its own words", async () => {
    const wide = Array.from({ length: 1001 }, (_, at) => at).join(",");
    const cases: [
      file: string | Uint8Array<ArrayBuffer>,
      problem: object,
      sentence: string,
      options?: object,
    ][] = [
      [
        "\n;;\n",
        { code: "empty_file", values: {} },
        "There is no row with values.",
      ],
      [
        "number,total\n",
        { code: "no_rows", values: { row: 1 } },
        "Row 1 – There is no row below the header. Add the rows, or choose under “Header row”.",
      ],
      [
        "number\n1\n",
        { code: "empty_header", values: { row: 9 } },
        "Row 9 – The row is empty. Choose the row with the names of the columns under “Header row”.",
        { headerRow: 9 },
      ],
      [
        "%PDF-1.7\n\u0000\u0001\u0000\u0002",
        { code: "unknown_format", values: {} },
        "This is neither a text nor a workbook. Save the table as XLSX or CSV.",
      ],
      [
        fromHex("d0cf11e0a1b11ae1"),
        { code: "old_workbook", values: {} },
        "The workbook has the old Excel format (.xls). Save it as .xlsx.",
      ],
      [
        fromHex(
          "d0cf11e045006e0063007200790070007400650064005000610063006b00610067006500",
        ),
        { code: "encrypted", values: {} },
        "The workbook is protected by a password. Remove it in your spreadsheet program, and save the workbook.",
      ],
      [
        makeXlsx([{ name: "A", rows: [["number"], [1]] }]).slice(0, 200),
        { code: "damaged", values: {} },
        "The workbook is damaged. Open it in your spreadsheet program, and save it again as .xlsx or .ods.",
      ],
      [
        // Doğan in windows-1254.
        fromHex("6e756d6265722c6e616d650a302c446ff0616e0a"),
        {
          code: "ambiguous_encoding",
          values: {
            text: "Doğan",
            encoding: "windows-1254",
            other: "Doðan",
            otherEncoding: "windows-1252",
          },
        },
        "A value may be “Doğan” (windows-1254) or “Doðan” (windows-1252). Choose under “Encoding”, or save the file as UTF-8.",
      ],
      [
        fromHex("6e756d6265720a4d816c6c65720a"),
        { code: "wrong_encoding", values: { encoding: "windows-1252" } },
        "The file isn't written in WINDOWS-1252. Choose another under “Encoding”, or save the file as UTF-8.",
        { encoding: "windows-1252" },
      ],
      [
        'number\n12" pipe\n',
        { code: "stray_quote", values: { row: 2, line: 2 } },
        "Row 2 · Line 2 – A quotation mark is inside a value, or wasn't closed. Put the whole value in quotation marks, and write those inside it twice.",
      ],
      [
        '[{"number": 1},]',
        { code: "invalid_json", values: { item: 2 } },
        "Item 2 – This isn't valid JSON.",
      ],
      [
        '{"number": {"b": 1, "b": 2}}',
        { code: "repeated_name", values: { line: 1, text: "b" } },
        "Line 1 – The name “b” is there twice. Remove or rename one of them.",
      ],
      [
        `${wide}\n${wide}\n`,
        { code: "too_many_columns", values: { count: 1000 } },
        "The table has more than 1,000 columns. Delete those that no document needs.",
      ],
    ];
    for (const [file, problem, sentence, options = {}] of cases) {
      const response = await postFile(
        service,
        caller,
        "/api/export/batch/file/inspect",
        { file, request: { templateId, ...options } },
      );
      const { status, headers } = response;
      expect(await response.json()).to.have.all.keys("error");
      const encoded = headers.get("x-platen-problem") ?? "null";
      const refusal: Parameters<typeof describeFileFault>[0] = {
        status,
        message: "",
        problem: JSON.parse(decodeURIComponent(encoded)),
      };
      expect(refusal.problem).to.eql(problem);
      expect(describeFileFault(refusal)).to.equal(sentence);
    }
    // The request is wrong, not the file; one that is over the limit of all bodies has no code.
    const message = 'A CSV file has no sheets. Leave "sheet" out.';
    for (const [status, sentence] of [
      [400, message],
      [413, "The file is too large. Split it, or save the sheet as CSV."],
    ] as const)
      expect(describeFileFault({ status, message, problem: null })).to.equal(
        sentence,
      );
  });

  it("is asked for the fields of its columns where none has the name of one, and may have no header", async () => {
    const file = "A-1;7\nA-2;8\n";
    for (const [headerRow, names] of [
      [undefined, '"A-1", "7"'],
      [0, '"A", "B"'],
    ] as const) {
      const { problems, first } = await inspect(file, { headerRow });
      expect(first).to.equal(null);
      expect(problems).to.eql([
        {
          path: "columns",
          code: "no_column",
          message: `No column has the name of a field of the template. Columns: ${names}. Fields: "number", "due", "total".`,
          hint: 'Say which is which in "mapping", or give the "headerRow".',
          values: {},
        },
      ]);
    }
    const request = {
      templateId,
      headerRow: 0,
      mapping: { A: "number", B: "total" },
    };
    expect(await inspect(file, request)).to.deep.include({
      headerRow: null,
      documentCount: 2,
      first: { number: "A-1", total: 7 },
      problems: [],
    });
    expect(await inspect("A-1;7\n", request)).to.include({ documentCount: 1 });
    const accepted = await postFile(service, caller, "/api/export/batch/file", {
      file,
      request: { ...request, formats: ["html"] },
    });
    const { totalCount, documents } = await readAccepted(accepted, 202);
    expect(totalCount).to.equal(2);
    expect(documents.map(({ metadata }) => metadata?.["row"])).to.eql([1, 2]);
  });

  it("is asked for the order of dates that may begin with a year of two digits", async () => {
    const file = "number;due\nA;26-02-01\nB;25-12-24\n";
    expect(await problemsOf(file)).to.eql([
      'row 2, column "due": "26-02-01" may be two dates. Set "dateFormat" to "YMD" or "DMY".',
      'row 3, column "due": "25-12-24" may be two dates. Set "dateFormat" to "YMD" or "DMY".',
    ]);
    for (const [dateFormat, due] of [
      ["YMD", "2026-02-01"],
      ["DMY", "2001-02-26"],
    ])
      expect((await inspect(file, { dateFormat })).first).to.eql({
        number: "A",
        due,
      });
    expect((await inspect("number;due\nA;99-12-31\n")).first).to.eql({
      number: "A",
      due: "1999-12-31",
    });
  });

  it("has formula errors in the language of its program", async () => {
    for (const error of ["#BEZUG!", "#NV", "#¿NOMBRE?", "#ДЕЛ/0!", "#N/D"])
      expect(await problemsOf(`number;total\n${error};1\n`)).to.eql([
        `row 2, column "number": Contains the formula error ${error}.`,
      ]);
    expect(await problemsOf("number;total\n#12;1\n#a!;2\n")).to.eql([]);
  });

  it("shows the decimal mark and the order of dates by the fields of that type alone", async () => {
    expect(await problemsOf("number;total;Version\nA;1,085;2.5\n")).to.eql([
      'row 2, column "total": "1,085" may be two numbers: 1085 or 1.085. Set "decimal" to "." or ",".',
    ]);
    expect(
      await problemsOf("number;due;Note\nA;01/02/2026;31/12/2026\n"),
    ).to.eql([
      'row 2, column "due": "01/02/2026" may be two dates. Set "dateFormat" to "DMY" or "MDY".',
    ]);
    expect(
      (await problemsOf("number;total\nA;5.\nB;1,085\n")).join(),
    ).to.include('"1,085" may be two numbers');
  });

  it("lists at most 1,000 problems", async () => {
    // More rows than are read at once.
    const rows = Array.from({ length: 30_000 }, (_, at) => `${at},x`);
    const { problems } = await inspect(`number,total\n${rows.join("\n")}`);
    expect(problems).to.have.length(1000);
  });

  it("comes back as a workbook with the state of each document and links to its files", async () => {
    const file = makeXlsx([
      {
        name: "Invoices",
        rows: [
          ["number", "due", "total", "Note"],
          ["=1+1", day(46_387), 7.5, "<b> & ünïcode"],
          ["0042", null, null, true],
        ],
      },
    ]);
    const { batchId } = await readAccepted(
      await postFile(service, caller, "/api/export/batch/file", {
        file,
        request: { templateId, formats: ["html"] },
      }),
      202,
    );
    const { documents } = await batchWhen(caller, batchId);
    const [url = "", other = ""] = documents.map(
      ({ outputs }) => outputs[0]?.url ?? "",
    );
    const response = await caller.get(`/api/batches/${batchId}/table`);
    expect(response.headers.get("content-type")).to.contain("spreadsheetml");
    expect(response.headers.get("content-disposition")).to.contain(
      `${batchId}.xlsx`,
    );
    const bytes = new Uint8Array(await response.arrayBuffer());
    const files = unzipSync(bytes);
    const sheet = strFromU8(
      files["xl/worksheets/sheet1.xml"] ?? new Uint8Array(),
    );
    expect(sheet).to.not.contain("<f>");
    expect(sheet).to.contain('<c r="B2" s="1"><v>46387</v></c>');
    const links = strFromU8(
      files["xl/worksheets/_rels/sheet1.xml.rels"] ?? new Uint8Array(),
    );
    expect(links).to.contain(url.replaceAll("&", "&amp;"));
    // What it writes, it reads.
    const again = await inspect(bytes);
    expect(again.sheet).to.equal("Invoices");
    expect(
      again.columns.map(({ name, values }) => [name, ...values]),
    ).to.deep.equal([
      ["number", "=1+1", "0042"],
      ["due", "2026-12-31"],
      ["total", 7.5],
      ["Note", "<b> & ünïcode", true],
      ["Status", "succeeded", "succeeded"],
      ["Link", url.slice(0, 200), other.slice(0, 200)],
      ["Error"],
    ]);
  });

  it("makes the same documents as the workbook that it was saved from: TRUE and FALSE are booleans", async () => {
    const flags = await caller.publish({
      definition: {
        schema: [
          {
            id: "root",
            fields: [
              { name: "number", type: "String" },
              { name: "paid", type: "String" },
            ],
          },
        ],
        components: [
          {
            type: "markup",
            html: '<p>{{ root.number }} <b data-if="root.paid">PAID</b><b data-else>DUE</b></p>',
          },
        ],
      },
    });
    const rows = [
      ["Number", "Paid"],
      ["1", false],
      ["2", true],
    ];
    const printed = await Promise.all(
      [
        "Number;Paid\n1;FALSE\n2;TRUE\n",
        "Number;Paid\n1;FALSCH\n2;WAHR\n",
        makeXlsx([{ name: "Sheet", rows }]),
      ].map(async (file) => {
        const request = { templateId: flags, formats: ["html"] };
        const { batchId } = await readAccepted(
          await postFile(service, caller, "/api/export/batch/file", {
            file,
            request,
          }),
          202,
        );
        const { documents } = await batchWhen(caller, batchId);
        const texts = documents.map(async ({ outputs }) => {
          const page = await fetch(outputs[0]?.url ?? "");
          return /<p>(.*?)<\/p>/s.exec(await page.text())?.[1];
        });
        return Promise.all(texts);
      }),
    );
    const expected = ["1 <b>DUE</b>", "2 <b>PAID</b>"];
    expect(printed).to.eql([expected, expected, expected]);
  });

  it("keeps its rows in the batch that retries failed documents", async () => {
    const strict = {
      schema: definition.schema,
      components: [{ type: "image", src: "https://localhost:1/none.png" }],
    };
    const id = await caller.publish({ definition: strict });
    const { batchId } = await readAccepted(
      await postFile(service, caller, "/api/export/batch/file", {
        file: "number,Note\n1,a\n",
        request: { templateId: id, formats: ["html"], strict: true },
      }),
      202,
    );
    await batchWhen(caller, batchId);
    const retry = await retryBatch(caller, batchId);
    await batchWhen(caller, retry.batchId);
    const response = await caller.get(`/api/batches/${retry.batchId}/table`);
    const { columns } = await inspect(
      new Uint8Array(await response.arrayBuffer()),
    );
    expect(
      columns.slice(0, 3).map(({ name, values }) => [name, ...values]),
    ).to.deep.equal([
      ["number", "1"],
      ["Note", "a"],
      ["Status", "failed"],
    ]);
  });

  it("is no table of another batch", async () => {
    const { batchId } = await readAccepted(
      await caller.post("/api/export/batch", {
        templateId,
        formats: ["html"],
        items: [{ data: { number: "1" } }],
      }),
      202,
    );
    const response = await caller.get(`/api/batches/${batchId}/table`);
    expect(response.status).to.equal(409);
    expect(await readError(response)).to.equal(
      "This batch was not made from a file, so there is no table to add links to.",
    );
  });

  it("has a platform of its own, which has no connections", async () => {
    const platform = await caller.get("/api/platforms/file");
    expect(await platform.json()).to.deep.include({
      state: "ready",
      isShipped: true,
      title: "Spreadsheet file",
    });
    const response = await caller.post("/api/connections", {
      platform: "file",
      name: "Files",
      credentials: {},
    });
    expect(response.status).to.equal(400);
    expect(await readError(response)).to.equal(
      "$.platform: files need no connection. Send them to POST /api/export/batch/file.",
    );
  });
});
