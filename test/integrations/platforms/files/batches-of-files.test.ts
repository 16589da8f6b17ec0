import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { acceptedBatchSchema } from "../../../../core/api/routes/batches.js";
import {
  Batch,
  Document,
  DocumentRecord,
} from "../../../../core/storage/database/index.js";
import { fetchBatch, newBatchCaller } from "../../../support/batches.js";
import { readError, reader, type TestCaller } from "../../../support/caller.js";
import { useService } from "../../../support/service.js";
import { anyDatabase } from "../../../support/store.js";
import {
  day,
  type FileForm,
  formulaError,
  makeOds,
  makeXlsx,
  odsText,
  odsValue,
  declareSize,
  postFile,
  uncalculated,
} from "../../../support/table-files.js";

const schema = [
  {
    id: "root",
    fields: [
      { name: "number", label: "Invoice no", type: "String", required: true },
      { name: "due", type: "Date" },
      { name: "total", type: "Number" },
      { name: "tax", type: "Number", format: "wholePercent" },
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
  {
    id: "line",
    fields: [
      { name: "text", type: "String" },
      { name: "price", type: "Number" },
    ],
  },
];
const definition = {
  schema,
  components: [{ type: "text", text: "{{ root.number }}" }],
};
const readAccepted = reader(acceptedBatchSchema);

anyDatabase((_open, database) => {
  describe("a batch of a file", () => {
    const service = useService({ config: { database }, role: "serve" });
    let caller: TestCaller;
    let request: { templateId: string; formats: string[] };
    before(async () => {
      caller = await newBatchCaller(service);
      const templateId = await caller.publish({ definition });
      request = { templateId, formats: ["html"] };
    });

    const send = (form: Omit<FileForm, "request">, options: object = {}) =>
      postFile(service, caller, "/api/export/batch/file", {
        ...form,
        request: { ...request, ...options },
      });

    /** The data of the documents, in the order of the file. */
    async function accept(
      form: Omit<FileForm, "request">,
      options: object = {},
    ): Promise<object[]> {
      const { batchId } = await readAccepted(await send(form, options), 202);
      const { read } = service.store;
      const documents = await read.find(Document, {
        where: { batchId },
        order: { batchIndex: "ASC" },
      });
      const records = await read.findBy(DocumentRecord, { batchId });
      return documents.map(({ id }) =>
        JSON.parse(
          records.find(({ documentId }) => documentId === id)?.data ?? "",
        ),
      );
    }

    async function refusal(
      form: Omit<FileForm, "request">,
      options: object = {},
      status = 400,
    ): Promise<string> {
      const { read } = service.store;
      const batches = await read.count(Batch);
      const response = await send(form, options);
      const error = await readError(response);
      expect(response.status, error).to.equal(status);
      expect(await read.count(Batch)).to.equal(batches);
      return error;
    }

    it("has a document for each row of a CSV file, with typed data by the names of the columns", async () => {
      const file =
        "Invoice No;due;Total;TAX;customer name;City;unused\r\n" +
        "0117;31.12.2026;1.234,50 €;19 %;Ada & Söhne;Bonn;x\r\n" +
        '0118;01.02.2027;"-7,5";;"Bob ""B"" Ltd";;\r\n';
      expect(await accept({ file })).to.deep.equal([
        {
          number: "0117",
          due: "2026-12-31",
          total: 1234.5,
          tax: 19,
          customer: { name: "Ada & Söhne", city: "Bonn" },
        },
        {
          number: "0118",
          due: "2027-02-01",
          total: -7.5,
          customer: { name: 'Bob "B" Ltd' },
        },
      ]);
    });

    it("takes the other options of a batch, such as the merged file", async () => {
      const options = { formats: ["pdf"], merge: {} };
      const { batchId } = await readAccepted(
        await send({ file: "number\n1\n" }, options),
        202,
      );
      const batch = await fetchBatch(caller, batchId);
      expect(batch.merged).to.not.equal(null);
      expect(await refusal({ file: "number\n1\n" }, { merge: {} })).to.equal(
        "The batch cannot be merged. $.merge: requires the format pdf: add it to the batch's formats.",
      );
    });

    it("stores the number of each row and chosen columns in the metadata", async () => {
      const file = "number,Customer no\n1,K7\n\n2,K8\n";
      const metadata = { customer: "customer NO" };
      const { documents } = await readAccepted(
        await send({ file }, { metadata }),
        202,
      );
      expect(
        documents.map(({ metadata: { row, customer } }) => [row, customer]),
      ).to.deep.equal([
        [2, "K7"],
        [4, "K8"],
      ]);
    });

    for (const [name, bytes] of [
      ["UTF-8 with a byte order mark", Buffer.from("\uFEFFnumber\nÄ1\n")],
      [
        "UTF-16 with a byte order mark",
        Buffer.from("\uFEFFnumber\nÄ1\n", "utf16le"),
      ],
      ["UTF-16 without one", Buffer.from("number\nÄ1\n", "utf16le")],
      [
        "big-endian UTF-16",
        Buffer.from("\uFEFFnumber\nÄ1\n", "utf16le").swap16(),
      ],
      ["Windows-1252", Buffer.from("number\nÄ1\n", "latin1")],
    ] as const)
      it(`reads ${name}`, async () => {
        expect(await accept({ file: new Uint8Array(bytes) })).to.deep.equal([
          { number: "Ä1" },
        ]);
      });

    it("reads the encoding that the request names, and refuses bytes that it does not have", async () => {
      const file = new Uint8Array(Buffer.from("number\n\xf5\n", "latin1"));
      const options = { encoding: "iso-8859-13" };
      expect(await accept({ file }, options)).to.deep.equal([{ number: "õ" }]);
      expect(await refusal({ file }, { encoding: "utf-8" })).to.equal(
        'The file is not valid UTF-8 (at line 1 or after it). Save it as UTF-8, or name its "encoding", such as "windows-1252".',
      );
      expect(await refusal({ file }, { encoding: "klingon" })).to.equal(
        'Unknown encoding "klingon". Use a name such as "utf-8", "utf-16le" or "windows-1252".',
      );
    });

    for (const [name, delimiter] of [
      ["commas", ","],
      ["semicolons", ";"],
      ["tabs", "\t"],
      ["pipes", "|"],
    ] as const)
      it(`detects ${name} as delimiters`, async () => {
        const file = [
          ["number", "city"],
          ["1", "Bonn"],
        ]
          .map((row) => row.join(delimiter))
          .join("\n");
        expect(await accept({ file })).to.deep.equal([
          { number: "1", customer: { city: "Bonn" } },
        ]);
      });

    it("reads decimal marks and dates as the other values of the column show them", async () => {
      const rows = [
        "number\ttotal\tdue",
        "1\t1,234.50\t12/31/2026",
        "2\t1,234\t01/02/2026",
      ];
      expect(await accept({ file: rows.join("\n") })).to.deep.equal([
        { number: "1", total: 1234.5, due: "2026-12-31" },
        { number: "2", total: 1234, due: "2026-01-02" },
      ]);
    });

    it("asks for the order of dates that may be two", async () => {
      const file = "number,due\n1,01/02/2026\n";
      const error = await refusal({ file });
      expect(error).to.equal(
        'The file was not accepted because it has 1 problem, and nothing was created. Fix the file and send it again. row 2, column "due": "01/02/2026" may be two dates. Set "dateFormat" to "DMY" or "MDY".',
      );
      expect(await accept({ file }, { dateFormat: "DMY" })).to.deep.equal([
        { number: "1", due: "2026-02-01" },
      ]);
    });

    it("keeps digits that a JavaScript number would round", async () => {
      const file = "number,total\n1,12345678901234567890.12\n";
      expect(await accept({ file })).to.deep.equal([
        { number: "1", total: "12345678901234567890.12" },
      ]);
    });

    it("reads the cells of a workbook by their types, below a title", async () => {
      const file = makeXlsx([
        { name: "Notes", rows: [["none"]], state: "hidden" },
        {
          name: "Invoices",
          rows: [
            ["Invoices of 2026"],
            [],
            ["Number", "Due", "Total", "Name"],
            [4711, day(46_387), 0.1 + 0.2, "Ada & Söhne"],
            ["A-1", null, 7, null],
          ],
          merged: ["A1:D1"],
        },
      ]);
      expect(await accept({ file })).to.deep.equal([
        {
          number: 4711,
          due: "2026-12-31",
          total: 0.3,
          customer: { name: "Ada & Söhne" },
        },
        { number: "A-1", total: 7 },
      ]);
    });

    it("joins the rows of a second sheet as line items", async () => {
      const file = makeXlsx([
        { name: "Invoices", rows: [["number"], ["A"], ["B"], ["C"]] },
        {
          name: "Lines",
          rows: [
            ["Invoice", "text", "price"],
            ["B", "Tea", 3],
            ["A", "Nuts", 2.5],
            ["B", "Milk", 1],
          ],
        },
      ]);
      const join = {
        sheet: "Lines",
        key: "number",
        foreignKey: "Invoice",
        as: "lines",
      };
      expect(await accept({ file }, { join })).to.deep.equal([
        { number: "A", lines: [{ text: "Nuts", price: 2.5 }] },
        {
          number: "B",
          lines: [
            { text: "Tea", price: 3 },
            { text: "Milk", price: 1 },
          ],
        },
        { number: "C", lines: [] },
      ]);
    });

    it("joins the rows of a second file, and reports those that belong to no row", async () => {
      const form = {
        file: "number\n1\n2\n",
        join: "number,text,price\n2,Tea,3\n",
      };
      const options = { join: { key: "number", as: "lines" } };
      expect(await accept(form, options)).to.deep.equal([
        { number: "1", lines: [] },
        { number: "2", lines: [{ text: "Tea", price: 3 }] },
      ]);
      const stray = { ...form, join: "number,text\n2,Tea\n9,Nuts\n" };
      expect(await refusal(stray, options)).to.equal(
        'The file was not accepted because it has 1 problem, and nothing was created. Fix the file and send it again. row 3: No row has the key "9" that this line belongs to.',
      );
    });

    it("reads a sheet of LibreOffice", async () => {
      const file = makeOds([
        {
          name: "Invoices",
          rows: [
            odsText("number") + odsText("due") + odsText("total"),
            odsText("1") +
              odsValue("date", "date-value", "2026-12-31") +
              odsValue("currency", "value", "19.5"),
          ],
        },
      ]);
      expect(await accept({ file })).to.deep.equal([
        { number: "1", due: "2026-12-31", total: 19.5 },
      ]);
    });

    it("reads JSON and JSON Lines with their nested data", async () => {
      const rows = [
        { number: "1", lines: [{ text: "Tea", price: 3 }] },
        { number: "2", total: 12_345.5 },
      ];
      const json = JSON.stringify(rows, null, 2);
      const lines = rows.map((row) => JSON.stringify(row)).join("\n");
      for (const file of [json, lines])
        expect(await accept({ file })).to.deep.equal(rows);
    });

    it("maps columns to fields by their paths", async () => {
      const file = "Kd,Ort,number\n1,Bonn,x\n";
      const mapping = { Kd: "number", Ort: "customer.city" };
      expect(await accept({ file }, { mapping })).to.deep.equal([
        { number: "1", customer: { city: "Bonn" } },
      ]);
      const wrong = { ...mapping, Ort: "customer.cty" };
      expect(await refusal({ file }, { mapping: wrong })).to.equal(
        'mapping: the template has no field "customer.cty" for values of a column. Did you mean "customer.city"?',
      );
      const absent = { ...mapping, Land: "customer.name" };
      expect(await refusal({ file }, { mapping: absent })).to.equal(
        'mapping: the table has no column "Land". Columns: "Kd", "Ort", "number".',
      );
    });

    it("gives repeated and missing headers the letters of their columns", async () => {
      const file = "number,name,name,\n1,a,b,c\n";
      const mapping = {
        number: "number",
        "name (C)": "customer.name",
        D: "customer.city",
      };
      expect(await accept({ file }, { mapping })).to.deep.equal([
        { number: "1", customer: { name: "b", city: "c" } },
      ]);
    });

    it("prefers the column whose name is exactly that of the field", async () => {
      const file = "NUMBER,Total €,number,total\n1,2,3,4\n";
      expect(await accept({ file })).to.deep.equal([{ number: "3", total: 4 }]);
    });

    it("takes a header of which half of the columns have no name", async () => {
      const file = "number,,total,\n1,a,2,b\n3,c,4,d\n";
      expect(await accept({ file })).to.deep.equal([
        { number: "1", total: 2 },
        { number: "3", total: 4 },
      ]);
    });

    it("reports the problems of all rows by row and column, and accepts nothing", async () => {
      const file = "number;total;due\n1;x;\n;2;\n3;4;2026-02-30\n";
      const error = await refusal({ file });
      expect(error).to.equal(
        "The file was not accepted because it has 3 problems, and nothing was created. Fix the file and send it again. " +
          'row 2, column "total": "x" is not a number with "," as its decimal mark; ' +
          'row 3, column "number": Is empty, but the field is required; ' +
          'row 4, column "due": "2026-02-30" is not a date. Write it as 2026-12-31, or as 31.12.2026.',
      );
    });

    it("names the row and the line of a broken quote in row 70,001", async () => {
      const rows = Array.from({ length: 75_000 }, (_, at) =>
        at === 69_999 ? `${at},"broken` : `${at},"name ${at}"`,
      );
      const file = `number,name\n${rows.join("\n")}\n`;
      expect(await refusal({ file })).to.equal(
        'Row 70001 (line 70001) has a quotation mark in the middle of a quoted value, or one that was not closed. Put the whole value in quotation marks, and write those inside it twice: "12"" pipe".',
      );
    });

    for (const [name, file, message] of [
      ["an empty file", "", "The file is empty: there is no row with values."],
      [
        "blank rows alone",
        "\n\n;;\n",
        "The file is empty: there is no row with values.",
      ],
      [
        "a header alone",
        "number,total\n",
        'There is no row below the header in row 1. Add the rows, or give another "headerRow".',
      ],
      [
        "a quote in a plain value",
        'number\n12" pipe\n',
        'Row 2 (line 2) has a quotation mark in a value without quotation marks around it. Put the whole value in quotation marks, and write those inside it twice: "12"" pipe".',
      ],
      [
        "a value too many",
        "number,total\n1,2,3\n",
        "The file was not accepted because it has 1 problem, and nothing was created. Fix the file and send it again. row 2: Has 3 values, but the header names 2 columns. Put quotation marks around values that contain the delimiter.",
      ],
      [
        "16,000 columns",
        `number${",x".repeat(16_000)}\n1\n`,
        "The table has more than 1000 columns. Delete those that no document needs.",
      ],
      [
        "columns without fields",
        "a,b\n1,2\n",
        'No column of the table has the name of a field of the template. Columns: "a", "b". Fields: "number", "due", "total", "tax", "customer.name", "customer.city". Say which is which in "mapping", or give the "headerRow".',
      ],
      [
        "bytes that are no text",
        "%PDF-1.7\n\0\u0001\0\u0002",
        "The file is neither text nor a workbook. Send CSV, XLSX, ODS, JSON or JSON Lines.",
      ],
      [
        "a page of HTML, which some programs save as .xls",
        "<html><table><tr><td>number</td></tr></table></html>",
        "The file is HTML or XML, as some programs save it with the ending .xls. Open it in a spreadsheet program and save it as XLSX or CSV.",
      ],
      [
        "JSON that is no list",
        '{"number": 1',
        "Line 1 is not valid JSON. Each line must be one object.",
      ],
      [
        "JSON that breaks off",
        '[{"number": "1"}, {"number"',
        "The file is not valid JSON, in item 2.",
      ],
      [
        "JSON of texts",
        '["a"]',
        "Item 1 is not an object. The file must contain objects, one for each document.",
      ],
      [
        "a ZIP that is no workbook",
        makeOds([]).slice(0, 200),
        "The workbook is damaged: it cannot be unpacked and read to its end. Open it in your spreadsheet program and save it again as .xlsx or .ods.",
      ],
      [
        "a formula error",
        makeXlsx([
          {
            name: "A",
            rows: [
              ["number", "total"],
              ["1", formulaError("#DIV/0!")],
            ],
          },
        ]),
        'The file was not accepted because it has 1 problem, and nothing was created. Fix the file and send it again. row 2, column "total": Contains the formula error #DIV/0!.',
      ],
      [
        "a formula that was never calculated",
        makeXlsx([
          {
            name: "A",
            rows: [
              ["number", "total"],
              ["1", uncalculated],
            ],
          },
        ]),
        'The file was not accepted because it has 1 problem, and nothing was created. Fix the file and send it again. row 2, column "total": Contains a formula that was never calculated. Open the workbook in your spreadsheet program and save it.',
      ],
      [
        "merged cells",
        makeXlsx([
          {
            name: "A",
            rows: [
              ["number", "total"],
              ["1", 2],
              [null, 3],
            ],
            merged: ["A2:A3"],
          },
        ]),
        'The file was not accepted because it has 2 problems, and nothing was created. Fix the file and send it again. row 2, column "number": The cells A2:A3 are merged. Unmerge them, and fill in each one; row 3, column "number": Is empty, but the field is required.',
      ],
      [
        "a number as a date",
        makeXlsx([
          {
            name: "A",
            rows: [
              ["number", "due"],
              ["1", 46_387],
            ],
          },
        ]),
        'The file was not accepted because it has 1 problem, and nothing was created. Fix the file and send it again. row 2, column "due": "46387" is not a date. Format the column as a date.',
      ],
      [
        "an old workbook",
        Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
        "Workbooks in the old Excel format (.xls) cannot be read. Save it as .xlsx.",
      ],
      [
        "an encrypted workbook",
        new Uint8Array([
          0xd0,
          0xcf,
          0x11,
          0xe0,
          ...Buffer.from("EncryptedPackage", "utf16le"),
        ]),
        "The workbook is encrypted. Remove its password in your spreadsheet program, save it, and send it again.",
      ],
      [
        "an encrypted sheet of LibreOffice",
        makeOds([], "<manifest:encryption-data/>"),
        "The workbook is encrypted. Remove its password in your spreadsheet program, save it, and send it again.",
      ],
    ] as const)
      it(`refuses ${name} and says why`, async () => {
        const status = name === "16,000 columns" ? 413 : 400;
        expect(await refusal({ file }, {}, status)).to.equal(message);
      });

    it("refuses a workbook that unpacks to too much, or to more than it declares", async () => {
      const rows = [["number"], ["1"]];
      const sheet = new Uint8Array(8 * 1024 ** 2).fill(32);
      const zip = makeXlsx([{ name: "A", rows }], { "xl/big.xml": sheet });
      const declares = (size: number) => declareSize(zip, sheet.length, size);
      expect(
        await refusal({ file: declares(600 * 1024 ** 2) }, {}, 413),
      ).to.equal(
        "The workbook unpacks to more than 512 MB. Split it, or save the sheet as CSV.",
      );
      const file = makeXlsx([{ name: "A", rows }], {
        "xl/sharedStrings.xml": sheet,
      });
      const lying = declareSize(file, sheet.length, 1000);
      expect(await refusal({ file: lying })).to.equal(
        "The workbook is damaged: it cannot be unpacked and read to its end. Open it in your spreadsheet program and save it again as .xlsx or .ods.",
      );
    });

    it("names the sheets when the one that is asked for is absent", async () => {
      const rows = [["number"], ["1"]];
      const file = makeXlsx([
        { name: "Invoices", rows },
        { name: "Other", rows },
      ]);
      expect(await refusal({ file }, { sheet: "Orders" })).to.equal(
        'The workbook has no sheet "Orders". Its sheets: "Invoices", "Other".',
      );
    });

    it("does not expand the entities of a workbook", async () => {
      const entity =
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]><sst><si><t>&a;</t></si></sst>';
      const file = makeXlsx([{ name: "A", rows: [["number"]] }], {
        "xl/sharedStrings.xml": Buffer.from(entity),
      });
      expect(await refusal({ file })).to.equal(
        "The workbook is damaged: it cannot be unpacked and read to its end. Open it in your spreadsheet program and save it again as .xlsx or .ods.",
      );
    });

    it("is created once for each idempotency key", async () => {
      const headers = { "idempotency-key": randomUUID() };
      const form = { file: "number\n1\n", headers };
      const first = await readAccepted(await send(form), 202);
      const again = await readAccepted(await send(form), 202);
      expect(again).to.deep.equal(first);
      const other = await send({ ...form, file: "number\n2\n" });
      expect(other.status).to.equal(409);
    });

    it("refuses a body that is not such a form", async () => {
      const path = "/api/export/batch/file";
      const json = await caller.post(path, request);
      expect(await readError(json)).to.equal(
        "The body must be a form with a file. Send it as curl -F file=@orders.csv -F 'request={ … }' does.",
      );
      const form = new FormData();
      form.set("request", JSON.stringify(request));
      const headers = { "x-api-key": caller.key };
      const without = await fetch(service.url + path, {
        method: "POST",
        headers,
        body: form,
      });
      expect(await readError(without)).to.equal(
        "The form has no file. Send it as curl -F file=@orders.csv -F 'request={ … }' does.",
      );
      expect(await refusal({ file: "number\n1\n" }, { colour: 1 })).to.equal(
        "Invalid request body. $.colour: unknown field. Known: templateId, templateVersion, formats, imageType, locale, renderOptions, strict, unknownFields, merge, expiresAt, sendForSignature, esignConnection, deliver, sheet, headerRow, mapping, delimiter, encoding, decimal, dateFormat, join, metadata.",
      );
    });
  });
});
