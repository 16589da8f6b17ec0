import { expect } from "chai";
import { PlatformError } from "../../../core/plugin-api/index.js";
import { retryBatch } from "../../support/batches.js";
import { newCaller, readError, refusal } from "../../support/caller.js";
import { countBatches } from "../../support/links.js";
import {
  addOrder,
  connect,
  downloadHtml,
  newRecordCaller,
  orderDefinition,
  ordersPlatform,
  postRecords,
  type RecordCaller,
  runRecords,
  sendRecords,
  useRecordService,
  waitForWriteBacks,
} from "../../support/records.js";
import { anyDatabase } from "../../support/store.js";

async function rejection(
  caller: RecordCaller,
  ids: readonly string[],
  more: object = {},
  status = 400,
): Promise<string> {
  const response = await postRecords(caller, ids, more);
  expect(response.status).to.equal(status);
  expect(await countBatches(caller)).to.equal(0);
  return readError(response);
}

anyDatabase((_open, database) => {
  const platform = ordersPlatform();
  const service = useRecordService(platform, { config: { database } });
  afterEach(() => {
    platform.beforeCall = () => undefined;
    platform.reads.length = 0;
  });

  /** The first read looks for the records, the second fetches them. */
  function atSecondRead(work: () => void): void {
    let reads = 0;
    platform.beforeCall = (what) => {
      if (what !== "fetchRows") return;
      reads += 1;
      if (reads === 2) work();
    };
  }

  describe("a batch of a platform's records", () => {
    it("renders the records with their linked rows and writes the files back", async () => {
      const caller = await newRecordCaller(service);
      for (const id of ["A", "B"]) addOrder(platform, id, 3);
      const { batchId, documents } = await sendRecords(caller, ["A", "B"], {
        attachmentField: "Invoice",
      });
      expect(documents[0]?.metadata).to.include({ batchId, recordId: "A" });
      const batch = await waitForWriteBacks(caller, batchId);
      expect(batch).to.include({ status: "completed", platform: "memory" });
      expect(batch.writeBack).to.deep.equal({
        pending: 0,
        succeeded: 2,
        failed: 0,
      });
      const [first = ""] = await downloadHtml(batch);
      expect(first).to.contain("Order A for Customer of A");
      expect(first).to.contain("Product 2: 3").and.to.contain("Total 6");
      expect(platform.listFiles("A")).to.deep.equal(["Order A.html"]);
      expect(platform.listFiles("B")).to.deep.equal(["Order B.html"]);
      expect(batch.documents[0]?.metadata).to.have.nested.property(
        "platen.writeBack.status",
        "succeeded",
      );
    });

    it("fails a record with problems at once with strict, and writes the files of the others back", async () => {
      const rules = [{ field: "root.number", operator: "=", value: "F" }];
      const condition = { combinator: "and", rules };
      const stamp = { type: "text", condition, text: "{{ root.stamp }}" };
      const components = [...orderDefinition.components, stamp];
      const definition = { ...orderDefinition, components };
      const caller = await newRecordCaller(service, definition);
      addOrder(platform, "E");
      addOrder(platform, "F");
      for (const strict of [true, false]) {
        const { documents, writeBack } = await runRecords(caller, ["E", "F"], {
          attachmentField: "Invoice",
          strict,
          unknownFields: "error",
        });
        const [good, bad] = documents;
        expect(good).to.include({ status: "succeeded", warningCount: 0 });
        expect(bad?.status).to.equal(strict ? "failed" : "succeeded");
        if (strict)
          expect(bad?.error).to.equal(
            "The document was not rendered because strict is true and the document would be incomplete. $.components[3]: The data has no root.stamp.",
          );
        expect(writeBack?.succeeded).to.equal(strict ? 1 : 2);
      }
    });

    it("writes nothing back without an attachment field", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "C");
      const batch = await runRecords(caller, ["C"]);
      expect(batch.counts.succeeded).to.equal(1);
      expect(batch.writeBack).to.equal(null);
      expect(platform.listFiles("C")).to.deep.equal([]);
    });

    it("creates one batch of a request that is sent again with its Idempotency-Key, and returns 409 for another one", async () => {
      const caller = await newRecordCaller(service);
      for (const id of ["I", "J"]) addOrder(platform, id);
      const { templateId, key } = caller;
      const send = (recordIds: string[]) =>
        fetch(`${service.url}/api/export/batch/memory`, {
          method: "POST",
          headers: {
            "x-api-key": key,
            "content-type": "application/json",
            "idempotency-key": "button-1",
          },
          body: JSON.stringify({ templateId, recordIds, formats: ["html"] }),
        });
      const [first, second] = [await send(["I"]), await send(["I"])];
      expect(first.status).to.equal(202);
      expect(await second.json()).to.deep.equal(await first.json());
      expect((await send(["J"])).status).to.equal(409);
      expect(await countBatches(caller)).to.equal(1);
    });

    it("takes fewer than 40 reads for 100 records with 20 linked rows each", async () => {
      const ids = Array.from({ length: 100 }, (_, at) => `order-${at}`);
      for (const id of ids) {
        addOrder(platform, id, 20);
        for (let at = 0; at < 20; at += 1)
          platform.row("tblLines", {
            id: `${id}-l${at}`,
            fields: { fldAmount: 1 },
            links: { fldProduct: [`order-0-l${at}-p`] },
          });
      }
      const caller = await newRecordCaller(service);
      const batch = await runRecords(caller, ids);
      expect(batch.counts.succeeded).to.equal(100);
      expect(platform.reads.length).to.be.below(40);
      const sizes = platform.reads.map((read) => read.ids.length);
      expect(Math.max(...sizes)).to.equal(100);
      // Batches of other tests may still read.
      const lines = platform.reads.filter(
        ({ tableId, ids: [first = ""] }) =>
          tableId === "tblLines" && first.startsWith("order-"),
      );
      expect(new Set(lines.flatMap((read) => read.ids)).size).to.equal(2000);
      expect(lines).to.have.length(20);
    });
  });

  describe("records that cannot be fetched after their batch was accepted", () => {
    it("fail with their ids while the others become documents", async () => {
      const caller = await newRecordCaller(service);
      for (const id of ["A", "B"]) addOrder(platform, id);
      atSecondRead(() => platform.remove("tblOrders", "A"));
      const { documents, counts } = await runRecords(caller, ["A", "B"]);
      expect(counts).to.include({ succeeded: 1, failed: 1 });
      expect(documents[0]?.error).to.equal(
        'The table "Orders" no longer has a record "A".',
      );
    });

    it("are fetched again when their batch is retried", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "C");
      atSecondRead(() => platform.remove("tblOrders", "C"));
      const { batchId } = await runRecords(caller, ["C"]);
      addOrder(platform, "C");
      const next = await retryBatch(caller, batchId);
      const batch = await waitForWriteBacks(caller, next.batchId);
      expect(batch.platform).to.equal("memory");
      expect((await downloadHtml(batch))[0]).to.contain(
        "Order C for Customer of C",
      );
    });

    it("fail with the platform's message if the credentials were revoked", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "D");
      atSecondRead(() => {
        throw new PlatformError(
          "auth",
          "The token was revoked. Save a new one.",
        );
      });
      const { documents } = await runRecords(caller, ["D"]);
      expect(documents[0]?.error).to.equal(
        "Memory: The token was revoked. Save a new one.",
      );
    });

    it("are fetched again after a temporary failure of the platform", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "E");
      atSecondRead(() => {
        throw new PlatformError("unavailable", "It is down for a moment.");
      });
      const { counts } = await runRecords(caller, ["E"]);
      expect(counts.succeeded).to.equal(1);
    });
  });

  describe("a batch of records that is rejected", () => {
    before(() => addOrder(platform, "A"));

    it("lists the records that do not exist", async () => {
      const caller = await newRecordCaller(service);
      const error = await rejection(caller, ["A", "gone", "A2"]);
      expect(error).to.equal(
        'Some records do not exist. $.recordIds[1]: The table "Orders" has no record "gone"; $.recordIds[2]: The table "Orders" has no record "A2".',
      );
      expect(await rejection(caller, ["A", "A"])).to.equal(
        'Invalid record ids. $.recordIds[1]: repeats the record "A".',
      );
    });

    it("lists all fields that the table does not have", async () => {
      const [root] = orderDefinition.schema;
      const fields = [{ name: "number", source: "Numbr", type: "String" }];
      const schema = [{ ...root, fields }];
      const definition = { schema, components: [] };
      const caller = await newRecordCaller(service, definition);
      const error = await rejection(caller, ["A"], {
        attachmentField: "Invoic",
      });
      expect(error).to.equal(
        'The template and the request do not match the table "Orders". ' +
          '$.schema[0].fields[0]: The table "Orders" has no field "Numbr". Did you mean "Number"?; ' +
          '$.attachmentField: The table "Orders" has no field "Invoic". Did you mean "Invoice"?',
      );
    });

    it("returns 404 for an unknown platform and for another organization's connection", async () => {
      const caller = await newRecordCaller(service);
      const { connectionId } = await newRecordCaller(service);
      await rejection(caller, ["A"], { connectionId }, 404);
      const body = { templateId: caller.templateId, recordIds: ["A"] };
      const { status } = await caller.post("/api/export/batch/nowhere", body);
      expect(status).to.equal(404);
    });

    it("returns 400 for a key without documents:write and for a plan without batches", async () => {
      const body = { templateId: "a", recordIds: ["A"] };
      const path = "/api/export/batch/memory";
      const reader = await newCaller(service, ["documents:read"]);
      expect(await refusal(reader.post(path, body))).to.equal(
        "400 This needs a key with the scope documents:write; this key's scopes are: documents:read.",
      );
      const plan = (await newCaller(service)).post(path, body);
      expect(await refusal(plan)).to.equal(
        "400 Batches require the plan premium or enterprise; this organization's plan is free. Render its documents one by one with POST /api/export, or change the plan.",
      );
    });

    it("returns 503 within 5 seconds if the platform does not answer", async () => {
      const caller = await newRecordCaller(service);
      platform.delay = new Promise(() => undefined);
      const error = await rejection(caller, ["A"], {}, 503);
      platform.delay = Promise.resolve();
      expect(error).to.match(
        /^Memory: "describe" did not finish within 4\.\d+ s\. Try again\.$/,
      );
    });

    it("explains why validate is not possible, and accepts validate: false", async () => {
      const caller = await newRecordCaller(service);
      const error = await rejection(caller, ["A"], { validate: true });
      expect(error).to.equal(
        "Invalid request body. $.validate: must not be true: records are read only after the batch was accepted, so they cannot be checked before. Use strict: a document whose record has a problem then fails.",
      );
      const accepted = await postRecords(caller, ["A"], { validate: false });
      expect(accepted.status).to.equal(202);
    });

    it("lists the connections if there are several and the request names none", async () => {
      const caller = await newRecordCaller(service);
      const { id } = await connect(service, caller, "Second");
      const error = await rejection(caller, ["A"]);
      expect(error)
        .to.contain(caller.connectionId)
        .and.contain(`${id} ("Second")`);
      const named = await postRecords(caller, ["A"], { connectionId: id });
      expect(named.status).to.equal(202);
    });
  });
});
