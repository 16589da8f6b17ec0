import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { pressButton, useStudio } from "../../support/studio.js";

const definition = [
  {
    type: "container",
    id: "box",
    components: [
      { type: "heading", id: "head", text: "Offer" },
      { type: "text", id: "body", text: "For you" },
    ],
  },
  { type: "text", id: "last", text: "Yours" },
] as const;

/** What the breadcrumb below the page says. */
async function selection(page: Page, words: string): Promise<void> {
  await page.waitForFunction(
    (expected) =>
      [...document.querySelectorAll(".canvas-crumbs button")]
        .map(({ textContent }) => textContent)
        .join(" › ") === expected,
    {},
    words,
  );
}

describe("selecting in the page", () => {
  const service = useService();
  const enter = useStudio(service);

  it("takes the innermost part, then what is around it, and shows where it stands", async () => {
    const guest = await enter("editor");
    const { page, wrong } = await openEditor(service, guest, [...definition]);
    const head = '.sheet [data-id="head"]';
    await page.click(head);
    await selection(page, "Page › Box › Heading");
    await page.click(head);
    await selection(page, "Page › Box");
    await page.click(head);
    await selection(page, "Page › Box › Heading");
    await page.click('.sheet [data-id="body"]');
    await selection(page, "Page › Box › Text");
    await page.click(".canvas-crumbs button:nth-child(2)");
    await selection(page, "Page › Box");
    expect(wrong).to.deep.equal([]);
  });

  it("moves, copies and deletes with the buttons beside it", async () => {
    const guest = await enter("editor");
    const { page } = await openEditor(service, guest, [...definition]);
    const texts = () =>
      page.$$eval(".sheet :is(h1, p)", (all) =>
        all.map(({ textContent }) => textContent),
      );
    await page.click('.sheet [data-id="body"]');
    await pressButton(page, "Move up");
    await page.waitForFunction(
      () => document.querySelector(".sheet p + h1") !== null,
    );
    expect(await texts()).to.deep.equal(["For you", "Offer", "Yours"]);
    await pressButton(page, "Duplicate");
    await page.waitForFunction(
      () => document.querySelectorAll(".sheet p").length === 3,
    );
    await pressButton(page, "Delete");
    await page.waitForFunction(
      () => document.querySelectorAll(".sheet p").length === 2,
    );
  });
});
