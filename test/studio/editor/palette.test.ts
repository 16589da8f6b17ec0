import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { pressButton, waitForText, useStudio } from "../../support/studio.js";
import { openEditor, waitForLastAction } from "../../support/studio-editor.js";

function offered(page: Page): Promise<string[]> {
  return page.$$eval(".palette-item", (all) =>
    all.map((one) => one.textContent ?? ""),
  );
}

/** Runs in the page: how many sizes the buttons have, and whose words are cut or leave the button. */
const measurePalette = `(() => {
  const items = [...document.querySelectorAll(".palette-item")];
  const count = (side) =>
    new Set(items.map((one) => Math.round(one.getBoundingClientRect()[side]))).size;
  const isClipped = (item) => {
    const box = item.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(item);
    const words = range.getBoundingClientRect();
    return words.left < box.left + 1 || words.right > box.right - 1 ||
      words.top < box.top + 1 || words.bottom > box.bottom - 1;
  };
  return {
    widths: count("width"),
    heights: count("height"),
    clipped: items.filter(isClipped).map((one) => one.textContent),
  };
})()`;

describe("the palette", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("adds a component next to the selection and offers those that only its place allows", async () => {
    const editor = await signIn("editor");
    const { page, draft } = await openEditor(service, editor, [
      {
        type: "list",
        components: [{ type: "list-item", id: "point", text: "1" }],
      },
      { type: "divider" },
    ]);
    expect(await offered(page)).not.to.include("List item");
    await page.locator('.canvas [data-id="point"]').click();
    await pressButton(page, "List item");
    await waitForLastAction(page, "List item added into List, position 2 of 2");
    await page.locator(".palette input").fill("logo");
    await page.waitForFunction(
      "document.querySelectorAll('.palette-item').length === 1",
    );
    await pressButton(page, "Image");
    await waitForLastAction(
      page,
      "Image added into List item, position 1 of 1",
    );
    const [list] = await eventually(async () => {
      const { components } = await draft();
      return JSON.stringify(components).includes("image") && components;
    });
    expect(list).to.have.nested.property("components[0].id", "point");
    expect(list).to.have.nested.property(
      "components[1].components[0].type",
      "image",
    );
    await page.locator(".palette input").fill("zeppelin");
    await waitForText(page, "No matches. Try a shorter word.");
    expect(editor.pageErrors).to.deep.equal([]);
  });

  it("adds to the empty page what its button offers, whatever is selected in the header", async () => {
    const editor = await signIn("editor");
    const { page } = await openEditor(service, editor, {
      schema: [{ id: "root", fields: [] }],
      components: [],
      page: { header: [{ type: "text", id: "top", text: "Letterhead" }] },
    });
    await page.locator('.canvas [data-id="top"]').click();
    await page.locator(".empty-page button").click();
    await page.locator("dialog input").fill("heading");
    await page.keyboard.press("Enter");
    await waitForLastAction(page, "Heading added into Page, position 1 of 1");
    expect(editor.pageErrors).to.deep.equal([]);
  });

  for (const locale of ["en", "de", "fr", "es"])
    for (const type of ["document", "email"] as const)
      it(`shows the components of a template of the type ${type} in an even grid, with whole words: ${locale}`, async () => {
        const editor = await signIn("editor", { width: 1280, locale });
        const { page } = await openEditor(
          service,
          editor,
          {
            schema: [],
            components: [],
            ...(type === "email" && { email: { subject: "Hello" } }),
          },
          type,
        );
        for (const width of [1280, 1440]) {
          await page.setViewport({ width, height: 900 });
          expect(await page.evaluate(measurePalette)).to.deep.equal({
            widths: 1,
            heights: 1,
            clipped: [],
          });
        }
      });

  it("offers only email components for an email", async () => {
    const editor = await signIn("editor");
    const { page } = await openEditor(
      service,
      editor,
      { schema: [], components: [], email: { subject: "Hello" } },
      "email",
    );
    const words = await offered(page);
    expect(words).to.include("Hero");
    expect(words).not.to.include("Page break");
  });

  it("tells viewers that they cannot change the template", async () => {
    const editor = await signIn("viewer");
    const { page } = await openEditor(service, editor, []);
    await waitForText(page, "You can view this template.");
    expect(await offered(page)).to.deep.equal([]);
  });
});
