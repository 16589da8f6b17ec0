import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { z } from "zod";
import { operator } from "../../../core/accounts/index.js";
import { acceptedBatchSchema } from "../../../core/api/routes/batches.js";
import * as tokens from "../../../core/app/tokens.js";
import {
  FaultProxies,
  faults,
} from "../../../plugins/contract-suite/fault-proxy.js";
import {
  createFile,
  SuiteHost,
} from "../../../plugins/contract-suite/platform-session.js";
import type { NocodbCredentials } from "../../../plugins/nocodb/client.js";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";
import { newBatchCaller } from "../../support/batches.js";
import { readError, reader } from "../../support/caller.js";
import {
  openAndSubmit,
  readLink,
  waitForFinishedPage,
} from "../../support/links.js";
import { sendRecords, waitForWriteBacks } from "../../support/records.js";
import { type TestService, useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { createOrders, eachNocodb } from "./nocodb-server.js";

const readAccepted = reader(acceptedBatchSchema);
const config = { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } };
const fileName = "Order {{ root.number }}";
const definition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "number", source: "Number", type: "String" },
        {
          name: "lines",
          source: "Lines",
          type: "OneToManyLink",
          target: "line",
        },
      ],
    },
    {
      id: "line",
      fields: [{ name: "amount", source: "Amount", type: "Number" }],
    },
  ],
  components: [
    { type: "text", text: `${fileName}: {{ SUM(root.lines, amount) }}` },
  ],
  fileName,
};

type Orders = Awaited<ReturnType<typeof createOrders>>;

/** A caller with a connection to NocoDB and a template over its orders. */
async function newOrderCaller(
  service: TestService,
  credentials: NocodbCredentials,
) {
  const caller = await newBatchCaller(service);
  const input = { platform: "nocodb", name: "Shop", credentials };
  const { id: connectionId } = await service.container
    .resolve(tokens.CONNECTIONS)
    .create(caller, { ...input, credentials: { ...credentials } }, operator);
  const templateId = await publish(service.store, caller, { definition });
  return { ...caller, templateId, connectionId };
}

