import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../../support/service.js";
import { pressButton, waitForText, useStudio } from "../../support/studio.js";
import {
  saveDraft,
  openEditor,
  pressKeys,
} from "../../support/studio-editor.js";

describe("the preview beside the page", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("shows the printed document, follows changes, and stays open after a reload", async () => {
    const editor = await openEditor(service, await signIn("editor"), [
      { type: "text", id: "first", text: "First." },
      { type: "page-break", id: "break" },
      { type: "text", id: "second", text: "Second." },
    ]);
    const { page, pageErrors } = editor;
    await pressButton(page, "Preview");
    await page.waitForSelector("[aria-label='Page 2 of 2'] canvas");
    await page.waitForSelector("a[download='Letter.pdf']");
    await page.locator(".sheet [data-id=second]").click();
    await pressKeys(page, "Delete");
    await page.waitForSelector("[aria-label='Page 1 of 1'] canvas");
    await page.reload();
    await page.waitForSelector("[aria-label='Page 1 of 1'] canvas");
    expect(pageErrors).to.deep.equal([]);
  });

  it("appears by itself once an outage is over, and says so during it", async () => {
    const editor = await openEditor(service, await signIn("editor"), [
      { type: "text", id: "first", text: "First." },
    ]);
    const { page } = editor;
    let isOut = true;
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      const isPrint = request.url().endsWith("/drafts/print");
      void (isPrint && isOut ? request.abort() : request.continue());
    });
    await pressButton(page, "Preview");
    await waitForText(page, "Preview unavailable");
    await waitForText(page, "Platen tries again automatically.");
    isOut = false;
    await page.waitForSelector("[aria-label='Page 1 of 1'] canvas");
    expect(await page.$(".preview .notice")).to.equal(null);
  });

  it("appears by itself after an outage during which it was opened for the first time", async () => {
    const editor = await openEditor(service, await signIn("editor"), [
      { type: "text", id: "first", text: "First." },
    ]);
    const { page } = editor;
    await page.setOfflineMode(true);
    await pressButton(page, "Preview");
    await page.waitForSelector(".preview .notice");
    await waitForText(page, "Couldn't reach Platen");
    await page.setOfflineMode(false);
    await page.waitForSelector("[aria-label='Page 1 of 1'] canvas");
  });

  it("explains why a preview is missing, and shows an email as in an inbox", async () => {
    const text = { type: "text" as const, id: "first", text: "First." };
    const email = {
      schema: [{ id: "root", fields: [] }],
      email: { subject: "Hello" },
      components: [text],
    };
    const visitor = await signIn("editor");
    const editor = await openEditor(service, visitor, email, "email");
    const { page, templateId } = editor;
    await pressButton(page, "Preview");
    await page.waitForSelector("img.email-print");
    const broken = { ...text, text: "{{ root. }}" };
    await saveDraft(page, templateId, { ...email, components: [broken] });
    await waitForText(page, "Couldn't render the template");
    await pressButton(page, "Show");
    await waitForText(page, "A paragraph, with your data in it");
    await saveDraft(page, templateId, email);
    await page.waitForFunction(
      '!document.body.innerText.includes("Couldn\'t render the template")',
    );
  });
});
