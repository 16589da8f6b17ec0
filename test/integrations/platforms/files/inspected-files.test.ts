import { expect } from "chai";
import { unzipSync, strFromU8 } from "fflate";
import { before, describe, it } from "mocha";
import { acceptedBatchSchema } from "../../../../core/api/routes/batches.js";
import { fileInspectionSchema } from "../../../../core/api/routes/file-batches.js";
import {
  batchWhen,
  newBatchCaller,
  retryBatch,
} from "../../../support/batches.js";
import { readError, reader, type TestCaller } from "../../../support/caller.js";
import { useService } from "../../../support/service.js";
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
