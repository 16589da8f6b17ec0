import { expect } from "chai";
import { describe, it } from "mocha";
import { createLink, readLink } from "../support/links.js";
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

describe("the buttons of an organization in the studio", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  const signIn = useStudio(service);

  it("are listed, renamed, paused, resumed and deleted", async () => {
    const caller = await newRecordCaller(service);
    addOrder(platform, "A");
    const { url } = await createLink(caller, { name: "Print the order" });
    const press = async () => {
      const page = await fetch(`${url}?recordId=A`);
      return { status: page.status, text: await page.text() };
    };
    const { page, pageErrors } = await signIn(
      "editor",
      undefined,
      caller.organizationId,
    );
    const choose = async (name: string, action: string) => {
      await pressButton(page, `Actions for ${name}`);
      await page.locator(`:popover-open ::-p-text(${action})`).click();
    };
    await pressButton(page, "Buttons");
    await waitForText(page, "In “Orders”, saved to “Invoice”");
    await choose("Print the order", "Edit");
    await page.locator("dialog input").fill("Invoice it");
    await pressButton(page, "Save");
    await waitForText(page, "Invoice it");
    await waitForDialogToClose(page);
    await choose("Invoice it", "Pause");
    await waitForText(page, "Paused");
    const paused = await press();
    expect(paused.status).to.equal(409);
    expect(paused.text).to.contain("This button is paused");
    await choose("Invoice it", "Resume");
    await waitForText(page, "Active");
    expect((await press()).text).to.contain("Invoice it");
    await page.goto(`${service.url}/studio/templates/${caller.templateId}`);
    await choose("Invoice it", "Delete");
    await pressButton(page, "Delete");
    await waitForText(page, "Invoice it was deleted.");
    expect((await press()).text).to.contain("revoked by its owner");
    await pressButton(page, "Buttons");
    await waitForText(page, "No buttons yet");
    expect(pageErrors).to.deep.equal([]);
  });

  it("get other files, another field and an expiry at the same address", async () => {
    const caller = await newRecordCaller(service);
    addOrder(platform, "B");
    const { id, url } = await createLink(caller, { name: "Print" });
    const { page, pageErrors } = await signIn(
      "editor",
      undefined,
      caller.organizationId,
    );
    const openEdit = async () => {
      await pressButton(page, "Actions for Print");
      await page.locator(":popover-open ::-p-text(Edit)").click();
      await page.waitForSelector("dialog select");
    };
    await pressButton(page, "Buttons");
    await openEdit();
    expect(await runAxe(page)).to.deep.equal([]);
    await pressButton(page, "PDF");
    await pressButton(page, "Web page (HTML)");
    await pressButton(page, "Replace");
    await page.locator("dialog [type=datetime-local]").fill("2090-01-31T10:00");
    await pressButton(page, "Save");
    await waitForDialogToClose(page);
    const read = async () => readLink(await caller.get(`/api/links/${id}`));
    const changed = await read();
    expect(changed).to.deep.include({
      attachmentField: "Invoice",
      formats: ["pdf"],
      overwriteExisting: true,
    });
    expect(changed.expiresAt).to.match(/^2090-0[12]-/);
    await openEdit();
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
    expect(pageErrors).to.deep.equal([]);
  });
});
