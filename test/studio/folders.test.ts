import { expect } from "chai";
import { describe, it } from "mocha";
import { Folder, Template } from "../../core/storage/database/index.js";
import {
  runAxe,
  dialogClosed,
  type Guest,
  pressButton,
  said,
  useStudio,
} from "../support/studio.js";
import { eventually } from "../support/eventually.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("folders and the trash in the studio", () => {
  const service = useService();
  const enter = useStudio(service);

  const letter = (guest: Guest) =>
    service.store.read.findOneByOrFail(Template, {
      organizationId: guest.organizationId,
    });

  it("move a template into a new folder, to the trash, and back", async () => {
    const guest = await enter("editor");
    const { page, wrong, organizationId } = guest;
    await publish(service.store, guest);
    await pressButton(page, "New folder");
    await page.locator("dialog input").fill("Sales");
    await pressButton(page, "Create folder");
    await said(page, "Nothing in this folder yet");
    await pressButton(page, "All templates");
    await choose(guest, "Move to folder");
    await page.locator("dialog ::-p-text(Sales)").click();
    await pressButton(page, "Move");
    // It offers the folders under their names too.
    await dialogClosed(page);
    await pressButton(page, "Sales");
    await page.waitForSelector("::-p-aria(Actions for Letter)");
    const { id } = await service.store.read.findOneByOrFail(Folder, {
      organizationId,
    });
    expect((await letter(guest)).folderId).to.equal(id);
    await pressButton(page, "Actions for the folder Sales");
    await pressButton(page, "Delete");
    await page.locator("dialog ::-p-aria(Delete)").click();
    await said(page, "The folder is not empty: 1 template");
    await pressButton(page, "Cancel");
    await choose(guest, "Move to trash");
    await said(page, "Nothing in this folder yet");
    await pressButton(page, "Trash");
    await pressButton(page, "Restore Letter");
    await said(page, "The trash is empty");
    expect((await letter(guest)).trashedAt).to.equal(null);
    expect(wrong.filter((one) => !one.includes("409"))).to.deep.equal([]);
  });

  it("accept a card dragged onto a folder", async () => {
    const guest = await enter("editor");
    const { page } = guest;
    await publish(service.store, guest);
    await pressButton(page, "New folder");
    await page.locator("dialog input").fill("Sales");
    await pressButton(page, "Create folder");
    await said(page, "Nothing in this folder yet");
    await pressButton(page, "All templates");
    const card = await page.waitForSelector(".template-link");
    const folder = await page.waitForSelector("nav ::-p-text(Sales)");
    if (folder) await card?.drag(folder);
    if (card) await folder?.drop(card);
    await eventually(async () => (await letter(guest)).folderId !== null);
    await pressButton(page, "Sales");
    await page.waitForSelector("::-p-aria(Actions for Letter)");
  });

  it("let a template be renamed and duplicated from its menu, also with the keyboard", async () => {
    const guest = await enter("editor");
    const { page } = guest;
    await publish(service.store, guest);
    await page.reload();
    const menu = await page.waitForSelector("::-p-aria(Actions for Letter)");
    await menu?.focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=menuitem]:focus");
    expect(await runAxe(page)).to.deep.equal([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    expect(await runAxe(page)).to.deep.equal([]);
    await page.locator("dialog input").fill("Reminder");
    await page.keyboard.press("Enter");
    await pressButton(page, "Actions for Reminder");
    await pressButton(page, "Duplicate");
    await said(page, "was created from Reminder");
  });

  it("show no actions to viewers", async () => {
    const guest = await enter("viewer");
    await publish(service.store, guest);
    await guest.page.reload();
    await said(guest.page, "Letter");
    expect(await guest.page.$$("main button")).to.have.length(0);
  });
});

async function choose({ page }: Guest, action: string): Promise<void> {
  await pressButton(page, "Actions for Letter");
  await pressButton(page, action);
}
