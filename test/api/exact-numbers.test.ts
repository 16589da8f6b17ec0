import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  batchWhen,
  newBatchCaller,
  retryBatch,
  sendBatch,
} from "../support/batches.js";
import { replies, type TestCaller } from "../support/caller.js";
import { rawNumber } from "../support/raw-number.js";
import { exported, useService } from "../support/service.js";
import { cliOn } from "../support/store-cli.js";
import { publish } from "../support/store.js";
import { postMessage, rpc } from "../support/tool-client.js";

const texts = [
  "{{ root.id }}",
  "{{ root.big + 1 }}",
  "{{ root.small * 10 }}",
  "{{ root.big | currency }}",
  '{{ root.big | number("0,0.00", "de-DE") }}',
  "{{ root.small | number(20) }}",
  "{{ root.id > 9007199254740992 }}",
  "{{ root.id = 9007199254740993 }}",
  "{{ root.big = 12345678901234567891 }}",
  "{{ SUM(root.list, v) }}",
  "{{ MAX(root.list, v) }}",
  "{{ -root.id }}",
];
const printed = [
  "9007199254740993",
  "12345678901234567891",
  "1.234567890123456789",
  "$12,345,678,901,234,567,890.00",
  "12.345.678.901.234.567.890,00",
  "0.12345678901234567890",
  "true",
  "true",
  "false",
  "27021597764222978",
  "9007199254740994",
  "-9007199254740993",
];
const sorted = "9007199254740991, 9007199254740993, 9007199254740994, ";

const components = [
  ...texts.map((text) => ({ type: "text", text })),
  {
    type: "text",
    text: "{{ row.v }}, ",
    collection: {
      collectionId: "row",
      path: "root.list",
      sort: [{ field: "v", direction: "ASC", type: "Number" }],
    },
  },
];
const definition = { schema: [{ id: "root", fields: [] }], components };

const data = {
  id: rawNumber("9007199254740993"),
  big: rawNumber("12345678901234567890"),
  small: rawNumber("0.12345678901234567890"),
  list: ["9007199254740994", "9007199254740991", "9007199254740993"].map(
    (v) => ({ v: rawNumber(v) }),
  ),
};

/** A message that renders the record. */
function renderCall(templateId: string, requested: unknown) {
  return rpc("tools/call", {
    name: "render_document",
    arguments: { templateId, formats: ["html"], data: requested },
  });
}

/** The text of each component. */
function getLines(html: string | undefined): string[] {
  const [, body = ""] = (html ?? "").split("<body");
  return Array.from(body.matchAll(/>([^<>\n]+)</g), ([, text = ""]) => text);
}

function expectExact(html: string | undefined): void {
  const lines = getLines(html);
  expect(lines.slice(0, printed.length)).to.deep.equal(printed);
  expect(lines.slice(printed.length).join("")).to.equal(sorted);
}

describe("numbers that JavaScript would round", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;

  before(async () => {
    caller = await newBatchCaller(service);
    templateId = await publish(service.store, caller, { definition });
  });

  it("print, add, compare, sort, sum and format exactly", async () => {
    const body = { templateId, formats: ["html"], data, strict: true };
    const { result } = await exported(caller, body);
    expectExact(result.html?.htmlDocument);
  });

  it("keep their digits in a batch and when its failed documents are retried", async () => {
    const items = [{ data }, { data: { ...data, prototype: 1 } }];
    const metadata = { order: rawNumber("9007199254740993") };
    const body = {
      templateId,
      formats: ["html"],
      items: items.map((item) => ({ ...item, metadata })),
    };
    const { batchId } = await sendBatch(caller, body);
    const { documents } = await batchWhen(caller, batchId);
    const [document] = documents;
    const id = document?.id ?? "";
    const { outputs } = await replies.document(
      await caller.get(`/api/documents/${id}`),
    );
    const file = await fetch(outputs[0]?.url ?? "");
    expectExact(await file.text());
    expect(document?.metadata).to.include({ order: "9007199254740993" });
    const next = await retryBatch(caller, batchId);
    expect(next.documents[0]?.metadata).to.include({
      order: "9007199254740993",
    });
  });

  it("keep their digits in the arguments of a tool, as JSON or as JSON in a string", async () => {
    for (const requested of [data, JSON.stringify(data)]) {
      const headers = { "x-api-key": caller.key };
      const reply = await postMessage(
        service.url,
        headers,
        renderCall(templateId, requested),
      );
      const text = await reply.text();
      expect(reply.status, text).to.equal(200);
      const [url = ""] = /https?:[^"\\ ]+\.html[^"\\ ]*/.exec(text) ?? [];
      expectExact(await (await fetch(url)).text());
    }
  });

  it("keep their digits in a file that the command line renders", async () => {
    const cli = cliOn(service.dataFolder);
    const file = join(service.dataFolder, "exact.json");
    await writeFile(file, JSON.stringify(data));
    const { organizationId: org } = caller;
    const { stdout, stderr } = await cli(
      "render",
      "--org",
      org,
      "--template",
      templateId,
      "--data",
      file,
      "--out",
      "-",
      "--format",
      "html",
    );
    expect(stderr).to.equal("");
    expectExact(stdout);
  });
});
