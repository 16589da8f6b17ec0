import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { after, afterEach, before, describe, it } from "mocha";
import { connectionSchema } from "../../core/api/routes/connections.js";
import { createQueue } from "../../core/queue/index.js";
import {
  Automation,
  AutomationRecord,
  AutomationRun,
  Batch,
  ChangeSubscription,
  Template,
} from "../../core/storage/database/index.js";
import {
  addTestBase,
  listFiles,
  nameDefinition,
  type TestBase,
} from "../support/airtable-bases.js";
import {
  changes,
  fetchAutomation,
  readAutomation,
  waitForRuns,
  weekly,
} from "../support/automations.js";
import { reader, requestsTo } from "../support/caller.js";
import { until } from "../support/eventually.js";
import {
  airtableScopes,
  FakeAirtable,
} from "../support/fakes/fake-airtable.js";
import { silentLog } from "../support/recording-log.js";
import { startServiceProcess } from "../support/service-process.js";
import { eachDatabase, publish } from "../support/store.js";
import { suiteFolder } from "../support/store-folder.js";
import { waitForWriteBacks } from "../support/records.js";

const readConnection = reader(connectionSchema);

eachDatabase((open, location) => {
  describe("an automation of several workers", () => {
    const folder = join(suiteFolder(), "data");
    const env = {
      PLATEN_DATA: folder,
      PLATEN_DATABASE_URL:
        location.kind === "mysql" ? location.url : `sqlite:${location.file}`,
      PLATEN_WORKER_LEASE: "1s",
      PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
    };
    let fake: FakeAirtable;
    before(async () => {
      fake = await FakeAirtable.start();
    });
    after(() => fake.close());

    const workers: ReturnType<typeof startServiceProcess>[] = [];
    afterEach(async () => {
      const started = workers.splice(0);
      for (const one of started) one.kill("SIGKILL");
      await Promise.all(started.map((one) => one.ended));
    });
    function startWorker(baseUrl: string) {
      const worker = startServiceProcess(
        { ...env, PLATEN_BASE_URL: baseUrl },
        "worker",
      );
      workers.push(worker);
      return worker;
    }

    /** A service without workers, with a connection to the fake. */
    async function startShop() {
      const server = startServiceProcess(env, "serve");
      const url = await server.url;
      const key = (await readFile(join(folder, "demo-key.txt"), "utf8")).trim();
      const caller = requestsTo(() => url, key);
      const store = await open();
      const { organizationId, createdById: userId } =
        await store.read.findOneByOrFail(Template, {});
      const templateId = await publish(
        store,
        { organizationId, userId },
        { definition: nameDefinition },
      );
      const credentials = {
        token: fake.addToken("pat.shop", [...airtableScopes, "webhook:manage"]),
        endpointUrl: fake.url,
        contentUrl: fake.url,
      };
      const { id: connectionId } = await readConnection(
        await caller.post("/api/connections", {
          platform: "airtable",
          name: "Shop",
          credentials,
        }),
        201,
      );
      const createAutomation = async (base: TestBase, when: object) =>
        readAutomation(
          await caller.post("/api/automations", {
            templateId,
            platform: "airtable",
            connectionId,
            baseId: base.id,
            tableId: "Orders",
            records: { emptyAttachment: true },
            attachmentField: "Documents",
            formats: ["html"],
            when,
          }),
          201,
        );
      return {
        url,
        caller,
        store,
        organizationId,
        templateId,
        createAutomation,
      };
    }
    let shop: ReturnType<typeof startShop> | undefined;

    it("makes one batch for a due time at which they were killed", async function () {
      this.timeout(180_000);
      const base = addTestBase(fake, "Shop", 3);
      const { url, caller, store, organizationId, templateId, ...more } =
        await (shop ??= startShop());
      const { id } = await more.createAutomation(base, weekly);
      let lists = 0;
      fake.beforeList = () => {
        lists += 1;
        return new Promise(() => undefined);
      };
      const worker = () => startWorker(url);
      const killed = [worker(), worker()];
      await Promise.all(killed.map((one) => one.url));

      // Due three weeks ago, and so at three times.
      const dueAt = new Date(Date.now() - 21 * 24 * 60 * 60_000);
      const queue = createQueue({ ...store, log: silentLog }, { node: "test" });
      await store.unitOfWork.run(async (tx) => {
        await tx.update(Automation, { id }, { nextRunAt: dueAt });
        await queue.enqueue(tx, [
          {
            kind: "automation",
            rowId: id,
            partitionKey: organizationId,
            runAt: dueAt,
          },
        ]);
      });
      await until("the records are listed", () => lists > 0);
      for (const one of killed) one.kill("SIGKILL");
      await Promise.all(killed.map((one) => one.ended));
      const [run] = await store.read.find(AutomationRun);
      expect(run).to.include({ status: "running", batchId: null });
      expect(await store.read.countBy(Batch, { templateId })).to.equal(0);

      fake.beforeList = () => undefined;
      const others = [worker(), worker()];
      await Promise.all(others.map((one) => one.url));
      const ended = await waitForRuns(caller, id, 1);
      expect(ended).to.include({
        id: run?.id,
        status: "accepted",
        dueAt: dueAt.toISOString(),
        documentCount: 3,
      });
      await waitForWriteBacks(caller, ended.batchId ?? "");
      expect(await store.read.countBy(Batch, { templateId })).to.equal(1);
      expect(
        await store.read.countBy(AutomationRecord, { automationId: id }),
      ).to.equal(3);
      expect(listFiles(base).map(({ length }) => length)).to.deep.equal([
        1, 1, 1,
      ]);
    });

    it("has one webhook when a worker was killed while it was created", async function () {
      this.timeout(180_000);
      const base = addTestBase(fake, "Hooks", 1);
      const { caller, store, ...more } = await (shop ??= startShop());
      const publicUrl = "https://platen.example.com";
      fake.webhooks.beforeReply = () =>
        fake.webhooks.all.length > 0
          ? new Promise(() => undefined)
          : Promise.resolve();
      const { id } = await more.createAutomation(base, changes);
      const killed = startWorker(publicUrl);
      await killed.url;
      await until("a webhook is created", () => fake.webhooks.all.length === 1);
      killed.kill("SIGKILL");
      await killed.ended;
      fake.webhooks.beforeReply = () => undefined;
      const worker = startWorker(publicUrl);
      await worker.url;
      await until("the automation knows its webhook", async () => {
        const { via } = (await fetchAutomation(caller, id)).changes ?? {};
        return via === "webhook";
      });
      const row = await store.read.findOneByOrFail(ChangeSubscription, {
        automationId: id,
      });
      expect(fake.webhooks.all.map((one) => one.id)).to.deep.equal([
        row.remoteId,
      ]);
    });
  });
});
