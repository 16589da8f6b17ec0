import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { operator } from "../../../core/accounts/index.js";
import * as tokens from "../../../core/app/tokens.js";
import { AutomationRun } from "../../../core/storage/database/index.js";
import {
  fetchAutomation,
  readAutomation,
  waitForRuns,
} from "../../support/automations.js";
import { newBatchCaller } from "../../support/batches.js";
import { eventually, until } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { NocodbServer } from "./nocodb-server.js";

const hooks = z.object({ list: z.array(z.object({ id: z.string() })) });

if (NocodbServer.address())
  describe("an automation that looks for changes in NocoDB", () => {
    const service = useService({
      config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
    });
    let nocodb: NocodbServer;
    let baseId: string;
    let tableId: string;
    before(async () => {
      nocodb = await NocodbServer.signIn();
      baseId = await nocodb.makeBase("Changes");
      tableId = await nocodb.makeTable(baseId, "Orders", [
        { title: "Name", type: "SingleLineText" },
      ]);
      await nocodb.addRows(baseId, tableId, [{ Name: "First" }]);
    });

    async function createAutomation(token: string) {
      const caller = await newBatchCaller(service);
      const { id: connectionId } = await service.container
        .resolve(tokens.CONNECTIONS)
        .create(
          caller,
          {
            platform: "nocodb",
            name: "Orders",
            credentials: { url: nocodb.url, token },
          },
          operator,
        );
      const templateId = await publish(service.store, caller, {
        definition: {
          schema: [
            {
              id: "root",
              connection: { platform: "nocodb", baseId, tableId },
              fields: [{ name: "name", source: "Name", type: "String" }],
            },
          ],
          components: [{ type: "text", text: "{{ root.name }}" }],
        },
      });
      const { id } = await readAutomation(
        await caller.post("/api/automations", {
          templateId,
          platform: "nocodb",
          connectionId,
          records: { filter: "(Name,notblank)" },
          formats: ["html"],
          when: { everyMinutes: 1440 },
        }),
        201,
      );
      const { changes } = await eventually(async () => {
        const found = await fetchAutomation(caller, id);
        const isTried =
          found.changes?.via === "webhook" || found.changes?.message != null;
        return isTried && found;
      });
      return { caller, id, changes };
    }

    const listHooks = async () => {
      const path = `api/v2/meta/tables/${tableId}/hooks`;
      return (await nocodb.send(path, hooks)).list;
    };

    it("starts a run when a record is added or changed, and deletes its webhook in the end", async () => {
      const { caller, id, changes } = await createAutomation(
        await nocodb.makeToken(),
      );
      expect(changes).to.deep.equal({
        via: "webhook",
        message: null,
        url: null,
      });
      expect(await listHooks()).to.have.length(1);
      await waitForRuns(caller, id, 1);
      const passTime = () =>
        service.store.unitOfWork.run((tx) => {
          const then = new Date(Date.now() - 3_600_000);
          const times = { startedAt: then, endedAt: then };
          return tx.update(AutomationRun, { automationId: id }, times);
        });
      await passTime();
      const [added = ""] = await nocodb.addRows(baseId, tableId, [
        { Name: "New" },
      ]);
      expect(await waitForRuns(caller, id, 2)).to.include({ documentCount: 1 });
      await passTime();
      await nocodb.send(
        `api/v3/data/${baseId}/${tableId}/records`,
        z.unknown(),
        [{ id: added, fields: { Name: "Changed" } }],
        "PATCH",
      );
      expect(await waitForRuns(caller, id, 3)).to.include({ documentCount: 1 });
      await caller.delete(`/api/automations/${id}`);
      await until("the webhook is deleted", async () => {
        return (await listHooks()).length === 0;
      });
    });

    it("polls when the token's user may not create webhooks, and says so", async () => {
      const { changes } = await createAutomation(
        await nocodb.makeMemberToken(baseId, "editor"),
      );
      expect(changes?.via).to.equal("poll");
      expect(changes?.message).to.match(/NocoDB/);
      expect(changes?.url).to.match(/^http/);
    });
  });
