import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { download, useApi } from "../support/api.js";
import { batchWhen, retryBatch, sendBatch } from "../support/batches.js";
import { replies } from "../support/caller.js";
import { rawNumber } from "../support/raw-number.js";
import { cliOn } from "../support/store-cli.js";
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

function expectExact(html: string): void {
  const [, body = ""] = html.split("<body");
  const lines = Array.from(
    body.matchAll(/>([^<>\n]+)</g),
    ([, text = ""]) => text,
  );
  expect(lines.slice(0, printed.length)).to.deep.equal(printed);
  expect(lines.slice(printed.length).join("")).to.equal(sorted);
}

describe("numbers that JavaScript would round", () => {
  const api = useApi({ plan: "premium", template: { definition } });

  it("print, add, compare, sort, sum and format exactly", async () => {
    expectExact(await api.html({ data, strict: true }));
  });

  it("keep their digits in a batch and when its failed documents are retried", async () => {
    const metadata = { order: rawNumber("9007199254740993") };
    const items = [data, { ...data, prototype: 1 }].map((each) => ({
      data: each,
      metadata,
    }));
    const { templateId } = api;
    const body = { templateId, formats: ["html"], items };
    const { batchId } = await sendBatch(api.caller, body);
    const [document] = (await batchWhen(api.caller, batchId)).documents;
    const { outputs } = await replies.document(
      await api.caller.get(`/api/documents/${document?.id}`),
    );
    expectExact((await download(outputs[0]?.url)).toString());
    const order = "9007199254740993";
    expect(document?.metadata).to.include({ order });
    const next = await retryBatch(api.caller, batchId);
    expect(next.documents[0]?.metadata).to.include({ order });
  });

  it("keep their digits in the arguments of a tool, as JSON or as JSON in a string", async () => {
    const { templateId, service, caller } = api;
    for (const sent of [data, JSON.stringify(data)]) {
      const reply = await postMessage(
        service.url,
        { "x-api-key": caller.key },
        rpc("tools/call", {
          name: "render_document",
          arguments: {
            templateId,
            formats: ["html"],
            data: sent,
            preview: "none",
          },
        }),
      );
      const text = await reply.text();
      const [url] = /https?:[^"\\ ]+\.html[^"\\ ]*/.exec(text) ?? [];
      expectExact((await download(url)).toString());
    }
  });

  it("keep their digits in a file that the command line renders", async () => {
    const { dataFolder } = api.service;
    const file = join(dataFolder, "exact.json");
    await writeFile(file, JSON.stringify(data));
    const { stdout, stderr } = await cliOn(dataFolder)(
      "render",
      `--org=${api.caller.organizationId}`,
      `--template=${api.templateId}`,
      `--data=${file}`,
      "--out=-",
      "--format=html",
    );
    expect(stderr).to.equal("");
    expectExact(stdout);
  });
});
