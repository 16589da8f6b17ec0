import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { isDeepStrictEqual } from "node:util";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { pressButton, useStudio } from "../../support/studio.js";

const field = (name: string) => `.inspector ::-p-aria([name="${name}"])`;

async function fill(page: Page, name: string, text: string): Promise<void> {
  await page.locator(field(name)).fill(text);
}

async function choose(page: Page, name: string, value: string): Promise<void> {
  const select = await page.waitForSelector(field(name));
  await select?.select(value);
}

async function becomes(
  look: () => Promise<unknown>,
  wanted: unknown,
): Promise<void> {
  await eventually(async () => isDeepStrictEqual(await look(), wanted));
}

describe("the properties of the selection", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("change it and are restored by undo", async () => {
    const editor = await openEditor(service, await signIn(), [
      { type: "spacer", id: "gap", height: "8mm" },
      { type: "barcode", id: "code", value: "123", symbology: "code128" },
    ]);
    const { page, draft, pageErrors } = editor;
    await page.locator('[data-id="gap"]').click();
    await fill(page, "Height", "20");
    await page.keyboard.press("Enter");
    await page.locator('[data-id="code"]').click();
    await choose(page, "Type", "code39");
    await choose(page, "Text below", "false");
    const [gap, code] = [
      { type: "spacer", id: "gap", height: "20mm" },
      { type: "barcode", id: "code", value: "123", symbology: "code128" },
    ];
    const changed = { ...code, symbology: "code39", showText: false };
    await becomes(async () => (await draft()).components, [gap, changed]);
    for (const step of ["Text below", "Type"])
      await pressButton(page, `Undo: Change “${step}”`);
    await becomes(async () => (await draft()).components, [gap, code]);
    expect(pageErrors).to.deep.equal([]);
  });

  it("create a shared style and change it for all components", async () => {
    const editor = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: "One", style: { color: "#112233" } },
      { type: "text", id: "two", text: "Two" },
    ]);
    const { page, draft } = editor;
    await page.locator('[data-id="one"]').click();
    await pressButton(page, "Style");
    await fill(page, "Save as style", "Our brand");
    await pressButton(page, "Save the style");
    await page.locator('[data-id="two"]').click();
    await choose(page, "Add style", "Our-brand");
    await pressButton(page, "Edit the style Our-brand");
    await page
      .locator('dialog ::-p-aria([name="Size"][role="textbox"])')
      .fill("14pt");
    await page.locator("dialog").click();
    await pressButton(page, "Done");
    await becomes(async () => (await draft()).styles, {
      "Our-brand": { color: "#112233", "font-size": "14pt" },
    });
    expect((await draft()).components).to.deep.equal([
      { type: "text", id: "one", text: "One", class: "Our-brand" },
      { type: "text", id: "two", text: "Two", class: "Our-brand" },
    ]);
  });

  it("are those of the page when nothing is selected", async () => {
    const { page, draft } = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: "One" },
    ]);
    await choose(page, "Size", "A5");
    await pressButton(page, "Landscape");
    await fill(page, "Margins, all sides", "15mm");
    await page.locator(field("Header")).click();
    await fill(page, "Language", "de-DE");
    await fill(page, "File name", "Invoice");
    const wanted = {
      page: { size: "A5", landscape: true, margin: "15mm" },
      locale: "de-DE",
      fileName: "Invoice",
    };
    await becomes(async () => {
      const { page: all, locale, fileName } = await draft();
      const { header, ...paper } = all ?? {};
      return header && { page: paper, locale, fileName };
    }, wanted);
  });

  it("choose the standards that PDFs conform to", async () => {
    const { page, draft } = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: "One" },
    ]);
    await page.locator(".inspector summary ::-p-text(PDF)").click();
    await choose(page, "PDF/A standard", "pdf/a-2u");
    const conformance = async () => (await draft()).pdf?.conformance;
    await becomes(conformance, "pdf/a-2u");
    await page.locator(field("Accessible (PDF/UA)")).click();
    await becomes(conformance, ["pdf/a-2u", "pdf/ua-1"]);
    await choose(page, "PDF/A standard", "");
    await becomes(conformance, "pdf/ua-1");
    await page.locator(field("Accessible (PDF/UA)")).click();
    await becomes(async () => (await draft()).pdf ?? null, null);
  });
});
