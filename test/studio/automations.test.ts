import { expect } from "chai";
import { describe, it } from "mocha";
import { Automation } from "../../core/storage/database/index.js";
import { fetchAutomation, fetchRuns } from "../support/automations.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  useRecordService,
} from "../support/records.js";
import {
  pressButton,
  runAxe,
  useStudio,
  waitForDialogToClose,
  waitForText,
} from "../support/studio.js";

describe("the automations of an organization in the studio", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  const signIn = useStudio(service);

  it("lead to the connections while there is none", async () => {
    const { page } = await signIn("editor");
    await pressButton(page, "Automations");
    await waitForText(page, "Automations read a table or spreadsheet.");
    await pressButton(page, "Connect yours");
    await waitForText(page, "No connections yet");
  });

  it("are created, run, changed, paused, resumed and deleted", async () => {
    const caller = await newRecordCaller(service);
    for (const id of ["A", "B"]) addOrder(platform, id, 0);
    platform.view("tblOrders", "To invoice", ["A", "B"]);
    const { page, pageErrors } = await signIn(
      "editor",
      undefined,
      caller.organizationId,
    );
    const choose = async (label: string, words: string) => {
      const select = await page.waitForSelector(
        `dialog ::-p-xpath(.//label[contains(., "${label}")]//select[option[contains(., "${words}")]])`,
      );
      for (const option of (await select?.$$("option")) ?? []) {
        const text = await (await option.getProperty("text")).jsonValue();
        const value = await (await option.getProperty("value")).jsonValue();
        if (text.includes(words)) await select?.select(value);
      }
    };
    const act = async (action: string) => {
      await pressButton(page, "Actions for Invoices");
      await page.locator(`:popover-open ::-p-text(${action})`).click();
    };
    await pressButton(page, "Automations");
    await waitForText(page, "No automations yet");
    await pressButton(page, "New automation");
    await page.locator("dialog input").fill("Invoices");
    const { name } = await findTemplate(caller);
    await choose("Template", name);
    await choose("Connection", "M");
    await choose("Table", "Orders");
    await choose("Save files to", "Invoice");
    await choose("Records", "To invoice");
    await choose("When", "Every week");
    await choose("Day of the week", "Monday");
    expect(await runAxe(page)).to.deep.equal([]);
    await pressButton(page, "Create automation");
    await waitForText(page, "Every Monday at 08:00");
    await waitForText(page, "for all records in the view “To invoice”");
    await waitForText(page, "No runs yet");

    const { id } = await service.store.read.findOneByOrFail(Automation, {
      organizationId: caller.organizationId,
    });
    const created = await fetchAutomation(caller, id);
    expect(created.when).to.include({ cron: "0 8 * * 1" });
    expect(created.attachmentField).to.equal("Invoice");
    await act("Run now");
    await waitForText(page, "2 documents");
    await act("Run now");
    await waitForText(page, "Nothing new");
    expect(await runAxe(page)).to.deep.equal([]);
    const runs = await fetchRuns(caller, id);
    expect(runs.map(({ status }) => status)).to.deep.equal([
      "empty",
      "accepted",
    ]);

    await act("Edit");
    await choose("When", "Custom");
    await page
      .locator('dialog ::-p-aria([name="Cron expression"])')
      .fill("0 8 31 2 *");
    await pressButton(page, "Save");
    await waitForText(page, "is never due");
    await choose("When", "When a record is added or changed");
    await waitForText(page, "a run starts within seconds");
    await pressButton(page, "Save");
    await waitForDialogToClose(page);
    await waitForText(page, "checked every 5 minutes");
    await waitForText(page, "Changes are found at the interval only");
    await waitForText(page, "has no webhooks that Platen can create");
    await waitForText(page, "/api/automations/notices/");
    expect(await runAxe(page)).to.deep.equal([]);
    await act("Pause");
    await waitForText(page, "No next run");
    await act("Resume");
    await waitForText(page, "Next run:");
    await pressButton(page, "2 documents");
    await waitForText(page, name);
    await pressButton(page, "Automations");
    await waitForText(page, "checked every 5 minutes");
    await act("Delete");
    await pressButton(page, "Delete");
    await waitForText(page, "No automations yet");
    expect(pageErrors).to.deep.equal([
      "Failed to load resource: the server responded with a status of 400 (Bad Request)",
    ]);
  });
});

async function findTemplate(caller: {
  get(path: string): Promise<Response>;
  templateId: string;
}): Promise<{ name: string }> {
  const response = await caller.get(`/api/templates/${caller.templateId}`);
  const { name } = JSON.parse(await response.text());
  return { name: String(name) };
}
