import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { operator } from "../../../core/accounts/index.js";
import * as tokens from "../../../core/app/tokens.js";
import {
  FaultProxies,
  faults,
} from "../../../plugins/contract-suite/fault-proxy.js";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import type { NocodbCredentials } from "../../../plugins/nocodb/client.js";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";
import { newBatchCaller } from "../../support/batches.js";
import { sendRecords, waitForWriteBacks } from "../../support/records.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { createOrders, createTextFile, NocodbServer } from "./nocodb-server.js";

const orderCount = 50;
const linesOfEach = 4;
const text = "Order {{ root.number }}";
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
    { type: "text", text: `${text}: {{ SUM(root.lines, amount) }}` },
  ],
  fileName: text,
};

if (NocodbServer.address())
  describe("files that are written to NocoDB", () => {
    const service = useService({
      config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
    });
    let shop: Awaited<ReturnType<typeof createOrders>>;
    let proxies: FaultProxies;
    let credentials: NocodbCredentials;
    before(async () => {
      shop = await createOrders(orderCount, linesOfEach);
      const { url, token } = shop.credentials;
      proxies = await FaultProxies.start({ url });
      credentials = { url: proxies.addresses["url"] ?? "", token };
    });
    after(() => proxies.close());

    for (const overwriteExisting of [false, true])
      it(`take 50 orders with 200 lines few requests if they ${overwriteExisting ? "replace others" : "are added"}`, async () => {
        const { recordIds, scope, fieldId } = shop;
        const caller = await newBatchCaller(service);
        const { id: connectionId } = await service.container
          .resolve(tokens.CONNECTIONS)
          .create(
            caller,
            { platform: "nocodb", name: "Shop", credentials },
            operator,
          );
        const templateId = await publish(service.store, caller, { definition });
        const count = await proxies.countRequests(async () => {
          const { batchId } = await sendRecords(
            { ...caller, templateId, connectionId },
            recordIds,
            { ...scope, attachmentField: "Papers", overwriteExisting },
            "nocodb",
          );
          const { writeBack } = await waitForWriteBacks(caller, batchId);
          expect(writeBack).to.include({ succeeded: 50, failed: 0 });
        });
        const host = new SuiteHost(nocodbPlugin, credentials);
        const files = await Promise.all(
          recordIds.map((recordId) => host.read({ scope, recordId, fieldId })),
        );
        expect(
          files.map((all) => all.map(({ filename }) => filename)),
        ).to.deep.equal(recordIds.map((_, at) => [`Order R-${at}.html`]));
        // One by one, they would be four for each order.
        expect(count).to.be.below(2 * orderCount);
      });

    it("are reported as missing if NocoDB accepts them but does not save them", async () => {
      const { recordIds, scope, fieldId } = shop;
      const [recordId = ""] = recordIds;
      const host = new SuiteHost(nocodbPlugin, credentials);
      const cell = { scope, recordId, fieldId };
      const held = await host.read(cell);
      const file = createTextFile("lost");
      // The table, the upload, the cell, and then the change. As if a lock of the database had been in the way.
      const error = await proxies.withFault(
        {
          kind: "reply",
          status: 200,
          headers: { "content-type": "application/json" },
          body: JSON.stringify([{ Id: Number(recordId) }]),
        },
        () => host.write(cell, [file], "append").catch((one: unknown) => one),
        { from: 4, to: 4 },
      );
      expect(error).to.include({ code: "unavailable" });
      expect(await host.read(cell)).to.have.length(held.length);
    });

    it("are none if one of a record's files could not be uploaded, for that reason", async () => {
      const { recordIds, scope, fieldId } = shop;
      const [recordId = ""] = recordIds;
      const host = new SuiteHost(nocodbPlugin, credentials);
      const cell = { scope, recordId, fieldId };
      const held = await host.read(cell);
      // Of the same name, so that they are uploaded one by one.
      const files = [createTextFile("same"), createTextFile("same")];
      const write = () => host.write(cell, files, "replace");
      const error = await proxies.withFault(
        faults.unavailable,
        () => write().catch((one: unknown) => one),
        { from: 3, to: 3 },
      );
      expect(error).to.include({ code: "unavailable", status: 503 });
      expect(await host.read(cell)).to.have.length(held.length);
    });
  });
