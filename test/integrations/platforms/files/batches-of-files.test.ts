import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { acceptedBatchSchema } from "../../../../core/api/routes/batches.js";
import { fileInspectionSchema } from "../../../../core/api/routes/file-batches.js";
import {
  Batch,
  Document,
  DocumentRecord,
} from "../../../../core/storage/database/index.js";
import { fetchBatch, newBatchCaller } from "../../../support/batches.js";
import { readError, reader, type TestCaller } from "../../../support/caller.js";
import { useService } from "../../../support/service.js";
import { useRecorded } from "../../../support/recorded.js";
import {
  day,
  type CellXml,
  type FileForm,
  formulaError,
  makeOds,
  makeXlsx,
  odsText,
  odsValue,
  declareSize,
  encodeText,
  postFile,
  uncalculated,
  type XlsxSheet,
} from "../../../support/table-files.js";

const schema = [
  {
    id: "root",
    fields: [
      { name: "number", label: "Invoice no", type: "String", required: true },
      { name: "due", type: "Date" },
      { name: "total", type: "Number" },
      { name: "tax", type: "Number", format: "wholePercent" },
      { name: "sent", type: "Boolean" },
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
const readInspection = reader(fileInspectionSchema);
const readAccepted = reader(acceptedBatchSchema);

type Cell = string | number | boolean | null | Record<string, string | number>;

/** What a line of recorded.txt sends: one of `text`, `xlsx`, `ods` and `hex`. */
interface Sent {
  text?: string;
  /** The encoding of the text. */
  as?: string;
  xlsx?: (Omit<XlsxSheet, "rows"> & { rows: Cell[][] })[];
  ods?: { name: string; rows: Cell[][] }[];
  manifest?: string;
  uses1904?: boolean;
  /** The bytes that are left of it. */
  cut?: number;
  hex?: string;
  join?: string;
  options?: object;
}

function toXlsxCell(cell: Cell): CellXml {
  if (cell === null || typeof cell !== "object") return cell;
  if ("xml" in cell) return { xml: String(cell["xml"]) };
  if ("day" in cell) return day(Number(cell["day"]));
  const { format, value } = cell;
  if (format !== undefined && value !== undefined) return { format, value };
  return "error" in cell ? formulaError(String(cell["error"])) : uncalculated;
}

function toOdsCell(cell: Cell): string {
  const { text, ...typed } = Object(cell);
  const [[type, value] = ["", ""]] = Object.entries(typed);
  if (typeof cell === "string") return odsText(cell);
  const attribute = type === "date" ? "date-value" : "value";
  return odsValue(type, attribute, String(value), text);
}

function createFile(sent: Sent): Uint8Array<ArrayBuffer> {
  const { text = "", as = "utf8", xlsx, ods, manifest, cut, hex } = sent;
  if (xlsx)
    return makeXlsx(
      xlsx.map(({ rows, ...sheet }) => ({
        ...sheet,
        rows: rows.map((row) => row.map(toXlsxCell)),
      })),
      {},
      sent.uses1904,
    );
  if (ods)
    return makeOds(
      ods.map(({ name, rows }) => ({
        name,
        rows: rows.map((row) => row.map(toOdsCell).join("")),
      })),
      manifest,
    ).slice(0, cut);
  if (hex !== undefined) return new Uint8Array(Buffer.from(hex, "hex"));
  if (!Buffer.isEncoding(as) && as !== "utf16be")
    return new Uint8Array(encodeText(text, as));
  const bytes = Buffer.from(text, as === "utf16be" ? "utf16le" : as);
  return new Uint8Array(as === "utf16be" ? bytes.swap16() : bytes);
}

describe("a batch of a file", () => {
  const service = useService({ role: "serve" });
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

  /** The data of the documents, in the order of the file, each after its metadata. */
  async function listDocuments(batchId: string): Promise<string[]> {
    const { read } = service.store;
    const documents = await read.find(Document, {
      where: { batchId },
      order: { batchIndex: "ASC" },
    });
    const records = await read.findBy(DocumentRecord, { batchId });
    return documents.map(({ id, metadata }) => {
      const {
        batchId: _batch,
        batchIndex: _index,
        totalCount: _count,
        ...known
      } = { batchId, batchIndex: 0, totalCount: 0, ...metadata };
      const record = records.find(({ documentId }) => documentId === id);
      return `${JSON.stringify(known)} ${record?.data}`;
    });
  }

  async function inspect(
    form: Omit<FileForm, "request">,
    options: object,
  ): Promise<string[]> {
    const inspected = await postFile(
      service,
      caller,
      "/api/export/batch/file/inspect",
      { ...form, request: { templateId: request.templateId, ...options } },
    );
    if (!inspected.ok) return [await readError(inspected)];
    const { fields, columns, ...found } = await readInspection(inspected);
    expect(fields.map(({ path }) => path)).to.deep.equal([
      "number",
      "due",
      "total",
      "tax",
      "sent",
      "customer.name",
      "customer.city",
    ]);
    return [
      ...columns.map(
        ({ name, type, values }) =>
          `${name}: ${type} ${JSON.stringify(values)}`,
      ),
      JSON.stringify(found),
    ];
  }

  useRecorded(
    new URL("recorded.txt", import.meta.url),
    async (input, title) => {
      const { join, options = {}, ...sent }: Sent = JSON.parse(input);
      const form = {
        file: createFile(sent),
        ...(join !== undefined && { join }),
      };
      // The same reader serves both requests.
      const lines = title.endsWith(", inspected")
        ? await inspect(form, options)
        : [];
      const batches = await service.store.read.count(Batch);
      const response = await send(form, options);
      if (response.ok) {
        const { batchId } = await readAccepted(response, 202);
        return [...lines, ...(await listDocuments(batchId))];
      }
      expect(await service.store.read.count(Batch)).to.equal(batches);
      return [...lines, `${response.status} ${await readError(response)}`];
    },
  );

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

  it("takes the other options of a batch, such as the merged file", async () => {
    const options = { formats: ["pdf"], merge: {} };
    const { batchId } = await readAccepted(
      await send({ file: "number\n1\n" }, options),
      202,
    );
    const batch = await fetchBatch(caller, batchId);
    expect(batch.merged).to.not.equal(null);
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
  });
});
