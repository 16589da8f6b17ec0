import { expect } from "chai";
import { IsNull, Not, type ObjectLiteral } from "typeorm";
import { parseConfig } from "../../config/index.js";
import {
  Automation,
  AutomationRecord,
  Batch,
  Job,
  Membership,
  Organization,
  Template,
} from "../../core/storage/database/index.js";
import {
  changes,
  createAutomation,
  fetchAutomation,
  fetchRuns,
  makeDue,
  postAutomation,
  readAutomation,
  runNow,
  startRun,
  waitForRuns,
} from "../support/automations.js";
import { fetchBatch } from "../support/batches.js";
import { readError, refusal } from "../support/caller.js";
import { until } from "../support/eventually.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
  waitForWriteBacks,
} from "../support/records.js";
import { Gate } from "../support/renderer.js";
import { PlatformError } from "../../core/plugin-api/index.js";
import { listActs } from "../support/audit.js";
import { withRows } from "../support/rows.js";

const view = { records: { viewId: "All" }, attachmentField: undefined };

describe("an automation", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform, {
    config: { batch: { ...parseConfig({}).batch, maxItems: 4 } },
  });
  const ids = ["A", "B", "C"];
  for (const id of ids) addOrder(platform, id, 1);
  platform.view("tblOrders", "All", ids);

  /** A view of its own for a test, with new orders. */
  function addView(name: string, count: number): string[] {
    const added = Array.from({ length: count }, (_, at) => `${name}-${at}`);
    for (const id of added) addOrder(platform, id, 0);
    platform.view("tblOrders", name, added);
    return added;
  }
  const rename = (id: string, number: string) =>
    platform.row("tblOrders", {
      id,
      fields: { fldNumber: number, fldDate: "2026-11-21" },
      links: { fldLines: [], fldCustomer: [`${id}-c`] },
    });

  it("is created with its next runs, read, listed, changed and deleted", async () => {
    const caller = await newRecordCaller(service);
    const created = await createAutomation(caller, { name: "Invoices" });
    expect(created).to.include({
      name: "Invoices",
      tableName: "Orders",
      attachmentField: "Invoice",
      missedRuns: "run-once",
      repeat: "changed",
      state: "active",
      lastRun: null,
    });
    expect(created.nextRuns).to.have.length(5);
    for (const run of created.nextRuns)
      expect(new Date(run).getUTCDay(), run).to.equal(1);
    expect(await fetchAutomation(caller, created.id)).to.deep.equal(created);
    const path = `/api/automations/${created.id}`;
    const paused = await readAutomation(
      await caller.patch(path, { isPaused: true, name: "Monday" }),
    );
    expect(paused).to.include({ state: "paused", name: "Monday" });
    expect(paused.nextRuns).to.deep.equal([]);
    expect(paused.pausedReason).to.equal(null);
    const resumed = await readAutomation(
      await caller.patch(path, {
        isPaused: false,
        records: { viewId: "All" },
        attachmentField: null,
        when: { cron: "0 0 L * *", timeZone: "UTC" },
      }),
    );
    expect(resumed).to.include({ state: "active", attachmentField: null });
    expect(resumed.records).to.deep.equal({ viewId: "All", viewName: "All" });
    expect(resumed.nextRuns).to.have.length(5);
    expect((await caller.delete(path)).status).to.equal(200);
    expect((await caller.get(path)).status).to.equal(404);
    const acts = await listActs(service, caller.organizationId, created.id);
    expect(acts.map(({ action }) => action)).to.deep.equal([
      "automation.created",
      "automation.changed",
      "automation.changed",
      "automation.deleted",
    ]);
  });

  it("is rejected for a schedule that is never due, an unknown view or another plan", async () => {
    const caller = await newRecordCaller(service);
    const when = { cron: "0 8 31 2 *", timeZone: "UTC" };
    const never = await postAutomation(caller, { when });
    expect(never.status).to.equal(400);
    expect(await readError(never)).to.contain("$.when.cron: is never due");
    const unknown = await postAutomation(caller, { records: { viewId: "Al" } });
    expect(await readError(unknown)).to.contain('Did you mean "All"?');
    const { organizationId: id } = caller;
    await service.store.unitOfWork.run((tx) =>
      tx.update(Organization, { id }, { plan: "pro" }),
    );
    expect(await readError(await postAutomation(caller))).to.contain(
      "Batches require the plan premium or enterprise",
    );
  });

  it("makes one batch at a due time and writes the files back", async () => {
    const caller = await newRecordCaller(service);
    const { id } = await createAutomation(caller);
    const dueAt = await makeDue(service, id);
    const run = await waitForRuns(caller, id, 1);
    expect(run).to.include({
      origin: "schedule",
      status: "accepted",
      dueAt: dueAt.toISOString(),
      documentCount: run.selectedCount,
      message: null,
    });
    const batch = await waitForWriteBacks(caller, run.batchId ?? "");
    expect(batch.createdById).to.equal(caller.userId);
    for (const one of ids)
      expect(platform.listFiles(one)).to.deep.equal([`Order ${one}.html`]);
    const { nextRuns, lastRun } = await fetchAutomation(caller, id);
    expect(new Date(nextRuns[0] ?? 0).getTime()).to.be.above(dueAt.getTime());
    expect(lastRun?.id).to.equal(run.id);
  });

  for (const [repeat, message, whenRenamed] of [
    ["changed", "No record is new or has changed since it was done.", 1],
    ["never", "The source has no new records.", 0],
    ["always", null, 4],
  ] as const)
    it(`does a record again ${repeat === "changed" ? "when it has changed" : repeat}, and leaves what does not fit into a batch for the next run`, async () => {
      const caller = await newRecordCaller(service);
      const [first = ""] = addView(repeat, 6);
      const records = { viewId: repeat };
      const { id } = await createAutomation(caller, { records, repeat });
      /** Its files are written before the next run, which must not take them for changes. */
      const run = async () => {
        const ended = await runNow(caller, id);
        const { batchId } = ended;
        const batch = batchId ? await waitForWriteBacks(caller, batchId) : null;
        const done = batch?.documents.map(
          ({ metadata }) => metadata?.["recordId"],
        );
        const { origin, status, selectedCount, documentCount } = ended;
        expect(done?.length ?? 0).to.equal(documentCount);
        expect([origin, status]).to.eql([
          "manual",
          documentCount === 0 ? "empty" : "accepted",
        ]);
        return [selectedCount, documentCount, ended.message, done?.[0] ?? null];
      };
      const isAlways = repeat === "always";
      const all = [6, 4, null, first];
      expect(await run()).to.eql(all);
      expect(await run()).to.eql(isAlways ? all : [6, 2, null, `${repeat}-4`]);
      expect(await run()).to.eql(isAlways ? all : [6, 0, message, null]);
      rename(first, "renamed");
      expect(await run()).to.eql(
        whenRenamed === 0
          ? [6, 0, message, null]
          : [6, whenRenamed, null, first],
      );
      platform.views.set(repeat, []);
      expect(await run()).to.eql([0, 0, "The source has no records.", null]);
    });

  it("notes the records that exist at its start and makes documents of what changes", async () => {
    const caller = await newRecordCaller(service);
    const [first = "", second = ""] = addView("Changes", 2);
    const records = { viewId: "Changes" };
    const more = { ...view, records, when: changes };
    const { id } = await createAutomation(caller, more);
    expect(await waitForRuns(caller, id, 1)).to.include({
      status: "noted",
      selectedCount: 2,
    });
    rename(second, "changed");
    addOrder(platform, "Changes-new", 0);
    platform.views.set("Changes", [first, second, "Changes-new"]);
    await makeDue(service, id);
    const run = await waitForRuns(caller, id, 2);
    expect(run).to.include({ origin: "change", documentCount: 2 });
    const { documents } = await fetchBatch(caller, run.batchId ?? "");
    expect(
      documents.map(({ metadata }) => metadata?.["recordId"]),
    ).to.have.members([second, "Changes-new"]);
    await makeDue(service, id);
    await waitForRuns(caller, id, 3);
    await makeDue(service, id);
    // Of the looks that find nothing, the log keeps the last.
    const last = await waitForRuns(caller, id, 3);
    expect(last.status).to.equal("empty");
  });

  it("makes documents of the records that exist at its start when it starts from the beginning", async () => {
    const caller = await newRecordCaller(service);
    const when = { everyMinutes: 1, startFrom: "beginning" };
    const { id } = await createAutomation(caller, { ...view, when });
    expect(await waitForRuns(caller, id, 1)).to.include({
      status: "accepted",
      documentCount: 3,
    });
  });

  it("makes up for several missed times with one run", async () => {
    const caller = await newRecordCaller(service);
    const { id } = await createAutomation(caller, {
      ...view,
      when: { cron: "* * * * *", timeZone: "UTC" },
    });
    const dueAt = await makeDue(service, id, 60 * 60_000);
    const run = await waitForRuns(caller, id, 1);
    expect(run).to.include({ status: "accepted", dueAt: dueAt.toISOString() });
    const { nextRuns } = await fetchAutomation(caller, id);
    expect(new Date(nextRuns[0] ?? 0).getTime()).to.be.above(
      dueAt.getTime() + 59 * 60_000,
    );
  });

  it("skips missed times by choice, and says so", async () => {
    const caller = await newRecordCaller(service);
    const more = { ...view, missedRuns: "skip" };
    const { id } = await createAutomation(caller, more);
    await makeDue(service, id, 60 * 60_000);
    const run = await waitForRuns(caller, id, 1);
    expect(run).to.include({ status: "skipped", batchId: null });
    expect(run.message).to.match(
      /^The service was not running at .+ \(Europe\/Berlin\), and missed runs are skipped\.$/,
    );
    await makeDue(service, id);
    expect((await waitForRuns(caller, id, 2)).status).to.equal("accepted");
  });

  const changeRow =
    (
      entity: typeof Organization | typeof Template | typeof Membership,
      change: object,
    ) =>
    async ({ organizationId, userId, templateId }: RecordCaller) => {
      const where =
        entity === Membership
          ? { organizationId, userId }
          : { id: entity === Template ? templateId : organizationId };
      await service.store.unitOfWork.run((tx) =>
        tx.update<ObjectLiteral>(entity, where, change),
      );
    };
  const blocks: Record<string, (caller: RecordCaller) => Promise<unknown>> = {
    "its connection was deleted": (caller) =>
      caller.delete(`/api/connections/${caller.connectionId}`),
    "its template is in the trash": (caller) =>
      caller.delete(`/api/templates/${caller.templateId}`),
    "its template is not active": changeRow(Template, { isActive: false }),
    "the plan has no batches": changeRow(Organization, { plan: "pro" }),
    "its author became a viewer": changeRow(Membership, { role: "viewer" }),
    "its author left": ({ organizationId, userId }) =>
      service.store.unitOfWork.run((tx) =>
        tx.delete(Membership, { organizationId, userId }),
      ),
  };
  for (const [what, block, message] of withRows(
    blocks,
    `
    its connection was deleted | The connection of this automation was deleted. Create the automation again with another connection.
    its template is in the trash | The template "Letter" is in the trash. Restore it, then resume the automation.
    its template is not active | The template "Letter" is not active. Activate it, then resume the automation.
    the plan has no batches | Batches require the plan premium or enterprise; this organization's plan is pro. Render its documents one by one with POST /api/export, or change the plan.
    its author became a viewer | The person who created this automation may no longer create documents. Give them the role editor, or create it again.
    its author left | The person who created this automation is no longer a user of the organization. Create it again.`,
  ))
    it(`is paused when ${what}, says so, and makes no batch`, async () => {
      const caller = await newRecordCaller(service);
      const { id } = await createAutomation(caller, view);
      await block(caller);
      expect(await runNow(caller, id)).to.deep.include({
        status: "failed",
        batchId: null,
        selectedCount: null,
        documentCount: 0,
        message,
      });
      expect(await fetchAutomation(caller, id)).to.deep.include({
        state: "paused",
        pausedReason: message,
        nextRuns: [],
      });
      const acts = await listActs(service, caller.organizationId, id);
      const paused = acts.find(({ action }) => action === "automation.paused");
      expect(paused?.details).to.deep.include({ reason: message });
    });

  for (const isTemplate of [true, false])
    it(`runs once at a time, and makes nothing when ${isTemplate ? "its template is moved to the trash" : "it is deleted"} while it lists records`, async () => {
      const caller = await newRecordCaller(service);
      const { templateId } = caller;
      const { id } = await createAutomation(caller, view);
      const path = `/api/automations/${id}`;
      const gate = new Gate();
      platform.beforePage = () => gate.pass();
      try {
        await startRun(caller, id);
        await until("it lists records", () => gate.waiting > 0);
        expect(await refusal(caller.post(`${path}/runs`, {}))).to.equal(
          "409 This automation is running already. Wait until its run has ended.",
        );
        await caller.delete(isTemplate ? `/api/templates/${templateId}` : path);
      } finally {
        platform.beforePage = () => undefined;
        gate.open();
      }
      const { read } = service.store;
      await until(
        "its run has ended",
        async () =>
          !(await read.existsBy(Job, {
            kind: "automation",
            rowId: id,
            lockToken: Not(IsNull()),
          })),
      );
      if (isTemplate)
        expect(await waitForRuns(caller, id, 1)).to.include({
          status: "failed",
          batchId: null,
          message: "This template is in the trash. Restore it first.",
        });
      expect(await read.countBy(Batch, { templateId })).to.equal(0);
      expect(
        await read.countBy(AutomationRecord, { automationId: id }),
      ).to.equal(0);
    });

  it("stays active when a run fails, and is paused after ten in a row", async () => {
    const caller = await newRecordCaller(service);
    addView("Broken", 1);
    const records = { viewId: "Broken" };
    const { id } = await createAutomation(caller, { ...view, records });
    platform.views.delete("Broken");
    const run = await runNow(caller, id);
    expect(run.status).to.equal("failed");
    expect(run.message).to.contain("The view does not exist");
    expect((await fetchAutomation(caller, id)).state).to.equal("active");
    await service.store.unitOfWork.run((tx) =>
      tx.update(Automation, { id }, { failures: 9 }),
    );
    await runNow(caller, id);
    const { state, pausedReason } = await fetchAutomation(caller, id);
    expect(state).to.equal("paused");
    expect(pausedReason).to.match(/^10 runs in a row failed\. /);
  });

  it("tries again when the platform cannot be reached, and says so meanwhile", async () => {
    const caller = await newRecordCaller(service);
    addView("Away", 1);
    const records = { viewId: "Away" };
    const { id } = await createAutomation(caller, { ...view, records });
    let calls = 0;
    platform.beforePage = () => {
      calls += 1;
      if (calls <= 4)
        throw new PlatformError("unavailable", "The server is down.");
    };
    const run = await runNow(caller, id);
    platform.beforePage = () => undefined;
    expect(run).to.include({ status: "accepted", documentCount: 1 });
    expect(calls).to.be.above(4);
  });

  it("lists its runs in pages, newest first", async () => {
    const caller = await newRecordCaller(service);
    const { id } = await createAutomation(caller, view);
    const first = await runNow(caller, id);
    const second = await runNow(caller, id);
    const all = await fetchRuns(caller, id);
    expect(all.map((run) => run.id)).to.deep.equal([second.id, first.id]);
    const page = await caller.get(
      `/api/automations/${id}/runs?page=2&pageSize=1`,
    );
    const { data, pagination } = JSON.parse(await page.text());
    expect(data[0].id).to.equal(first.id);
    expect(pagination).to.deep.equal({ page: 2, pageSize: 1, total: 2 });
  });
});
