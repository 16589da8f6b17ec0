import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { holdResponses } from "../../support/delayed-responses.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { getTemplate } from "../../support/studio-editor.js";
import {
  expectRefusal,
  pressButton,
  usePage,
  waitForText,
} from "../../support/studio.js";

describe("a new template", () => {
  const service = useService();
  const user = usePage(service);
  const folder = suiteFolder();
  const visit = async (path: string) => {
    const { page } = user();
    await page.goto(`${service.url}/studio/${path}`);
    return page;
  };
  const getOpened = async () => {
    const { page } = user();
    await page.waitForSelector(".sheet");
    return /templates\/([\w-]+)\/edit/.exec(page.url())?.[1] ?? "";
  };

  it("starts from an example that a search finds, and stops loading the pictures of others", async () => {
    const page = await visit("templates");
    // The pictures are held, as if they were being rendered.
    const pictures = await holdResponses(page, "/picture", { isRequest: true });
    const stopped = new Promise<void>((resolve) => {
      page.on("requestfailed", (request) => {
        if (request.url().endsWith("/contract/picture")) resolve();
      });
    });
    await pressButton(page, "New template");
    await waitForText(page, "Blank document");
    await page.waitForSelector("img[src$='/contract/picture']");
    await page.locator("input[type=search]").fill("packing");
    await stopped;
    pictures.release();
    await pressButton(page, "Packing list");
    await page.locator("dialog input").fill("Our parcels");
    await pressButton(page, "Create and open");
    const made = await getTemplate(user(), await getOpened());
    expect(made.name).to.equal("Our parcels");
    expect(made.definition.components.length).to.be.above(0);
  });

  it("starts empty, as a document or an email", async () => {
    const page = await visit("templates/new");
    await page.locator('::-p-aria([name="Blank email"])').click({ count: 2 });
    const id = await getOpened();
    expect((await getTemplate(user(), id)).templateType).to.equal("email");
    await pressButton(page, "Untitled");
    await page.keyboard.type("News");
    await page.keyboard.press("Enter");
    await eventually(
      async () => (await getTemplate(user(), id)).name === "News",
    );
    await visit("templates");
    await waitForText(page, "News");
    // The double click has made one.
    const emails = await page.$$eval("li.template", (all) =>
      all.filter(({ innerText }) => /News|Untitled/.test(innerText)),
    );
    expect(emails).to.have.length(1);
  });

  it("starts from a file, and rejects a file that is not a template", async () => {
    const page = await visit("templates/new");
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

  it("leads back to the templates when it does not exist", async () => {
    const page = await visit("templates/missing/edit");
    await waitForText(page, "Couldn't open the template");
    await pressButton(page, "Templates");
    await page.waitForFunction(
      'location.pathname.endsWith("/studio/templates")',
    );
    expectRefusal(user(), 404);
  });
});
