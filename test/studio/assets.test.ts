import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import sharp from "sharp";
import { Asset } from "../../core/storage/database/index.js";
import { greatVibes } from "../support/assets.js";
import { useService } from "../support/service.js";
import { openEditor } from "../support/studio-editor.js";
import {
  waitForDialogToClose,
  pressButton,
  waitForText,
  useStudio,
} from "../support/studio.js";

describe("assets in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "platen-assets-"));
    const background = "teal";
    const image = { width: 40, height: 30, channels: 3, background } as const;
    const logo = await sharp({ create: image }).png().toBuffer();
    await writeFile(join(folder, "logo.png"), logo);
    await writeFile(join(folder, "letters.ttf"), await greatVibes());
    await writeFile(join(folder, "notes.txt"), "Only words");
  });
  const upload = async (page: Page, ...names: string[]) => {
    const [chooser] = await Promise.all([
      page.waitForFileChooser(),
      page.locator(".upload").click(),
    ]);
    await chooser.accept(names.map((name) => join(folder, name)));
  };

  it("are uploaded together, with a reason for each that is rejected", async () => {
    const { page, pageErrors, organizationId } = await signIn("editor");
    await pressButton(page, "Assets");
    await waitForText(page, "No assets yet");
    await upload(page, "logo.png", "notes.txt", "letters.ttf");
    await page.waitForSelector("::-p-aria(Actions for letters.ttf)");
    await page.waitForSelector("::-p-aria(Actions for logo.png)");
    await page.waitForSelector("::-p-aria(Upload notes.txt again)");
    const rows = await service.store.read.findBy(Asset, { organizationId });
    expect(rows).to.have.length(2);
    await page.waitForFunction(
      '[...document.fonts].some(({ family, status }) => family.includes("asset-") && status === "loaded")',
    );
    expect(pageErrors.filter((one) => !one.includes("400"))).to.deep.equal([]);
  });

  it("are moved to the trash, restored and deleted permanently", async () => {
    const { page, organizationId } = await signIn("editor");
    await pressButton(page, "Assets");
    await upload(page, "logo.png");
    const trash = async () => {
      await pressButton(page, "Actions for logo.png");
      await pressButton(page, "Move to trash");
      await waitForText(page, "No assets yet");
      await pressButton(page, "Trash");
      await pressButton(page, "Actions for logo.png");
    };
    await trash();
    await pressButton(page, "Restore");
    await waitForText(page, "The trash is empty");
    await pressButton(page, "All assets");
    await trash();
    await pressButton(page, "Delete permanently");
    await page.locator("dialog ::-p-aria(Delete permanently)").click();
    await waitForText(page, "The trash is empty");
    const count = await service.store.read.countBy(Asset, { organizationId });
    expect(count).to.equal(0);
  });

  it("are renamed, moved into a folder and viewed", async () => {
    const { page, pageErrors } = await signIn("editor");
    await pressButton(page, "Assets");
    await upload(page, "logo.png");
    await pressButton(page, "New folder");
    await page.locator("dialog input").fill("Logos");
    await pressButton(page, "Create folder");
    await pressButton(page, "All assets");
    await pressButton(page, "Actions for logo.png");
    await pressButton(page, "Rename");
    await page.locator("dialog input").fill("Our logo");
    await page.locator("dialog ::-p-aria(Rename)").click();
    await pressButton(page, "Actions for Our logo");
    await pressButton(page, "Move to folder");
    await page.locator("dialog ::-p-text(Logos)").click();
    await pressButton(page, "Move");
    // It offers the folders under their names too.
    await waitForDialogToClose(page);
    await pressButton(page, "Logos");
    await pressButton(page, "Image: Our logo");
    await waitForText(page, "PNG, 40\u00a0×\u00a030");
    await waitForText(page, "asset:");
    expect(pageErrors).to.deep.equal([]);
  });

  it("are still offered after the system's file dialog was canceled", async () => {
    const { page } = await openEditor(service, await signIn("editor"), [
      { type: "image", id: "logo", src: "" },
    ]);
    await page.locator(".sheet [data-id=logo]").click();
    await pressButton(page, "Choose");
    const chooseFile = async () => {
      const [chooser] = await Promise.all([
        page.waitForFileChooser(),
        page.locator("dialog .upload").click(),
      ]);
      return chooser;
    };
    await (await chooseFile()).cancel();
    await (await chooseFile()).accept([join(folder, "logo.png")]);
    await page.waitForSelector(".sheet [data-id=logo] img");
  });
});
