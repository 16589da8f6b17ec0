import { expect } from "chai";
import { describe, it } from "mocha";
import { Folder, Template } from "../../core/storage/database/index.js";
import {
  runAxe,
  waitForDialogToClose,
  type StudioUser,
  pressButton,
  waitForText,
  useStudio,
} from "../support/studio.js";
import { eventually } from "../support/eventually.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("folders and the trash in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);

  const letter = (user: StudioUser) =>
    service.store.read.findOneByOrFail(Template, {
      organizationId: user.organizationId,
    });

  it("move a template into a new folder, to the trash, and back", async () => {
    const user = await signIn("editor");
    const { page, pageErrors, organizationId } = user;
    await publish(service.store, user);
    await pressButton(page, "New folder");
    await page.locator("dialog input").fill("Sales");
    await pressButton(page, "Create folder");
    await waitForText(page, "Nothing in this folder yet");
    await pressButton(page, "All templates");
    await choose(user, "Move to folder");
    await page.locator("dialog ::-p-text(Sales)").click();
    await pressButton(page, "Move");
    // It offers the folders under their names too.
    await waitForDialogToClose(page);
    await pressButton(page, "Sales");
    await page.waitForSelector("::-p-aria(Actions for Letter)");
    const { id } = await service.store.read.findOneByOrFail(Folder, {
      organizationId,
    });
    expect((await letter(user)).folderId).to.equal(id);
    await pressButton(page, "Actions for the folder Sales");
    await pressButton(page, "Delete");
    await page.locator("dialog ::-p-aria(Delete)").click();
    await waitForText(page, "The folder is not empty: 1 template");
    await pressButton(page, "Cancel");
    await choose(user, "Move to trash");
    await waitForText(page, "Nothing in this folder yet");
    await pressButton(page, "Trash");
    await pressButton(page, "Restore Letter");
    await waitForText(page, "The trash is empty");
    expect((await letter(user)).trashedAt).to.equal(null);
    expect(pageErrors.filter((one) => !one.includes("409"))).to.deep.equal([]);
  });

  it("accept a card dragged onto a folder", async () => {
    const user = await signIn("editor");
    const { page } = user;
    await publish(service.store, user);
    await pressButton(page, "New folder");
    await page.locator("dialog input").fill("Sales");
    await pressButton(page, "Create folder");
    await waitForText(page, "Nothing in this folder yet");
    await pressButton(page, "All templates");
    const card = await page.waitForSelector(".template-link");
    const folder = await page.waitForSelector("nav ::-p-text(Sales)");
    if (folder) await card?.drag(folder);
    if (card) await folder?.drop(card);
    await eventually(async () => (await letter(user)).folderId !== null);
    await pressButton(page, "Sales");
    await page.waitForSelector("::-p-aria(Actions for Letter)");
  });

  it("let a template be renamed and duplicated from its menu, also with the keyboard", async () => {
    const user = await signIn("editor");
    const { page } = user;
    await publish(service.store, user);
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
    await waitForText(page, "was created from Reminder");
  });

  it("show no actions to viewers", async () => {
    const user = await signIn("viewer");
    await publish(service.store, user);
    await user.page.reload();
    await waitForText(user.page, "Letter");
    expect(await user.page.$$("main button")).to.have.length(0);
  });
});

async function choose({ page }: StudioUser, action: string): Promise<void> {
  await pressButton(page, "Actions for Letter");
  await pressButton(page, action);
}
