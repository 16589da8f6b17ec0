import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { operator } from "../../../core/accounts/index.js";
import { acceptedBatchSchema } from "../../../core/api/routes/batches.js";
import * as tokens from "../../../core/app/tokens.js";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";
import { newBatchCaller } from "../../support/batches.js";
import { readError, reader } from "../../support/caller.js";
import { waitForWriteBacks } from "../../support/records.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { createOrders, createTextFile, NocodbServer } from "./nocodb-server.js";

const readAccepted = reader(acceptedBatchSchema);
const definition = {
  schema: [
    {
      id: "root",
      fields: [{ name: "number", source: "Number", type: "String" }],
    },
  ],
  components: [{ type: "text", text: "Order {{ root.number }}" }],
  fileName: "Order {{ root.number }}",
};

if (NocodbServer.address())
  describe("records that are selected in NocoDB", () => {
    const service = useService({
      config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
    });
    let shop: Awaited<ReturnType<typeof createOrders>>;
    before(async () => {
      shop = await createOrders(3, 0);
    });

    async function newSender() {
      const caller = await newBatchCaller(service);
      const { scope, credentials } = shop;
      const { id: connectionId } = await service.container
        .resolve(tokens.CONNECTIONS)
        .create(
          caller,
          {
            platform: "nocodb",
            name: "Shop",
            credentials: { ...credentials },
          },
          operator,
        );
      const templateId = await publish(service.store, caller, { definition });
      const send = (records: object) =>
        caller.post("/api/export/batch/nocodb", {
          ...scope,
          templateId,
          connectionId,
          formats: ["html"],
          attachmentField: "Papers",
          records,
        });
      return { caller, send };
    }

    const listFiles = async (at: number) => {
      const { scope, fieldId, credentials, recordIds } = shop;
      const host = new SuiteHost(nocodbPlugin, credentials);
      const recordId = recordIds[at] ?? "";
      const files = await host.read({ scope, recordId, fieldId });
      return files.map(({ filename }) => filename);
    };

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

    const rejections: [string, object, number, string][] = [
      [
        "a filter that nothing matches",
        { filter: "(Number,eq,none)" },
        409,
        "No record is selected",
      ],
      [
        "conditions that nothing meets",
        { filter: { Number: "none" } },
        409,
        "No record is selected",
      ],
      [
        "a filter with a syntax error",
        { filter: "Number = 1" },
        400,
        "expected a logical operator",
      ],
      [
        "a filter on an unknown field",
        { filter: "(Nope,eq,1)" },
        400,
        "'Nope' not found",
      ],
      [
        "a condition on an unknown field",
        { filter: { Numbr: "1" } },
        400,
        'Did you mean "Number"?',
      ],
      [
        "a text that NocoDB cannot compare",
        { filter: { Number: `"it's"` } },
        400,
        "both kinds of quotation marks",
      ],
      ["an empty filter", { filter: " " }, 400, "must be a where clause"],
      ["a filter of another kind", { filter: 5 }, 400, "must be an object"],
    ];
    for (const [what, records, status, words] of rejections)
      it(`are none for ${what}, which is a ${status}`, async () => {
        const { send } = await newSender();
        const response = await send(records);
        expect(response.status).to.equal(status);
        expect(await readError(response)).to.contain(words);
      });

    it("keep a person's file and get one of each of two batches at the same time", async () => {
      const { scope, fieldId, credentials, recordIds } = shop;
      const host = new SuiteHost(nocodbPlugin, credentials);
      const [recordId = ""] = recordIds;
      const file = createTextFile("by hand");
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
