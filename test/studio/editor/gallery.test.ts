import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { pressButton, waitForText, useStudio } from "../../support/studio.js";
import { getTemplate } from "../../support/studio-editor.js";

describe("a new template", () => {
  const service = useService();
  const signIn = useStudio(service);
  const folder = suiteFolder();

  it("starts from an example found by search and opens", async () => {
    const { page, pageErrors } = await signIn("editor");
    await pressButton(page, "New template");
    await waitForText(page, "Blank document");
    await page.locator("input[type=search]").fill("packing");
    await page.waitForFunction(
      "document.querySelectorAll('.new-template').length === 1",
    );
    await pressButton(page, "Packing list");
    await page.locator("dialog input").fill("Our parcels");
    await pressButton(page, "Create and open");
    await page.waitForSelector(".sheet");
    const id = /templates\/([\w-]+)\/edit/.exec(page.url())?.[1] ?? "";
    const made = await getTemplate(page, id);
    expect(made.name).to.equal("Our parcels");
    expect(made.definition.components.length).to.be.above(0);
    expect(pageErrors).to.deep.equal([]);
  });

  it("stops loading the pictures of examples that a search has hidden", async () => {
    const { page } = await signIn("editor");
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      // The pictures are held, as if they were being rendered.
      if (!request.url().endsWith("/picture")) void request.continue();
    });
    const stopped = new Promise<void>((resolve) => {
      page.on("requestfailed", (request) => {
        if (request.url().endsWith("/contract/picture")) resolve();
      });
    });
    await page.goto(`${service.url}/studio/templates/new`);
    await page.waitForSelector("img[src$='/contract/picture']");
    await page.locator("input[type=search]").fill("packing");
    await stopped;
  });

  it("starts empty, as a document or an email", async () => {
    const { page } = await signIn("editor");
    await page.goto(`${service.url}/studio/templates/new`);
    await page.locator('::-p-aria([name="Blank email"])').click({ count: 2 });
    await page.waitForSelector(".sheet");
    const id = /templates\/([\w-]+)\/edit/.exec(page.url())?.[1] ?? "";
    expect((await getTemplate(page, id)).templateType).to.equal("email");
    await pressButton(page, "Untitled");
    await page.keyboard.type("News");
    await page.keyboard.press("Enter");
    await eventually(async () => (await getTemplate(page, id)).name === "News");
    await page.goto(`${service.url}/studio/templates`);
    await waitForText(page, "News");
    expect((await page.$$("li.template")).length).to.equal(1);
  });

  it("starts from a file, and rejects a file that is not a template", async () => {
    const { page } = await signIn("editor");
    await page.goto(`${service.url}/studio/templates/new`);
    const chooser = await page.waitForSelector("input[type=file]");
    const file = join(folder, "Our letter.json");
    await writeFile(file, "no template");
    await chooser?.uploadFile(file);
    await waitForText(page, "Our letter.json isn't a template.");
    const components = [{ type: "text", id: "first", text: "From a file." }];
    const schema = [{ id: "root", fields: [] }];
    await writeFile(file, JSON.stringify({ schema, components }));
    await chooser?.uploadFile(file);
    await pressButton(page, "Create and open");
    await page.waitForSelector(".sheet [data-id=first]");
    await waitForText(page, "Our letter");
  });
});
