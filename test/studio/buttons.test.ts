import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import { PlatformError } from "../../core/plugin-api/index.js";
import { fetchAutomation, fetchRuns } from "../support/automations.js";
import { createLink, readLink } from "../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  sendRecords,
  useRecordService,
  waitForWriteBacks,
} from "../support/records.js";
import {
  chooseAction,
  chooseOption,
  expectRefusal,
  fillField,
  newVisitor,
  pressButton,
  setSession,
  usePage,
  waitForCount,
  waitForDialogToClose,
  waitForText,
} from "../support/studio.js";

describe("an office manager whose records are in a table", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  const user = usePage(service);
  type Caller = Awaited<ReturnType<typeof newRecordCaller>>;
  let page: Page;
  let caller: Caller;
  before(() => {
    ({ page } = user());
    for (const id of ["A", "B"]) addOrder(platform, id, 0);
    platform.view("tblOrders", "To invoice", ["A", "B"]);
  });
  beforeEach(async () => {
    caller = await newRecordCaller(service);
    const { organizationId } = caller;
    const editor = await newVisitor(service, "editor", organizationId);
    await setSession(service, page, editor);
  });

  it("renames, pauses, resumes and deletes a button", async () => {
    const { url } = await createLink(caller, { name: "Print the order" });
    const press = async () => {
      const answer = await fetch(`${url}?recordId=A`);
      return { status: answer.status, text: await answer.text() };
    };
    await user().open("buttons");
    await waitForText(page, "In “Orders”, saved to “Invoice”");
    await chooseAction(page, "Print the order", "Edit");
    await page.locator("dialog input").fill("Invoice it");
    await pressButton(page, "Save");
    await waitForText(page, "Invoice it");
    await waitForDialogToClose(page);
    await chooseAction(page, "Invoice it", "Pause");
    await waitForText(page, "Paused");
    const paused = await press();
    expect(paused.status).to.equal(409);
    expect(paused.text).to.contain("This button is paused");
    await chooseAction(page, "Invoice it", "Resume");
    await waitForText(page, "Active");
    expect((await press()).text).to.contain("Invoice it");
    await user().open(`templates/${caller.templateId}`);
    await chooseAction(page, "Invoice it", "Delete");
    await pressButton(page, "Delete");
    await waitForText(page, "Invoice it was deleted.");
    expect((await press()).text).to.contain("revoked by its owner");
    await user().open("buttons");
    await waitForText(page, "No buttons yet");
  });

  it("gives a button other files, another field and an expiry at the same address", async () => {
    const { id, url } = await createLink(caller, { name: "Print" });
    const read = async () => readLink(await caller.get(`/api/links/${id}`));
    const edit = async () => {
      await chooseAction(page, "Print", "Edit");
      await page.waitForSelector("dialog select");
    };
    await user().open("buttons");
    await edit();
    for (const words of ["PDF", "Web page (HTML)", "Replace"])
      await pressButton(page, words);
    await page.locator("dialog [type=datetime-local]").fill("2090-01-31T10:00");
    await pressButton(page, "Save");
    await waitForDialogToClose(page);
    const changed = await read();
    expect(changed).to.deep.include({
      attachmentField: "Invoice",
      formats: ["pdf"],
      overwriteExisting: true,
    });
    expect(changed.expiresAt).to.match(/^2090-0[12]-/);
    await edit();
    await page.select("dialog select", "");
    await pressButton(page, "Save");
    await waitForText(page, "In “Orders”");
    await waitForDialogToClose(page);
    const { attachmentField, expiresAt } = await read();
    expect({ attachmentField, expiresAt }).to.deep.equal({
      attachmentField: null,
      expiresAt: changed.expiresAt,
    });
    expect((await fetch(`${url}?recordId=B`)).status).to.equal(200);
  });

  it("creates, runs, changes, pauses, resumes and deletes an automation", async () => {
    const response = await caller.get(`/api/templates/${caller.templateId}`);
    const { name } = z
      .object({ name: z.string() })
      .parse(await response.json());
    await user().open("automations");
    await waitForText(page, "No automations yet");
    await pressButton(page, "New automation");
    await page.locator("dialog input").fill("Invoices");
    for (const [label, option] of [
      ["Template", name],
      ["Connection", "M"],
      ["Table", "Orders"],
      ["Save files to", "Invoice"],
      ["Records", "All records in the view “To invoice”"],
      ["When", "Every week"],
      ["Day of the week", "Monday"],
    ] as const)
      await chooseOption(page, label, option, "dialog");
    await pressButton(page, "Create automation");
    await waitForText(page, "Every Monday at 08:00");
    await waitForText(page, "for all records in the view “To invoice”");
    await waitForText(page, "No runs yet");
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const created = await fetchAutomation(caller, id);
    expect(created.when).to.include({ cron: "0 8 * * 1" });
    expect(created.attachmentField).to.equal("Invoice");

    const choose = (action: string) => chooseAction(page, "Invoices", action);
    await choose("Run now");
    await waitForText(page, "2 documents");
    await choose("Run now");
    await waitForText(page, "Nothing new");
    const runs = await fetchRuns(caller, id);
    expect(runs.map(({ status }) => status)).to.deep.equal([
      "empty",
      "accepted",
    ]);

    await choose("Edit");
    await chooseOption(page, "When", "Custom", "dialog");
    await fillField(page, "Cron expression", "0 8 31 2 *", "dialog");
    await pressButton(page, "Save");
    await waitForText(page, "is never due");
    expectRefusal(user(), 400);
    await chooseOption(
      page,
      "When",
      "When a record is added or changed",
      "dialog",
    );
    await waitForText(page, "a run starts within seconds");
    await pressButton(page, "Save");
    await waitForDialogToClose(page);
    await waitForText(page, "checked every 5 minutes");
    await waitForText(page, "Changes are found at the interval only");
    await waitForText(page, "has no webhooks that Platen can create");
    await waitForText(page, "/api/automations/notices/");
    await choose("Pause");
    await waitForText(page, "No next run");
    await choose("Resume");
    await waitForText(page, "Next run:");
    await pressButton(page, "2 documents");
    await waitForText(page, name);
    await user().open("automations");
    await waitForText(page, "checked every 5 minutes");
    await choose("Delete");
    await pressButton(page, "Delete");
    await waitForText(page, "No automations yet");
  });

  it("sees a batch as done only when its files are saved to the table", async () => {
    platform.beforeCall = (what) => {
      if (what === "writeBack")
        throw new PlatformError("forbidden", "The token may not write.");
    };
    const toField = { attachmentField: "Invoice" };
    const { batchId } = await sendRecords(caller, ["A", "B"], toField);
    await waitForWriteBacks(caller, batchId);
    await user().open("batches");
    await waitForText(page, "2 files not saved");
    expect(await page.$$(".badge.good")).to.have.length(0);
    await user().open(`batches/${batchId}`);
    await waitForText(page, "2 files not saved");
    await waitForCount(page, ".document", 2);
    await waitForText(page, "Not saved");
    await waitForText(page, "The token may not write.");
    expect(await page.$$(".badge.good")).to.have.length(0);
    platform.beforeCall = () => undefined;
    await pressButton(page, "Retry failed files");
    await waitForCount(page, ".badge.good", 3);
    expect(await page.$$(".badge.warn")).to.have.length(0);
  });

  it("is led to the connections while there is none", async () => {
    await setSession(service, page, await newVisitor(service, "editor"));
    await user().open("automations");
    await waitForText(page, "Automations read a table or spreadsheet.");
    await pressButton(page, "Connect yours");
    await waitForText(page, "No connections yet");
  });
});
