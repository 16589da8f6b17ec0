import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { Batch } from "../../../core/storage/database/index.js";
import { until } from "../../support/eventually.js";
import { newTableCaller, readRecipe } from "../../support/recipes.js";
import type { RecordCaller } from "../../support/records.js";
import { useService } from "../../support/service.js";
import { NocodbServer } from "./nocodb-server.js";

const hasId = z.object({ id: z.string() });
const files = z.array(z.object({ title: z.string() })).nullable();
const page = z.object({
  records: z.array(
    z.object({ id: z.number(), fields: z.object({ Documents: files }) }),
  ),
});

if (NocodbServer.address())
  describe("the recipe for a NocoDB webhook", () => {
    const service = useService({
      config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
    });
    let nocodb: NocodbServer;
    let baseId: string;
    let tableId: string;
    let caller: RecordCaller;
    before(async () => {
      nocodb = await NocodbServer.signIn();
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
    const countBatches = () => service.store.read.count(Batch);

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
      expect(await countBatches()).to.equal(1);
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
      const earlier = await countBatches();
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
      expect(await countBatches()).to.equal(earlier + 2);
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
