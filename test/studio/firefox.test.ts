import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import type { Component } from "../../core/plugin-api/definition.js";
import { getText } from "../support/editor-model.js";
import { useService } from "../support/service.js";
import { openEditor } from "../support/studio-editor.js";
import {
  type StudioUser,
  useFirefox,
  useStudio,
  waitForCount,
  waitForDialogToClose,
  waitForText,
} from "../support/studio.js";

// Needs PLATEN_TEST_FIREFOX, the path of a Firefox such as Debian's firefox-esr.
const firefox = process.env.PLATEN_TEST_FIREFOX;

/** Presses the button with this text. Over BiDi, waiting for an accessible name does not always end. */
function press(page: Page, text: string): Promise<void> {
  return page.locator(`button ::-p-text(${text})`).click();
}

const text = (id: string): Component => ({ type: "text", id, text: id });
const space = (id: string): Component => ({
  type: "spacer",
  id,
  height: "130mm",
});

/** The box of an element in the window, once it is there. */
async function getBox(page: Page, selector: string) {
  const found = await page.waitForSelector(selector);
  const box = await found?.boundingBox();
  if (!box) throw new Error(`${selector} is not visible`);
  return box;
}

const part = (id: string) => `.sheet [data-id="${id}"]`;

if (firefox !== undefined)
  describe("the studio in Firefox", () => {
    const service = useService();
    const signIn = useStudio(service, useFirefox(firefox));
    let user: StudioUser;
    before(async () => {
      user = await signIn("editor");
    });
    afterEach(async () => {
      const { page, pageErrors } = user;
      await page.evaluate("localStorage.clear(); sessionStorage.clear()");
      await page.goto("about:blank");
      expect(pageErrors.splice(0)).to.eql([]);
    });

    /** Presses at one point, moves to another, and releases there once something shows. */
    async function drag(
      from: [x: number, y: number],
      to: [x: number, y: number],
      shown: string,
    ): Promise<void> {
      const { page } = user;
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 6 });
      await page.waitForSelector(shown);
      await page.mouse.up();
    }

    it("shows the palette in two columns beside its scrollbar, saves what is typed, undoes it, and has a caret for a dragged field", async () => {
      const editor = await openEditor(service, user, {
        schema: [{ id: "root", fields: [{ name: "city", type: "String" }] }],
        components: [{ type: "text", id: "one", text: "Dear" }],
      });
      const { page, keys, waitForTextOfDraft } = editor;
      await page.waitForSelector(".palette-item");
      const lefts = await page.$$eval(
        ".palette-group:nth-of-type(2) li",
        (items) => items.map((one) => one.getBoundingClientRect().left),
      );
      const scrollbar = await page.evaluate(
        `{ const { offsetWidth, clientWidth } = document.querySelector(".editor-left .editor-panel"); offsetWidth - clientWidth }`,
      );
      expect(scrollbar).to.be.greaterThan(0);
      expect(new Set(lefts).size).to.equal(2);
      await editor.edit("one");
      await editor.type(" all");
      await keys("Escape");
      await waitForTextOfDraft("Dear all");
      await keys("Control+Z");
      await waitForTextOfDraft("Dear");
      await press(page, "Data");
      const field = await getBox(page, '[data-field="city"] .data-name');
      const one = await getBox(page, part("one"));
      await drag(
        [field.x + field.width / 2, field.y + field.height / 2],
        [one.x + one.width / 2, one.y + one.height / 2],
        ".drop-caret",
      );
      await waitForTextOfDraft("Dear{{ root.city }}");
    });

    it("reads fields from pasted rows and shows the printed page", async () => {
      const { page, waitForDraft } = await openEditor(service, user, [
        { type: "text", id: "one", text: "Dear {{ root.name }}" },
      ]);
      await press(page, "Data");
      await press(page, "Sample data");
      await page.locator("dialog label ::-p-text(Paste rows)").click();
      await page.locator("dialog textarea").fill("Name,City\nAda,Bonn");
      await waitForText(page, "The row becomes the sample record.");
      await press(page, "Use these rows");
      await press(page, "Done");
      await waitForDialogToClose(page);
      await waitForDraft(({ schema }) => schema[0]?.fields.length, 2);
      await press(page, "Preview");
      await page.waitForSelector("[aria-label='Page 1 of 1'] canvas");
    });

    it("selects by a rectangle, makes columns, resizes them and opens the menu", async () => {
      const all = ["one", "two", "three"].map(text);
      const editor = await openEditor(service, user, all);
      const { page, waitForBody } = editor;
      const one = await getBox(page, part("one"));
      const two = await getBox(page, part("two"));
      const three = await getBox(page, part("three"));
      await drag([one.x - 15, one.y + 3], [one.x + 40, two.y + 5], ".marquee");
      await waitForCount(page, ".selection-box", 2);
      await drag(
        [three.x + 20, three.y + three.height / 2],
        [two.x + two.width - 4, two.y + two.height / 2],
        ".drop-mark",
      );
      await waitForBody("one columns(column(two) column(three))");
      const edge = await getBox(page, ".column-handle");
      const middle = edge.x + edge.width / 2;
      await drag(
        [middle, edge.y + edge.height / 2],
        [middle - 60, edge.y + 4],
        ".resize-label",
      );
      await editor.waitForJson('%"');
      await page.click(part("one"), { button: "right" });
      await page
        .locator(".context-menu [role=menuitem] ::-p-text(Duplicate)")
        .click();
      await editor.waitForDraft(({ components }) => components.length, 3);
    });

    it("draws one tall sheet with the ends of its pages, and edits what is after them", async () => {
      const editor = await openEditor(service, user, {
        schema: [{ id: "root", fields: [] }],
        page: {
          margin: "20mm",
          firstHeader: [text("first")],
          header: [text("other")],
        },
        components: [
          text("one"),
          { type: "page-break", id: "break" },
          text("two"),
          space("space1"),
          space("space2"),
          text("three"),
          text("four"),
        ],
      });
      const { page, waitForDraft } = editor;
      await waitForCount(page, ".page-end", 2);
      const measured =
        await page.evaluate(`["#first", "#one", ".page-end", "#two",
        ".page-end ~ .page-end", "#three", "#four", "#other"].map((one) => {
          const place = one.replace(/^#(.*)/, '[data-id="$1"]');
          const found = document.querySelector(".sheet " + place);
          return found.getBoundingClientRect().top;
        })`);
      const tops = z.array(z.number()).parse(measured);
      expect(tops).to.eql(tops.toSorted((one, other) => one - other));
      expect(
        await page.evaluate(
          `{ const { scrollWidth, clientWidth } = document.querySelector(".canvas"); scrollWidth - clientWidth }`,
        ),
      ).to.equal(0);
      await editor.edit("four");
      await editor.type(" and more");
      await editor.keys("Escape");
      await waitForDraft(
        ({ components }) => getText(components.at(-1)),
        "four and more",
      );
      const from = await getBox(page, part("four"));
      const to = await getBox(page, part("three"));
      await drag(
        [from.x + 200, from.y + 10],
        [to.x + 200, to.y + 5],
        ".drop-mark.is-line",
      );
      await waitForDraft(
        ({ components }) => components.map(({ id }) => id).join(" "),
        "one break two space1 space2 four three",
      );
    });
  });
