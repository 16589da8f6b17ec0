import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import {
  AuditEvent,
  Automation,
  AutomationRecord,
  Batch,
  Membership,
  Organization,
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
import { batchWhen, fetchBatch } from "../support/batches.js";
import { readError } from "../support/caller.js";
import { until } from "../support/eventually.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  useRecordService,
  waitForWriteBacks,
} from "../support/records.js";
import { Gate } from "../support/renderer.js";
import { PlatformError } from "../../core/plugin-api/index.js";

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
    const { organizationId } = caller;
    const acts = await service.store.read.findBy(AuditEvent, {
      organizationId,
      subject: created.id,
    });
    expect(acts.map(({ action }) => action)).to.have.members([
      "automation.created",
      "automation.changed",
      "automation.changed",
      "automation.deleted",
    ]);
  });

  it("is missing for other organizations", async () => {
    const { id } = await createAutomation(await newRecordCaller(service));
    const other = await newRecordCaller(service);
    for (const response of [
      await other.get(`/api/automations/${id}`),
      await other.get(`/api/automations/${id}/runs`),
      await other.patch(`/api/automations/${id}`, { isPaused: true }),
      await other.delete(`/api/automations/${id}`),
      await other.post(`/api/automations/${id}/runs`, {}),
    ])
      expect(response.status).to.equal(404);
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

  it("does no record twice, and those again whose fields have changed", async () => {
    const caller = await newRecordCaller(service);
    const [first = ""] = addView("Twice", 2);
    const records = { viewId: "Twice" };
    const { id } = await createAutomation(caller, { ...view, records });
    expect(await runNow(caller, id)).to.include({
      origin: "manual",
      status: "accepted",
      documentCount: 2,
    });
    expect(await runNow(caller, id)).to.include({
      status: "empty",
      batchId: null,
      selectedCount: 2,
      documentCount: 0,
      message: "No record is new or has changed since it was done.",
    });
    rename(first, "renamed");
    const again = await runNow(caller, id);
    expect(again).to.include({ status: "accepted", documentCount: 1 });
    const { documents } = await fetchBatch(caller, again.batchId ?? "");
    expect(documents[0]?.metadata?.["recordId"]).to.equal(first);
  });

  it("does no record again, or all, as chosen", async () => {
    const caller = await newRecordCaller(service);
    const [first = ""] = addView("Chosen", 2);
    const records = { viewId: "Chosen" };
    const never = { ...view, records, repeat: "never" };
    const { id } = await createAutomation(caller, never);
    await runNow(caller, id);
    rename(first, "again");
    expect(await runNow(caller, id)).to.include({
      status: "empty",
      message: "The source has no new records.",
    });
    await caller.patch(`/api/automations/${id}`, { repeat: "always" });
    expect(await runNow(caller, id)).to.include({ documentCount: 2 });
    expect(await runNow(caller, id)).to.include({ documentCount: 2 });
  });

  it("leaves what does not fit into a batch for the next run", async () => {
    const caller = await newRecordCaller(service);
    addView("Many", 6);
    const records = { viewId: "Many" };
    const { id } = await createAutomation(caller, { ...view, records });
    expect(await runNow(caller, id)).to.include({
      selectedCount: 6,
      documentCount: 4,
    });
    expect(await runNow(caller, id)).to.include({ documentCount: 2 });
  });

  it("says that the source has no records", async () => {
    const caller = await newRecordCaller(service);
    addView("None", 0);
    const records = { viewId: "None" };
    const { id } = await createAutomation(caller, { ...view, records });
    expect(await runNow(caller, id)).to.include({
      status: "empty",
      message: "The source has no records.",
    });
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

  it("does not take a written file for a change", async () => {
    const caller = await newRecordCaller(service);
    addView("Files", 2);
    const records = { viewId: "Files" };
    const { id } = await createAutomation(caller, { records });
    const { batchId } = await runNow(caller, id);
    await waitForWriteBacks(caller, batchId ?? "");
    expect((await runNow(caller, id)).status).to.equal("empty");
  });

  it("makes up for several missed times with one run", async () => {
    const caller = await newRecordCaller(service);
    const { id } = await createAutomation(caller, {
      ...view,
      when: { cron: "* * * * *", timeZone: "UTC" },
    });
    const dueAt = await makeDue(service, id, 60 * 60_000);
    const run = await waitForRuns(caller, id, 1);
    expect(run).to.include({
      status: "accepted",
      dueAt: dueAt.toISOString(),
    });
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

  it("is paused with a reason when its connection was deleted", async () => {
    const caller = await newRecordCaller(service);
    const { id } = await createAutomation(caller, view);
    const path = `/api/connections/${caller.connectionId}`;
    expect((await caller.delete(path)).ok).to.equal(true);
    await makeDue(service, id);
    const message =
      "The connection of this automation was deleted. Create the automation again with another connection.";
    expect(await waitForRuns(caller, id, 1)).to.include({
      status: "failed",
      message,
    });
    const paused = await fetchAutomation(caller, id);
    expect(paused).to.include({ state: "paused", pausedReason: message });
    expect(paused.nextRuns).to.deep.equal([]);
  });

  it("is paused while its template is in the trash, and goes on when it is resumed", async () => {
    const caller = await newRecordCaller(service);
    const { id } = await createAutomation(caller, view);
    const template = `/api/templates/${caller.templateId}`;
    expect((await caller.delete(template)).ok).to.equal(true);
    await makeDue(service, id);
    const { message } = await waitForRuns(caller, id, 1);
    expect(message).to.match(
      /^The template ".+" is in the trash\. Restore it, then resume the automation\.$/,
    );
    await caller.post(`${template}/restore`, {});
    await caller.patch(`/api/automations/${id}`, { isPaused: false });
    await makeDue(service, id);
    expect((await waitForRuns(caller, id, 2)).status).to.equal("accepted");
  });

  it("makes nothing when its template is moved to the trash while it lists records", async () => {
    const caller = await newRecordCaller(service);
    const { id } = await createAutomation(caller, view);
    const { templateId } = caller;
    const gate = new Gate();
    platform.beforePage = () => gate.pass();
    try {
      await startRun(caller, id);
      await until("it lists records", () => gate.waiting > 0);
      await caller.delete(`/api/templates/${templateId}`);
    } finally {
      platform.beforePage = () => undefined;
      gate.open();
    }
    const run = await waitForRuns(caller, id, 1);
    expect(run).to.include({ status: "failed", batchId: null });
    expect(run.message).to.contain("trash");
    const { read } = service.store;
    expect(await read.countBy(Batch, { templateId })).to.equal(0);
    expect(await read.countBy(AutomationRecord, { automationId: id })).to.equal(
      0,
    );
  });

  it("is paused when its author or the plan may no longer create batches", async () => {
    const caller = await newRecordCaller(service);
    const { organizationId, userId } = caller;
    const { id } = await createAutomation(caller, view);
    const { unitOfWork } = service.store;
    await unitOfWork.run((tx) =>
      tx.update(Organization, { id: organizationId }, { plan: "pro" }),
    );
    expect((await runNow(caller, id)).message).to.contain(
      "Batches require the plan premium",
    );
    await unitOfWork.run(async (tx) => {
      await tx.update(
        Organization,
        { id: organizationId },
        { plan: "premium" },
      );
      await tx.update(
        Membership,
        { organizationId, userId },
        { role: "viewer" },
      );
    });
    expect((await runNow(caller, id)).message).to.contain(
      "may no longer create documents",
    );
    await unitOfWork.run((tx) =>
      tx.delete(Membership, { organizationId, userId }),
    );
    expect((await runNow(caller, id)).message).to.contain(
      "is no longer a user of the organization",
    );
    expect((await fetchAutomation(caller, id)).state).to.equal("paused");
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

  it("runs once at a time", async () => {
    const caller = await newRecordCaller(service);
    const { id } = await createAutomation(caller, view);
    const page = new Gate();
    platform.beforePage = () => page.pass();
    await startRun(caller, id);
    const second = await caller.post(`/api/automations/${id}/runs`, {});
    platform.beforePage = () => undefined;
    page.open();
    expect(second.status).to.equal(409);
    expect(await readError(second)).to.equal(
      "This automation is running already. Wait until its run has ended.",
    );
    await waitForRuns(caller, id, 1);
  });

  it("makes no batch when it is deleted during its run", async () => {
    const caller = await newRecordCaller(service);
    const { organizationId } = caller;
    const { id } = await createAutomation(caller, view);
    const page = new Gate();
    platform.beforePage = () => page.pass();
    await startRun(caller, id);
    await until("the records are listed", () => page.waiting > 0);
    expect((await caller.delete(`/api/automations/${id}`)).ok).to.equal(true);
    platform.beforePage = () => undefined;
    page.open();
    const other = await createAutomation(caller, view);
    const { batchId } = await runNow(caller, other.id);
    await batchWhen(caller, batchId ?? "");
    const { read } = service.store;
    expect(await read.countBy(Batch, { organizationId })).to.equal(1);
    expect(await read.countBy(AutomationRecord, { automationId: id })).to.equal(
      0,
    );
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
