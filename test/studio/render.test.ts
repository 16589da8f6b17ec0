import { expect } from "chai";
import { describe, it } from "mocha";
import { readPdf } from "../support/read-pdf.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import { counted, pressButton, said, useStudio } from "../support/studio.js";

describe("a template in the studio", () => {
  const service = useService();
  const enter = useStudio(service);

  it("is found and rendered to a PDF with the entered data", async () => {
    const { page, wrong, ...owner } = await enter("editor");
    for (const name of ["Letter of thanks", "Quote"])
      await publish(service.store, owner, { name });
    await page.reload();
    await page.locator("input[type=search]").fill("thanks");
    await counted(page, ".template", 1);
    await page.locator(".template-link").click();
    await pressButton(page, "Custom JSON");
    await page.locator("textarea").fill('{ "name": "Ada Lovel');
    await said(page, "This isn't valid JSON yet");
    await page.locator("textarea").fill('{ "name": "Ada Lovelace" }');
    await pressButton(page, "Create document");
    await said(page, "Document created");
    const url = await page.$eval("a[download]", (link) => link.href);
    const file = await fetch(url);
    const [sheet] = await readPdf(new Uint8Array(await file.arrayBuffer()));
    expect(sheet?.text).to.include("Hello Ada Lovelace");
    await pressButton(page, "Documents");
    await page.waitForSelector(".document ::-p-text(Done)");
    expect(wrong).to.deep.equal([]);
  });

  it("is read-only for viewers", async () => {
    const { page, ...viewer } = await enter("viewer");
    const id = await publish(service.store, viewer);
    await page.goto(`${service.url}/studio/templates/${id}`);
    await said(page, "You have read-only access");
  });
});
