import { expect } from "chai";
import { parseConfig } from "../../../config/index.js";
import { acceptedBatchSchema } from "../../../core/api/routes/batches.js";
import { Batch } from "../../../core/storage/database/index.js";
import { reader, readError, refusal } from "../../support/caller.js";
import { createLink } from "../../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
  waitForWriteBacks,
} from "../../support/records.js";

const readAccepted = reader(acceptedBatchSchema);

function post(caller: RecordCaller, records: unknown, more: object = {}) {
  const { templateId } = caller;
  const body = { templateId, records, formats: ["html"], ...more };
  return caller.post("/api/export/batch/memory", body);
}

describe("a batch that selects its records", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform, {
    config: { batch: { ...parseConfig({}).batch, maxItems: 50 } },
  });
  for (const id of ["A", "B", "C", "D", "E"]) addOrder(platform, id, 0);
  platform.view("tblOrders", "Due", ["D", "B", "E", "A"]);

  async function rejection(
    caller: RecordCaller,
    records: unknown,
    status: number,
    more: object = {},
  ): Promise<string> {
    const response = await post(caller, records, more);
    expect(response.status).to.equal(status);
    const { organizationId } = caller;
    const where = { organizationId };
    expect(await service.store.read.countBy(Batch, where)).to.equal(0);
    return readError(response);
  }

  it("creates a document for each record of a view, in the order of the view", async () => {
    const caller = await newRecordCaller(service);
    const response = await post(caller, { viewId: "Due" });
    const { totalCount, documents } = await readAccepted(response, 202);
    expect(totalCount).to.equal(4);
    expect(
      documents.map(({ metadata }) => metadata?.["recordId"]),
    ).to.deep.equal(["D", "B", "E", "A"]);
    expect(documents.every(({ status }) => status === "queued")).to.equal(true);
  });

  it("creates a document for each record that matches a filter", async () => {
    const caller = await newRecordCaller(service);
    const { documents } = await readAccepted(
      await post(caller, { filter: "C" }),
      202,
    );
    expect(
      documents.map(({ metadata }) => metadata?.["recordId"]),
    ).to.deep.equal(["C"]);
  });

  it("creates one document of a record that is on two pages", async () => {
    const caller = await newRecordCaller(service);
    platform.view("tblOrders", "Moving", ["A", "B", "B", "C", "A"]);
    const { totalCount } = await readAccepted(
      await post(caller, { viewId: "Moving" }),
      202,
    );
    expect(totalCount).to.equal(3);
  });

  it("fills empty cells and leaves the others as they are", async () => {
    const caller = await newRecordCaller(service);
    for (const id of ["A", "B", "C"]) platform.put(id, "old.pdf");
    const more = { attachmentField: "Invoice" };
    const { batchId, totalCount } = await readAccepted(
      await post(caller, { emptyAttachment: true }, more),
      202,
    );
    expect(totalCount).to.equal(2);
    await waitForWriteBacks(caller, batchId);
    expect(platform.listFiles("A")).to.deep.equal(["old.pdf"]);
    expect(platform.listFiles("D")).to.deep.equal(["Order D.html"]);
    const again = post(caller, { emptyAttachment: true }, more);
    expect(await refusal(again)).to.equal(
      "409 No record has an empty attachment field. Nothing was created.",
    );
  });

  it("fills each empty cell once when batches select them at the same time", async () => {
    const caller = await newRecordCaller(service);
    const ids = Array.from({ length: 7 }, (_, at) => `twice-${at}`);
    for (const id of ids) addOrder(platform, id, 0);
    const more = { attachmentField: "Invoice" };
    const responses = await Promise.all(
      [1, 2, 3].map(() => post(caller, { emptyAttachment: true }, more)),
    );
    const accepted = responses.filter(({ status }) => status === 202);
    expect(responses.map(({ status }) => status)).to.have.members([
      202, 409, 409,
    ]);
    const [first] = accepted;
    if (!first) throw new Error("no batch");
    const { batchId } = await readAccepted(first, 202);
    await waitForWriteBacks(caller, batchId);
    for (const id of ids)
      expect(platform.listFiles(id)).to.deep.equal([`Order ${id}.html`]);
  });

  it("keeps the file that a person adds to a cell meanwhile", async () => {
    const caller = await newRecordCaller(service);
    addOrder(platform, "person", 0);
    platform.beforeCall = (method) => {
      if (method === "writeBack" && platform.listFiles("person").length === 0)
        platform.put("person", "by hand.pdf");
    };
    const more = { attachmentField: "Invoice" };
    const { batchId } = await readAccepted(
      await post(caller, { emptyAttachment: true }, more),
      202,
    );
    await waitForWriteBacks(caller, batchId);
    platform.beforeCall = () => undefined;
    expect(platform.listFiles("person")).to.deep.equal([
      "by hand.pdf",
      "Order person.html",
    ]);
  });

  it("returns 409 for a selection without records", async () => {
    const caller = await newRecordCaller(service);
    platform.view("tblOrders", "Nothing", []);
    for (const records of [{ viewId: "Nothing" }, { filter: "nobody" }])
      expect(await rejection(caller, records, 409)).to.equal(
        "No record is selected. Nothing was created.",
      );
  });

  it("returns 400 for an unknown view and names a similar one", async () => {
    const caller = await newRecordCaller(service);
    expect(await rejection(caller, { viewId: "Duee" }, 400)).to.equal(
      'The records cannot be selected. $.records.viewId: The table "Orders" has no view "Duee" whose records can be listed. Did you mean "Due"?',
    );
  });

  it("returns 400 for a view that is deleted while its records are listed", async () => {
    const caller = await newRecordCaller(service);
    platform.view("tblOrders", "Short-lived", ["A", "B", "C"]);
    platform.beforePage = (page) => {
      if (page === 2) platform.views.delete("Short-lived");
    };
    const error = await rejection(caller, { viewId: "Short-lived" }, 400);
    platform.beforePage = () => undefined;
    expect(error).to.equal("Memory: The view does not exist.");
  });

  it("finishes a batch whose view is deleted after it was accepted", async () => {
    const caller = await newRecordCaller(service);
    platform.view("tblOrders", "Once", ["A", "B"]);
    const { batchId } = await readAccepted(
      await post(caller, { viewId: "Once" }),
      202,
    );
    platform.views.delete("Once");
    const { counts } = await waitForWriteBacks(caller, batchId);
    expect(counts.succeeded).to.equal(2);
  });

  it("returns 413 for more records than a batch may have, without listing the rest", async () => {
    const caller = await newRecordCaller(service);
    const ids = Array.from({ length: 100_000 }, (_, at) => `many-${at}`);
    platform.view("tblOrders", "Many", ids);
    let pages = 0;
    platform.beforePage = () => {
      pages += 1;
    };
    const error = await rejection(caller, { viewId: "Many" }, 413);
    platform.beforePage = () => undefined;
    expect(error).to.equal(
      "The selection has more than 50 records, which is the most that a batch can have. Select fewer, or raise PLATEN_MAX_BATCH_ITEMS.",
    );
    expect(pages).to.equal(26);
  });

  it("returns 400 for ids and a selection together, for neither, and for two selections", async () => {
    const caller = await newRecordCaller(service);
    const both = { recordIds: ["A"] };
    expect(await rejection(caller, { viewId: "Due" }, 400, both)).to.equal(
      "Invalid request body. $.records: excludes recordIds: send one of them.",
    );
    expect(await rejection(caller, undefined, 400)).to.equal(
      "Invalid request body. $.recordIds: is required, or records instead.",
    );
    for (const records of [{}, { viewId: "Due", emptyAttachment: true }])
      expect(await rejection(caller, records, 400)).to.equal(
        "Invalid request body. $.records: must have exactly one of viewId, filter and emptyAttachment.",
      );
  });

  it("returns 400 for empty cells of a field that is not named", async () => {
    const caller = await newRecordCaller(service);
    expect(await rejection(caller, { emptyAttachment: true }, 400)).to.equal(
      "The records cannot be selected. $.records.emptyAttachment: needs attachmentField, the field that is empty.",
    );
  });

  it("does not let the holder of a link select records", async () => {
    const caller = await newRecordCaller(service);
    const { token } = await createLink(caller);
    const records = { viewId: "Due" };
    const response = fetch(`${service.url}/api/export/batch/memory`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, records }),
    });
    expect(await refusal(response)).to.equal(
      "400 This link only generates documents from one template and from one table of memory. $.records: is set by the link; omit it.",
    );
  });
});