eachNocodb((open) => {
  const service = useService({ config });

  describe("records that are selected in NocoDB", () => {
    let shop: Orders;
    before(async () => {
      shop = await createOrders(await open(), 3, 0);
    });

    async function newSender() {
      const { templateId, connectionId, ...caller } = await newOrderCaller(
        service,
        shop.credentials,
      );
      const send = (records: object) =>
        caller.post("/api/export/batch/nocodb", {
          ...shop.scope,
          templateId,
          connectionId,
          formats: ["html"],
          attachmentField: "Papers",
          records,
        });
      return { caller, send };
    }
    const listFiles = async (at: number) =>
      (await shop.papers(at)).map(({ filename }) => filename);

    it("get their documents although the view is deleted meanwhile", async () => {
      const { caller, send } = await newSender();
      const { server, scope, numberFieldId } = shop;
      const viewId = await server.makeView(
        scope.tableId,
        "Gone soon",
        numberFieldId,
      );
      const { batchId } = await readAccepted(await send({ viewId }), 202);
      const path = `api/v2/meta/views/${viewId}`;
      await server.send(path, z.unknown(), undefined, "DELETE");
      const { writeBack } = await waitForWriteBacks(caller, batchId);
      expect(writeBack).to.include({ succeeded: 2, failed: 0 });
      expect(await listFiles(2)).to.deep.equal(["Order R-2.html"]);
      const again = await send({ viewId });
      expect(again.status).to.equal(400);
      expect(await readError(again)).to.contain("has no view");
    });

    for (const [what, filter, status, words] of [
      ["that nothing matches", "(Number,eq,none)", 409, "No record is"],
      ["that nothing meets", { Number: "none" }, 409, "No record is"],
      ["with a syntax error", "Number = 1", 400, "expected a logical operator"],
      ["on an unknown field", "(Nope,eq,1)", 400, "'Nope' not found"],
      ["with an unknown field", { Numbr: "1" }, 400, 'Did you mean "Number"?'],
      [
        "with a text that NocoDB cannot compare",
        { Number: `"it's"` },
        400,
        "both kinds of quotation marks",
      ],
      ["that is empty", " ", 400, "must be a where clause"],
      ["of another kind", 5, 400, "must be an object"],
    ] as const)
      it(`are none for a filter ${what}, which is a ${status}`, async () => {
        const { send } = await newSender();
        const response = await send({ filter });
        expect(response.status).to.equal(status);
        expect(await readError(response)).to.contain(words);
      });

    it("keep a person's file and get one of each of two batches at the same time", async () => {
      const { scope, fieldId, host, recordIds } = shop;
      const [recordId = ""] = recordIds;
      const file = createFile("by hand.txt");
      await host.write({ scope, recordId, fieldId }, [file], "append");
      const { caller, send } = await newSender();
      const records = { filter: { Number: ["R-0", "R-1"] } };
      const batches = await Promise.all([send(records), send(records)]);
      for (const response of batches) {
        const { batchId } = await readAccepted(response, 202);
        const { writeBack } = await waitForWriteBacks(caller, batchId);
        expect(writeBack).to.include({ succeeded: 2, failed: 0 });
      }
      expect(await listFiles(0)).to.deep.equal([
        "by hand.txt",
        "Order R-0.html",
        "Order R-0.html",
      ]);
    });
  });

  describe("a link for NocoDB", () => {
    it("saves a PDF in the record's cell", async () => {
      const shop = await createOrders(await open(), 1, 2);
      const { templateId, ...caller } = await newOrderCaller(
        service,
        shop.credentials,
      );
      const link = await readLink(
        await caller.post("/api/links", {
          ...shop.scope,
          templateId,
          platform: "nocodb",
          attachmentField: "Papers",
        }),
        201,
      );
      const page = await waitForFinishedPage(
        await openAndSubmit(link.url, shop.recordIds[0] ?? ""),
      );
      expect(page).to.contain("saved in the field “Papers”");
      const [file, ...others] = await shop.papers(0);
      expect(others).to.deep.equal([]);
      expect(file?.filename).to.equal("Order R-0.pdf");
      const reply = await fetch(file?.url ?? "");
      const bytes = Buffer.from(await reply.arrayBuffer());
      expect(bytes.subarray(0, 5).toString()).to.equal("%PDF-");
    });
  });

  describe("files that are written to NocoDB", () => {
    const orderCount = 50;
    let shop: Orders;
    let proxies: FaultProxies;
    let credentials: NocodbCredentials;
    before(async () => {
      shop = await createOrders(await open(), orderCount, 4);
      const { url, token } = shop.credentials;
      proxies = await FaultProxies.start({ url });
      credentials = { url: proxies.addresses["url"] ?? "", token };
    });
    after(() => proxies.close());

    for (const overwriteExisting of [false, true])
      it(`take 50 orders with 200 lines few requests if they ${overwriteExisting ? "replace others" : "are added"}`, async () => {
        const caller = await newOrderCaller(service, credentials);
        const count = await proxies.countRequests(async () => {
          const { batchId } = await sendRecords(
            caller,
            shop.recordIds,
            { ...shop.scope, attachmentField: "Papers", overwriteExisting },
            "nocodb",
          );
          const { writeBack } = await waitForWriteBacks(caller, batchId);
          expect(writeBack).to.include({ succeeded: 50, failed: 0 });
        });
        for (const at of shop.recordIds.keys()) {
          const names = (await shop.papers(at)).map(({ filename }) => filename);
          expect(names).to.deep.equal([`Order R-${at}.html`]);
        }
        // One by one, they would be four for each order.
        expect(count).to.be.below(2 * orderCount);
      });

    /** The failure of a write, of which these requests have the fault. */
    async function failWrite(
      names: readonly string[],
      fault: Parameters<FaultProxies["withFault"]>[0],
      at: number,
    ): Promise<unknown> {
      const { recordIds, scope, fieldId } = shop;
      const cell = { scope, recordId: recordIds[0] ?? "", fieldId };
      const host = new SuiteHost(nocodbPlugin, credentials);
      const held = await host.read(cell);
      const files = names.map((name) => createFile(name));
      const error = await proxies.withFault(
        fault,
        () => host.write(cell, files, "append").catch((one: unknown) => one),
        { from: at, to: at },
      );
      expect(await host.read(cell)).to.have.length(held.length);
      return error;
    }

    it("are reported as missing if NocoDB accepts them but does not save them", async () => {
      const reply = JSON.stringify([{ Id: Number(shop.recordIds[0]) }]);
      // The table, the upload, the cell, and then the change. As if a lock of the database had been in the way.
      const fault = {
        kind: "reply",
        status: 200,
        headers: { "content-type": "application/json" },
        body: reply,
      } as const;
      expect(await failWrite(["lost.txt"], fault, 4)).to.include({
        code: "unavailable",
      });
    });

    it("are none if one of a record's files could not be uploaded, for that reason", async () => {
      // Of the same name, so that they are uploaded one by one.
      const error = await failWrite(
        ["same.txt", "same.txt"],
        faults.unavailable,
        3,
      );
      expect(error).to.include({ code: "unavailable", status: 503 });
    });
  });
});
