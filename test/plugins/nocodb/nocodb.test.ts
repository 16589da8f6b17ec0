import { expect } from "chai";
import { z } from "zod";
import { operator } from "../../../core/accounts/index.js";
import { acceptedBatchSchema } from "../../../core/api/routes/batches.js";
import { AutomationRun } from "../../../core/storage/database/index.js";
import {
  FaultProxies,
  faults,
} from "../../../plugins/contract-suite/fault-proxy.js";
import {
  SuiteHost,
  createFile,
} from "../../../plugins/contract-suite/platform-session.js";
import type { ServerCredentials } from "../../../plugins/lib/rest-server.js";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";
import { ConnectionService } from "../../../core/integrations/connections/index.js";
import {
  fetchAutomation,
  readAutomation,
  waitForRuns,
} from "../../support/automations.js";
import { newBatchCaller } from "../../support/batches.js";
import { readError, reader } from "../../support/caller.js";
import { eventually, until } from "../../support/eventually.js";
import { countBatches } from "../../support/links.js";
import { newTableCaller, readRecipe } from "../../support/recipes.js";
import {
  sendRecords,
  sumDefinition,
  waitForWriteBacks,
  type RecordCaller,
} from "../../support/records.js";
import { type TestService, useService } from "../../support/service.js";
import { getRefusal } from "../../support/store.js";
import { useNock } from "../../support/use-nock.js";
import {
  eachNocodb,
  createOrders,
  type NocodbServer,
} from "./nocodb-server.js";

const hostAt = (url: string, token = "t") =>
  new SuiteHost(nocodbPlugin, { url, token });

describe("the rate of requests to NocoDB", () => {
  for (const [url, pace] of [
    ["https://app.nocodb.com", 4.5],
    ["https://tables.example.com", null],
  ] as const)
    it(`is ${pace ?? "without a limit"} at ${url}`, () => {
      const credentials = { url, token: "t" };
      expect(nocodbPlugin.rate.perSecond?.(credentials)).to.equal(pace);
    });
});

describe("the test of a connection to NocoDB", () => {
  const using = useNock();
  const url = "https://nocodb.invalid";

  it("warns about the bases in which the token's user, or the workspace, may only read", async () => {
    const list = [
      { project_role: "viewer", workspace_role: "workspace-level-creator" },
      { project_role: "commenter" },
      { project_role: null, workspace_role: "workspace-level-viewer" },
      { project_role: "editor", workspace_role: "workspace-level-viewer" },
      { project_role: "owner" },
      { project_role: "newer-role" },
      {},
    ].map((roles, at) => ({ id: `p${at}`, title: `Base ${at}`, ...roles }));
    using.nock(url).get("/api/v2/meta/bases").reply(200, { list });
    const { warnings = [] } = await hostAt(url).check();
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0])
      .to.contain('"Base 0", "Base 1", "Base 2".')
      .and.contain("Members")
      .and.contain("Editor");
  });

  eachNocodb((open) => {
    it("finds the role of the token's user", async () => {
      const server = await open();
      const base = await server.makeBase("Roles");
      const check = async (role: string) =>
        hostAt(server.url, await server.makeMemberToken(base, role)).check();
      for (const role of ["viewer", "commenter"])
        expect((await check(role)).warnings?.join()).to.contain('"Roles"');
      for (const role of ["editor", "creator", "owner"])
        expect(await check(role)).to.deep.equal({ account: "Roles" });
      expect((await check("no-access")).warnings?.join()).to.contain("no base");
    });
  });
});

describe("the number fields of NocoDB", () => {
  const using = useNock();
  const url = "https://nocodb.invalid";

  it("have the format of currencies with a known code, and of percentages that are no fractions", async () => {
    const fields = [
      { type: "Number" },
      { type: "Currency", options: { locale: "de-DE", code: "EUR" } },
      { type: "Currency", options: { locale: "en-US" } },
      { type: "Percent", options: { show_as_progress: true } },
    ].map((one, at) => ({ ...one, id: `c${at}`, title: `Field ${at}` }));
    const table = { id: "m1", title: "Prices" };
    const path = "/api/v3/meta/bases/p1/tables";
    using
      .nock(url)
      .get(path)
      .reply(200, { list: [table] })
      .get(`${path}/m1`)
      .reply(200, { ...table, fields });
    const [found] = await hostAt(url).describe("p1");
    expect(
      found?.fields.map(({ format, currency }) => [format, currency]),
    ).to.deep.equal([
      [undefined, undefined],
      ["currency", "EUR"],
      [undefined, undefined],
      ["wholePercent", undefined],
    ]);
  });
});

const readAccepted = reader(acceptedBatchSchema);

const config = { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } };

type Orders = Awaited<ReturnType<typeof createOrders>>;

/** A caller with a connection to NocoDB and a template over its orders. */
async function newOrderCaller(
  service: TestService,
  credentials: ServerCredentials,
) {
  const caller = await newBatchCaller(service);
  const input = { platform: "nocodb", name: "Shop", credentials };
  const { id: connectionId } = await service.container
    .resolve(ConnectionService)
    .create(caller, { ...input, credentials: { ...credentials } }, operator);
  const definition = sumDefinition("Number", "Amount");
  const templateId = await caller.publish({ definition });
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
      expect(await listFiles(2)).to.deep.equal(["R-2.html"]);
      const again = await send({ viewId });
      expect(again.status).to.equal(400);
      expect(await readError(again)).to.contain("has no view");
    });

    it("are none for a filter that NocoDB cannot use, with the reason", async () => {
      const { host, scope } = shop;
      for (const [filter, words] of [
        ["Number = 1", "expected a logical operator"],
        ["(Nope,eq,1)", "'Nope' not found"],
        [{ Numbr: "1" }, 'Did you mean "Number"?'],
        [{ Number: `"it's"` }, "both kinds of quotation marks"],
        [" ", "must be a where clause"],
        [5, "must be an object"],
      ] as const)
        expect(await getRefusal(host.listRows(scope, { filter })))
          .to.match(/^invalid_field /)
          .and.contain(words);
    });
  });

  describe("files that are written to NocoDB", () => {
    const orderCount = 50;
    let shop: Orders;
    let proxies: FaultProxies;
    let credentials: ServerCredentials;
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
          expect(names).to.deep.equal([`R-${at}.html`]);
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
        .resolve(ConnectionService)
        .create(
          caller,
          {
            platform: "nocodb",
            name: "Orders",
            credentials: { url: nocodb.url, token },
          },
          operator,
        );
      const templateId = await caller.publish({
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
