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
import { countBatches } from "../../support/links.js";
import { newTableCaller, readRecipe } from "../../support/recipes.js";
import type { RecordCaller } from "../../support/records.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { eachNocodb, type NocodbServer } from "./nocodb-server.js";

const hasId = z.object({ id: z.string() });
const files = z.array(z.object({ title: z.string() })).nullable();
const page = z.object({
  records: z.array(
    z.object({ id: z.number(), fields: z.object({ Documents: files }) }),
  ),
});
const hooks = z.object({ list: z.array(hasId) });

eachNocodb((open) => {
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
  });

  describe("the recipe for a NocoDB webhook", () => {
    let nocodb: NocodbServer;
    let baseId: string;
    let tableId: string;
    let caller: RecordCaller;
    before(async () => {
      nocodb = await open();
      baseId = await nocodb.makeBase("Recipe");
      tableId = await nocodb.makeTable(baseId, "Orders", [
        { title: "Name", type: "SingleLineText" },
        {
          title: "Status",
          type: "SingleSelect",
          options: { choices: [{ title: "Draft" }, { title: "Ready" }] },
        },
        { title: "Documents", type: "Attachment" },
      ]);
      const credentials = { url: nocodb.url, token: await nocodb.makeToken() };
      const connection = { platform: "nocodb", baseId, tableId };
      caller = await newTableCaller(service, credentials, connection);
    });

    const readHeaders = () => {
      const value = readRecipe("nocodb-idempotency-key.txt").trim();
      return [
        { enabled: true, name: "x-api-key", value: caller.key },
        { enabled: true, name: "Idempotency-Key", value },
      ];
    };
    const describeWebhook = (
      event: string,
      operation: string,
      templateId = caller.templateId,
    ) => ({
      title: `${event} ${operation}`,
      event,
      operation: [operation],
      version: "v3",
      active: true,
      condition: operation === "update",
      notification: {
        type: "URL",
        payload: {
          method: "POST",
          path: `${service.url}/api/export/batch/nocodb`,
          headers: readHeaders(),
          parameters: [],
          auth: "",
          body: readRecipe("nocodb-webhook-body.txt", { templateId }),
        },
      },
    });
    const createWebhook = async (event: string, operation: string) => {
      const path = `api/v2/meta/tables/${tableId}/hooks`;
      const webhook = describeWebhook(event, operation);
      return (await nocodb.send(path, hasId, webhook)).id;
    };
    const press = (hookId: string, row: string) =>
      nocodb.send(
        `api/v2/meta/hooks/${hookId}/trigger/${row}`,
        z.unknown(),
        {},
      );
    const listFiles = async (rows: readonly string[]) => {
      const path = `api/v3/data/${baseId}/${tableId}/records`;
      const { records } = await nocodb.send(path, page);
      return rows.map((row) =>
        records
          .find(({ id }) => String(id) === row)
          ?.fields.Documents?.map(({ title }) => title),
      );
    };

    const waitForFiles = (rows: string[], expected: string[][]) =>
      until("the files are in the cells", async () => {
        const all = await listFiles(rows);
        return JSON.stringify(all) === JSON.stringify(expected);
      });

    it("creates one document when a button is pressed twice", async () => {
      const id = await createWebhook("manual", "trigger");
      const rows = await nocodb.addRows(baseId, tableId, [{ Name: "Ada" }]);
      await press(id, rows[0] ?? "");
      await press(id, rows[0] ?? "");
      await waitForFiles(rows, [["Ada.pdf"]]);
      expect(await countBatches(caller)).to.equal(1);
      // The record has changed since: its file was written.
      await press(id, rows[0] ?? "");
      await waitForFiles(rows, [["Ada.pdf", "Ada.pdf"]]);
    });

    it("creates one document of each record that begins to meet its condition", async () => {
      const id = await createWebhook("after", "update");
      const fields = await nocodb.getFields(baseId, tableId);
      await nocodb.send(`api/v2/meta/hooks/${id}/filters`, z.unknown(), {
        fk_column_id: fields.get("Status"),
        comparison_op: "eq",
        value: "Ready",
      });
      const names = ["Bo", "Cy", "Di"];
      const earlier = await countBatches(caller);
      const rows = await nocodb.addRows(
        baseId,
        tableId,
        names.map((Name) => ({ Name, Status: "Draft" })),
      );
      const makeReady = (some: string[]) =>
        nocodb.send(
          `api/v3/data/${baseId}/${tableId}/records`,
          z.unknown(),
          some.map((row) => ({ id: row, fields: { Status: "Ready" } })),
          "PATCH",
        );
      await makeReady(rows.slice(0, 2));
      await waitForFiles(rows.slice(0, 2), [["Bo.pdf"], ["Cy.pdf"]]);
      // Writing the files has run the webhook no more before this.
      await makeReady(rows.slice(2));
      await waitForFiles(
        rows,
        names.map((name) => [`${name}.pdf`]),
      );
      expect(await countBatches(caller)).to.equal(earlier + 2);
    });

    it("shows the message of the service when it is tested", async () => {
      const path = `api/v2/meta/tables/${tableId}/hooks/test`;
      const unknown = "99999999-0000-0000-0000-000000000000";
      const test = (templateId?: string) =>
        nocodb
          .send(path, z.unknown(), {
            hook: describeWebhook("manual", "trigger", templateId),
            payload: { data: { rows: [{ Id: 987 }] } },
          })
          .then(String, String);
      expect(await test()).to.match(/Client error \(400\): .*987/);
      // NocoDB says nothing else of any 404.
      expect(await test(unknown)).to.contain("Endpoint not found");
    });
  });

  describe("an automation that looks for changes in NocoDB", () => {
    let nocodb: NocodbServer;
    let baseId: string;
    let tableId: string;
    before(async () => {
      nocodb = await open();
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
});
