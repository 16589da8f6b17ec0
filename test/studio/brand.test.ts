import { expect } from "chai";
import { before, describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { useService } from "../support/service.js";
import {
  pressButton,
  type StudioUser,
  useStudio,
  waitForDialogToClose,
  waitForHeading,
  waitForText,
} from "../support/studio.js";
import { getTemplate, openEditor } from "../support/studio-editor.js";

describe("the brand in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);
  let user: StudioUser;
  let page: Page;
  before(async () => {
    user = await signIn("owner", { width: 1440 });
    page = user.page;
  });

  const openBrand = async () => {
    await page.goto(`${service.url}/studio/brand`);
    await waitForHeading(page, "Brand");
    await page.waitForFunction(
      `document.querySelector(".brand-sample img")?.naturalWidth > 0`,
    );
  };
  const chooseColor = (color: string) =>
    page
      .locator('input[type="color"][aria-labelledby="color-primary"]')
      .fill(color);

  it("saves colors, fonts and a text style, with a printed sample page", async () => {
    await openBrand();
    await chooseColor("#1446a0");
    await page.select('select[aria-label="Headings"]', "Playfair Display");
    await pressButton(page, "Add text style");
    await page.locator("dialog input").fill("Note");
    await pressButton(page, "Add");
    await waitForDialogToClose(page);
    await page.select('select[aria-label="Size of Note"]', "8pt");
    await pressButton(page, "Save");
    await waitForText(page, "Saved.");
    await page.reload();
    await page.waitForFunction(
      `document.querySelector('select[aria-label="Headings"]')?.value === "Playfair Display"`,
    );
    await waitForText(page, "#1446a0");
    await waitForText(page, "Note");
  });

  it("asks which templates follow a change, and changes those that are chosen", async () => {
    const text = {
      id: "a",
      type: "text",
      text: "Blue",
      style: { color: "#1446a0" },
    } as const;
    const follows = await openEditor(service, user, [text]);
    const stays = await openEditor(service, user, [text]);
    await openBrand();
    await chooseColor("#0b6b50");
    await pressButton(page, "Save");
    await page.waitForSelector("dialog li");
    expect(await page.$$("dialog input:checked")).to.have.length(2);
    const boxes = await page.$$("dialog input");
    await boxes[1]?.click();
    await pressButton(page, "Save and change 1 template");
    await waitForText(page, "Saved. 1 template was changed.");
    const templates = await Promise.all(
      [follows, stays].map(({ templateId }) => getTemplate(page, templateId)),
    );
    const colors = templates.map(({ definition, version }) => {
      const { style } = Object(definition.components[0]);
      return [version, style.color];
    });
    expect(colors).to.have.deep.members([
      [2, "#0b6b50"],
      [1, "#1446a0"],
    ]);
  });

  it("offers the fonts and colors of the brand first in the editor", async () => {
    await openEditor(service, user, [{ id: "a", type: "text", text: "A" }]);
    await page.locator('.sheet [data-id="a"]').click();
    await pressButton(page, "Style");
    await page.waitForFunction(
      `[...document.querySelectorAll(".editor-right select")].some((one) => one.options[1]?.value === "Playfair Display")`,
    );
  });
});
