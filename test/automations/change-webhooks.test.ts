import { expect } from "chai";
import { parseConfig } from "../../config/index.js";
import {
  Automation,
  AutomationRun,
  ChangeSubscription,
} from "../../core/storage/database/index.js";
import { QUEUE } from "../../core/queue/index.js";
import {
  type AirtableCaller,
  addTestBase,
  newAirtableCaller,
  type TestBase,
} from "../support/airtable-bases.js";
import {
  fetchAutomation,
  fetchRuns,
  readAutomation,
  waitForRuns,
} from "../support/automations.js";
import { fetchBatch } from "../support/batches.js";
import { installClock } from "../support/clock.js";
import { until } from "../support/eventually.js";
import {
  airtableScopes,
  FakeAirtable,
} from "../support/fakes/fake-airtable.js";
import { useServer } from "../support/fakes/fake-server.js";
import { freePort } from "../support/free-port.js";
import { type TestService, useService } from "../support/service.js";

const daily = { everyMinutes: 1440, startFrom: "now" } as const;
const scopes = [...airtableScopes, "webhook:manage"];
const allowLocal = {
  outbound: {
    ...parseConfig({}).outbound,
    allowPrivateNetworks: ["127.0.0.0/8"],
  },
};

const port = await freePort();

describe("an automation that looks for changes in Airtable", () => {
  const service = useService({
    config: { ...allowLocal, baseUrl: "https://platen.example.com", port },
  });
  const fake = useServer(new FakeAirtable());
  fake.webhooks.toReachable = (url) =>
    url.replace("https://platen.example.com", service.url);

  const webhooksOf = (base: TestBase) =>
    fake.webhooks.all.filter(({ tableId }) => tableId === base.table.id);

  async function newCaller() {
    const caller = await newAirtableCaller(service, fake);
    fake.addToken(`pat.${caller.organizationId}`, scopes);
    return caller;
  }

  /** An automation whose records were noted, and that has a webhook. */
  async function watch(name: string) {
    const caller = await newCaller();
    const base = addTestBase(fake, name, 1);
    const { id } = await createAutomation(caller, base);
    await waitForRuns(caller, id, 1);
    await waitForWebhook(caller, id);
    await passTime(service, id);
    return { caller, base, id };
  }

  it("starts a run when the platform reports one", async () => {
    const { caller, base, id } = await watch("Reported");
    expect((await fetchAutomation(caller, id)).changes).to.deep.equal({
      via: "webhook",
      message: null,
      url: null,
    });
    const added = base.table.add({ Name: "New" });
    expect(await fake.webhooks.notify(base.table.id)).to.deep.equal([204]);
    const run = await waitForRuns(caller, id, 2);
    expect(run).to.include({ origin: "change", documentCount: 1 });
    const { documents } = await fetchBatch(caller, run.batchId ?? "");
    expect(documents[0]?.metadata?.["recordId"]).to.equal(added);
  });

  it("makes one run of many notices", async () => {
    const { caller, base, id } = await watch("Many");
    base.table.add({ Name: "New" });
    // The service waits for further notices until all have come.
    const restore = installClock({
      pause: (milliseconds) => milliseconds * 100,
    });
    const notices = Array.from({ length: 20 }, () =>
      fake.webhooks.notify(base.table.id),
    );
    await Promise.all(notices).finally(restore);
    await makeDue(service, "automation", id);
    await waitForRuns(caller, id, 2);
    // It waits for its interval again.
    const [next = ""] = (await fetchAutomation(caller, id)).nextRuns;
    expect(new Date(next).getTime()).to.be.above(Date.now() + 3_600_000);
    expect(await fetchRuns(caller, id)).to.have.length(2);
  });

  it("is not changed by a forged notice or one with an unknown token, which are answered alike", async () => {
    const { caller, base, id } = await watch("Forged");
    const earlier = await fetchAutomation(caller, id);
    const forged = await fake.webhooks.notify(base.table.id, () =>
      "0".repeat(64),
    );
    expect(forged).to.deep.equal([204]);
    const [{ notificationUrl } = { notificationUrl: "" }] = webhooksOf(base);
    const at = fake.webhooks.toReachable(notificationUrl);
    for (const url of [at, at.slice(0, -4) + "AAAA", at.slice(0, -20)]) {
      const reply = await fetch(url, { method: "POST", body: "{}" });
      expect(reply.status, url).to.equal(204);
      expect(await reply.text()).to.equal("");
    }
    expect((await fetchAutomation(caller, id)).nextRuns).to.deep.equal(
      earlier.nextRuns,
    );
  });

  it("answers notices as before when its connection was deleted", async () => {
    const { caller, base } = await watch("Disconnected");
    const path = `/api/connections/${caller.connectionId}`;
    expect((await caller.delete(path)).ok).to.equal(true);
    expect(await fake.webhooks.notify(base.table.id)).to.deep.equal([204]);
  });

  it("answers 429 to a sender of too many notices that are not genuine", async () => {
    const { base } = await watch("Flood");
    const [{ notificationUrl } = { notificationUrl: "" }] = webhooksOf(base);
    const at = fake.webhooks.toReachable(notificationUrl);
    const statuses = new Set<number>();
    for (let sent = 0; sent < 300 && !statuses.has(429); sent += 1)
      statuses.add((await fetch(at, { method: "POST" })).status);
    expect([...statuses]).to.have.members([204, 429]);
  });

  it("has no webhook while it is paused, and none after it is deleted", async () => {
    const { caller, base, id } = await watch("Paused");
    const path = `/api/automations/${id}`;
    const paused = await readAutomation(
      await caller.patch(path, { isPaused: true }),
    );
    expect(paused.changes).to.equal(null);
    await until("the webhook is deleted", () => webhooksOf(base).length === 0);
    await caller.patch(path, { isPaused: false });
    await until("there is one again", () => webhooksOf(base).length === 1);
    expect((await caller.delete(path)).status).to.equal(200);
    await until("the webhook is deleted", () => webhooksOf(base).length === 0);
    await until("nothing is left to do", async () => {
      const automationId = id;
      return !(await service.store.read.existsBy(ChangeSubscription, {
        automationId,
      }));
    });
  });

  it("has no webhook when it gets a schedule instead", async () => {
    const { caller, base, id } = await watch("Scheduled");
    const when = { cron: "0 8 * * 1", timeZone: "UTC" };
    const changed = await readAutomation(
      await caller.patch(`/api/automations/${id}`, { when }),
    );
    expect(changed.changes).to.equal(null);
    await until("the webhook is deleted", () => webhooksOf(base).length === 0);
  });

  it("polls when the token may not create webhooks, says why, and looks when its address is called", async () => {
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Scope", 1);
    const { id } = await createAutomation(caller, base);
    const changes = await waitForMessage(caller, id);
    expect(changes?.via).to.equal("poll");
    expect(changes?.message).to.contain("lacks the scope webhook:manage");
    await waitForRuns(caller, id, 1);
    await passTime(service, id);
    base.table.add({ Name: "New" });
    const at = fake.webhooks.toReachable(changes?.url ?? "");
    expect((await fetch(at, { method: "POST" })).status).to.equal(204);
    expect(await waitForRuns(caller, id, 2)).to.include({ documentCount: 1 });
  });

  it("gets its webhook as soon as its connection has credentials that may create it", async () => {
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Renewed", 1);
    const { id } = await createAutomation(caller, base);
    await waitForMessage(caller, id);
    const at = `/api/connections/${caller.connectionId}`;
    const token = `pat.${caller.organizationId}.renewed`;
    fake.addToken(token, scopes);
    const credentials = { token, endpointUrl: fake.url, contentUrl: fake.url };
    const changed = await caller.patch(at, { credentials });
    expect(changed.status, await changed.text()).to.equal(200);
    await waitForWebhook(caller, id);
    expect(webhooksOf(base)).to.have.length(1);
  });

  it("leaves one webhook when the answer to its creation was lost", async () => {
    const caller = await newCaller();
    const base = addTestBase(fake, "Lost", 1);
    let replies = 0;
    fake.webhooks.beforeReply = () => {
      const isCreated = webhooksOf(base).length > 0;
      if (isCreated && ++replies === 1) throw new Error("lost");
    };
    const { id } = await createAutomation(caller, base);
    await waitForWebhook(caller, id);
    fake.webhooks.beforeReply = () => undefined;
    expect(replies).to.be.above(1);
    expect(webhooksOf(base)).to.have.length(1);
    await waitForRuns(caller, id, 1);
    await passTime(service, id);
    base.table.add({ Name: "New" });
    await fake.webhooks.notify(base.table.id);
    expect(await waitForRuns(caller, id, 2)).to.include({ documentCount: 1 });
  });

  it("extends its webhook every day, and creates it again when it was deleted or switched off", async () => {
    const { base, id } = await watch("Extended");
    const [first] = webhooksOf(base);
    if (!first) throw new Error("there is no webhook");
    first.expiresAt -= 86_400_000;
    const { expiresAt } = first;
    await makeDue(service, "change-subscription", id);
    await until("it is extended", () => first.expiresAt > expiresAt);
    expect(webhooksOf(base)).to.deep.equal([first]);
    first.isEnabled = false;
    await makeDue(service, "change-subscription", id);
    const isReplaced = (earlier: string) => async () => {
      const row = await service.store.read.findOneByOrFail(ChangeSubscription, {
        automationId: id,
      });
      const ids = webhooksOf(base).map((one) => one.id);
      return ids.join() === row.remoteId && row.remoteId !== earlier;
    };
    await until("it is replaced", isReplaced(first.id));
    const [second] = webhooksOf(base);
    fake.webhooks.all = fake.webhooks.all.filter((one) => one !== second);
    await makeDue(service, "change-subscription", id);
    await until("it is created again", isReplaced(second?.id ?? ""));
  });

  it("says so when the base has as many webhooks as it can have", async () => {
    const caller = await newCaller();
    const base = addTestBase(fake, "Full", 1);
    const [any] = fake.webhooks.all;
    const owner = fake.bases.find(({ id }) => id === base.id);
    if (!any || !owner) throw new Error("there is no webhook");
    const full = { ...any, base: owner, tableId: "tblOther" };
    for (let at = 0; at < 10; at += 1)
      fake.webhooks.all.push({ ...full, id: `ach${at}` });
    const { id } = await createAutomation(caller, base);
    const changes = await waitForMessage(caller, id);
    expect(changes?.message).to.contain("maximum number of webhooks");
  });
});

