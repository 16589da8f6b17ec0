import { expect } from "chai";
import { describe, it } from "mocha";
import { readPdf } from "../support/read-pdf.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  waitForCount,
  pressButton,
  waitForText,
  useStudio,
} from "../support/studio.js";

describe("a template in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("is found and rendered to a PDF with the entered data", async () => {
    const { page, pageErrors, ...owner } = await signIn("editor");
    for (const name of ["Letter of thanks", "Quote"])
      await publish(service.store, owner, { name });
    await page.reload();
    await page.locator("input[type=search]").fill("thanks");
    await waitForCount(page, ".template", 1);
    await page.locator(".template-link").click();
    await pressButton(page, "Custom JSON");
    await page.locator("textarea").fill('{ "name": "Ada Lovel');
    await waitForText(page, "This isn't valid JSON yet");
    await page.locator("textarea").fill('{ "name": "Ada Lovelace" }');
    await pressButton(page, "Create document");
    await waitForText(page, "Document created");
    const url = await page.$eval("a[download]", (link) => link.href);
    const file = await fetch(url);
    const [sheet] = await readPdf(new Uint8Array(await file.arrayBuffer()));
    expect(sheet?.text).to.include("Hello Ada Lovelace");
    await pressButton(page, "Documents");
    await page.waitForSelector(".document ::-p-text(Done)");
    expect(pageErrors).to.deep.equal([]);
  });

  it("is read-only for viewers", async () => {
    const { page, ...viewer } = await signIn("viewer");
    const id = await publish(service.store, viewer);
    await page.goto(`${service.url}/studio/templates/${id}`);
    await waitForText(page, "You have read-only access");
  });
});
