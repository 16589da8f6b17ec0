import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { openEditor, pressKeys } from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

const definition: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  sample: { total: 5, lines: [{ sum: 1 }, { sum: 20 }] },
  components: [
    { type: "heading", id: "head", text: "Offer" },
    {
      type: "text",
      id: "line",
      text: "{{ line.sum }}",
      collection: { collectionId: "line", path: "root.lines" },
      condition: {
        combinator: "and",
        rules: [{ field: "root.total", operator: ">", value: 1 }],
      },
    },
    { type: "spacer", id: "space", height: "20mm" },
    {
      type: "text",
      id: "rich",
      text: "Thank you",
      condition: {
        combinator: "and",
        rules: [{ field: "root.total", operator: ">", value: 10 }],
      },
    },
    {
      type: "fragment",
      id: "group",
      collection: { collectionId: "other", path: "root.lines" },
      components: [{ type: "text", id: "inner", text: "Inner" }],
    },
  ],
};

/** Presses the badge beside a component, in a line of it. */
async function pressBadge(
  page: Page,
  selector: string,
  line = 0,
): Promise<void> {
  await page.waitForSelector(selector);
  const { right, top } = await page.$eval(selector, (one) =>
    one.getBoundingClientRect().toJSON(),
  );
  await page.mouse.click(right + 16, top + 7 + line * 13);
}

/** Waits until the rules of this component are open with the focus in this part. */
async function waitForRules(
  page: Page,
  id: string,
  part: string,
): Promise<void> {
  await page.waitForFunction(`
    document.querySelector("[data-id='${id}'][data-selected]") &&
    document.activeElement?.closest(".rules details")
      ?.querySelector("summary").textContent === "${part}"`);
}

describe("the badge of a component", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("opens the rule that it shows", async () => {
    const { page, pageErrors } = await openEditor(
      service,
      await signIn("editor"),
      definition,
    );
    await page.waitForSelector('[data-id="line"][data-note*="2 of 2"]');
    await pressBadge(page, '[data-id="rich"]');
    await waitForRules(page, "rich", "Show only if");
    await page.click('.sheet [data-id="head"]');
    await pressBadge(page, '[data-id="line"]');
    await waitForRules(page, "line", "Repeat");
    await pressBadge(page, '[data-id="line"]', 2);
    await waitForRules(page, "line", "Show only if");
    await pressBadge(page, '[data-id="group"] .note-holder');
    await waitForRules(page, "group", "Repeat");
    expect(pageErrors).to.deep.equal([]);
  });

  it("opens the properties on a phone", async () => {
    const { page } = await openEditor(
      service,
      await signIn("editor", { width: 390 }),
      definition,
    );
    await page.waitForSelector('[data-id="rich"][data-note]');
    const { left, top } = await page.$eval('[data-id="rich"]', (one) =>
      one.getBoundingClientRect().toJSON(),
    );
    await page.touchscreen.tap(left - 10, top + 6);
    await page.waitForSelector(".editor-right.open .rules");
  });
});

describe("keyboard shortcuts on national keyboards", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("take the key's place where it types no Latin letter", async () => {
    const { page, draft } = await openEditor(service, await signIn("editor"), [
      { type: "heading", id: "head", text: "Offer" },
      { type: "text", id: "last", text: "Yours" },
    ]);
    await page.click('.sheet [data-id="head"]');
    const pressOn = async (key: string, code: string) => {
      await page.evaluate(`document.activeElement.dispatchEvent(
        new KeyboardEvent("keydown", {
          key: "${key}", code: "${code}", ctrlKey: true,
          bubbles: true, cancelable: true,
        }))`);
    };
    await pressOn("в", "KeyD");
    await page.waitForFunction(
      "document.querySelectorAll('.sheet [data-id]').length === 3",
    );
    await pressOn("я", "KeyZ");
    await page.waitForFunction(
      "document.querySelectorAll('.sheet [data-id]').length === 2",
    );
    // On a keyboard whose Y and Z have changed places, the letter counts.
    await pressOn("z", "KeyY");
    await pressOn("y", "KeyZ");
    await page.waitForFunction(
      "document.querySelectorAll('.sheet [data-id]').length === 3",
    );
    expect((await draft()).components[0]?.id).to.equal("head");
  });

  it("are listed by ? wherever no text is written, and by the menu", async () => {
    const { page } = await openEditor(service, await signIn("editor"), [
      { type: "text", id: "last", text: "Yours" },
    ]);
    await page.locator("[role=tab] ::-p-text(Outline)").click();
    await pressKeys(page, "?");
    await page.waitForSelector("dialog .keys");
    await page.keyboard.press("Escape");
    await page.waitForFunction("!document.querySelector('dialog')");
    await page.locator('[aria-label="Help"]').click();
    await page.locator("[role=menuitem] ::-p-text(Keyboard shortcuts)").click();
    await page.waitForSelector("dialog .keys");
    await page.keyboard.press("Escape");
    await page.waitForFunction("!document.querySelector('dialog')");
    await page.locator('.canvas [data-id="last"]').click({ count: 2 });
    await page.waitForSelector(".ProseMirror-focused");
    await page.keyboard.type("Why?");
    await page.waitForFunction(
      "document.querySelector('.ProseMirror-focused').textContent.includes('Why?')",
    );
    expect(await page.$("dialog")).to.equal(null);
  });
});