describe("an automation of a service without a public address", () => {
  const service = useService({ config: allowLocal });
  const fake = useServer(new FakeAirtable());

  it("polls, and says which setting is missing", async () => {
    const caller = await newAirtableCaller(service, fake);
    fake.addToken(`pat.${caller.organizationId}`, scopes);
    const base = addTestBase(fake, "Local", 1);
    const { id } = await createAutomation(caller, base);
    const changes = await waitForMessage(caller, id);
    expect(changes?.via).to.equal("poll");
    expect(changes?.message).to.contain(
      "Set PLATEN_BASE_URL to the public https address of this service.",
    );
    expect(fake.webhooks.all).to.deep.equal([]);
  });
});

function waitForWebhook(caller: AirtableCaller, id: string) {
  return until("there is a webhook", async () => {
    const { changes } = await fetchAutomation(caller, id);
    return changes?.via === "webhook";
  });
}

/** What it says of its webhook, once it says why there is none. */
function waitForMessage(caller: AirtableCaller, id: string) {
  return until("it says why there is no webhook", async () => {
    const { changes } = await fetchAutomation(caller, id);
    return (changes?.message ?? null) !== null && changes;
  });
}

async function createAutomation(caller: AirtableCaller, base: TestBase) {
  const { templateId, connectionId } = caller;
  return readAutomation(
    await caller.post("/api/automations", {
      templateId,
      platform: "airtable",
      connectionId,
      baseId: base.id,
      tableId: "Orders",
      records: { filter: "TRUE()" },
      formats: ["html"],
      when: daily,
    }),
    201,
  );
}

/** Lets the runs have ended an hour ago, so that the next look need not wait. */
function passTime({ store }: TestService, automationId: string) {
  const then = new Date(Date.now() - 3_600_000);
  const times = { startedAt: then, endedAt: then };
  return store.unitOfWork.run((tx) =>
    tx.update(AutomationRun, { automationId }, times),
  );
}

/** Lets the next look, or the check of the webhook, be due. */
async function makeDue(
  service: TestService,
  kind: "automation" | "change-subscription",
  automationId: string,
) {
  const queue = service.container.resolve(QUEUE);
  await service.store.unitOfWork.run(async (tx) => {
    const now = new Date(Date.now() - 1000);
    if (kind === "automation")
      await tx.update(Automation, { id: automationId }, { nextRunAt: now });
    else
      await tx.update(
        ChangeSubscription,
        { automationId },
        { nextAttemptAt: now },
      );
    await queue.enqueue(tx, [{ kind, rowId: automationId }]);
  });
  queue.nudge(kind);
}
