import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, type TestCaller } from "../support/caller.js";
import { newBatchCaller } from "../support/batches.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

function numbered(count: number, name: string): object {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${name}${index}`, index]),
  );
}

describe("a request with very many values", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;

  before(async () => {
    caller = await newBatchCaller(service);
    templateId = await publish(service.store, caller);
  });

  async function rejection(path: string, body: unknown) {
    const response = await caller.post(path, body);
    return `${response.status} ${await readError(response)}`;
  }

  it("is refused for a list that is too long, before each of its items is", async () => {
    const formats = Array.from({ length: 10_001 }, () => "pfd");
    expect(await rejection("/api/export", { templateId, formats })).to.equal(
      "400 Invalid request body. $.formats has 10001 items, but at most 10000 are allowed.",
    );
  });

  it("is refused for too many fields", async () => {
    expect(await rejection("/api/webhooks", numbered(10_001, "f"))).to.equal(
      "400 Invalid request body. It has 10001 fields, but at most 10000 are allowed.",
    );
  });

  it("may have any number of fields and rows in its data", async () => {
    const data = {
      ...numbered(20_000, "f"),
      rows: Array.from({ length: 20_000 }, () => 1),
    };
    const body = { templateId, formats: ["html"], data };
    expect((await caller.post("/api/export", body)).status).to.equal(200);
  });

  it("may have any number of records to check", async () => {
    const items = Array.from({ length: 12_000 }, () => ({ data: {} }));
    const path = `/api/templates/${templateId}/validate`;
    expect((await caller.post(path, { items })).status).to.equal(200);
  });

  it("may have as many record ids as a batch has documents, but not as many of other values", async () => {
    const path = "/api/export/batch/airtable";
    const listed = Array.from({ length: 12_000 }, (_, index) => index);
    const recordIds = listed.map(String);
    expect(await rejection(path, { templateId, recordIds })).to.equal(
      "400 There is no connection to airtable yet. Save one with POST /api/connections, or with platen connection add.",
    );
    expect(await rejection(path, { templateId, recordIds: listed })).to.equal(
      "400 Invalid request body. $.recordIds has 12000 items, but at most 10000 are allowed.",
    );
  });

  it("is refused for more record ids than a batch may have, before each of them is", async () => {
    const recordIds = Array.from({ length: 100_001 }, () => "");
    expect(
      await rejection("/api/export/batch/airtable", { templateId, recordIds }),
    ).to.equal(
      "413 A batch contains at most 100000 items. Send several batches, or raise PLATEN_MAX_BATCH_ITEMS.",
    );
  });

  it("is refused without a line and column when a long body is not valid JSON", async () => {
    const rows = '{"a": 1},\n'.repeat(200_000);
    const response = await fetch(`${service.url}/api/export`, {
      method: "POST",
      headers: { "x-api-key": caller.key, "content-type": "application/json" },
      body: `{"data": [\n${rows}{"a": abc}]}`,
    });
    expect(await readError(response)).to.equal(
      "The body is not valid JSON: the place of the error is only looked for in bodies of at most 1 MB.",
    );
  });
});
