import { expect } from "chai";
import { afterEach, before, describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import type { Component } from "../../core/plugin-api/definition.js";
import { eventually } from "../support/eventually.js";
import { useService } from "../support/service.js";
import {
  openEditor,
  pressKeys,
  startTyping,
} from "../support/studio-editor.js";
import {
  type StudioUser,
  useFirefox,
  useStudio,
  waitForDialogToClose,
  waitForText,
} from "../support/studio.js";

// Needs PLATEN_TEST_FIREFOX, the path of a Firefox such as Debian's firefox-esr.
const firefox = process.env.PLATEN_TEST_FIREFOX;

/** Presses the button with this text. Over BiDi, waiting for an accessible name does not always end. */
function press(page: Page, text: string): Promise<void> {
  return page.locator(`button ::-p-text(${text})`).click();
}

function makeText(id: string): Component {
  return { type: "text", id, text: id };
}

function makeSpace(id: string): Component {
  return { type: "spacer", id, height: "130mm" };
}

/** The middle of an element. */
async function getMiddle(page: Page, selector: string) {
  const found = await page.waitForSelector(selector);
  await found?.scrollIntoView();
  const box = await found?.boundingBox();
  if (!box) throw new Error(`${selector} is not visible`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

if (firefox !== undefined)
  describe("the studio in Firefox", () => {
    const service = useService();
    const signIn = useStudio(service, useFirefox(firefox));
    let user: StudioUser;
    before(async () => {
      user = await signIn("editor");
    });
    afterEach(async () => {
      await user.page.evaluate("localStorage.clear(); sessionStorage.clear()");
      await user.page.goto("about:blank");
    });

    it("shows the palette in two columns beside its scrollbar, saves what is typed, undoes it, and has a caret for a dragged field", async () => {
      const editor = await openEditor(service, user, {
        schema: [{ id: "root", fields: [{ name: "city", type: "String" }] }],
        components: [{ type: "text", id: "one", text: "Dear" }],
      });
      const { page, draft, pageErrors } = editor;
      const saved = (text: string) =>
        eventually(async () => {
          const [first] = (await draft()).components;
          return first && "text" in first && first.text === text;
        });
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
      await startTyping(page, "one");
      await page.keyboard.type(" all");
      await page.keyboard.press("Escape");
      await saved("Dear all");
      await pressKeys(page, "Control+Z");
      await saved("Dear");
      await press(page, "Data");
      const field = await getMiddle(page, '[data-field="city"] .data-name');
      const text = await getMiddle(page, '.sheet [data-id="one"]');
      await page.mouse.move(field.x, field.y);
      await page.mouse.down();
      await page.mouse.move(text.x, text.y, { steps: 6 });
      await page.waitForSelector(".drop-caret");
      await page.mouse.up();
      await saved("Dear{{ root.city }}");
      expect(pageErrors).to.eql([]);
    });

    it("reads fields from pasted rows and shows the printed page", async () => {
      const editor = await openEditor(service, user, [
        { type: "text", id: "one", text: "Dear {{ root.name }}" },
      ]);
      const { page, draft } = editor;
      await press(page, "Data");
      await press(page, "Sample data");
      await page.locator("dialog label ::-p-text(Paste rows)").click();
      await page.locator("dialog textarea").fill("Name,City\nAda,Bonn");
      await waitForText(page, "The row becomes the sample record.");
      await press(page, "Use these rows");
      await press(page, "Done");
      await waitForDialogToClose(page);
      await eventually(async () => {
        const [root] = (await draft()).schema;
        return root?.fields.length === 2;
      });
      await press(page, "Preview");
      await page.waitForSelector("[aria-label='Page 1 of 1'] canvas");
    });

    it("selects by a rectangle, makes columns, resizes them and opens the menu", async () => {
      const texts = ["one", "two", "three"].map((id) => ({
        type: "text" as const,
        id,
        text: `${id} and more words`,
      }));
      const { page, draft, pageErrors } = await openEditor(
        service,
        user,
        texts,
      );
      const boxOf = async (id: string) => {
        const found = await page.waitForSelector(`.sheet [data-id="${id}"]`);
        const box = await found?.boundingBox();
        if (!box) throw new Error(`${id} is not visible`);
        return box;
      };
      const one = await boxOf("one");
      const two = await boxOf("two");
      await page.mouse.move(one.x - 15, one.y + 3);
      await page.mouse.down();
      await page.mouse.move(one.x + 40, two.y + 5, { steps: 5 });
      await page.waitForSelector(".marquee");
      await page.mouse.up();
      await page.waitForFunction(
        "document.querySelectorAll('.selection-box').length === 2",
      );
      const three = await boxOf("three");
      await page.mouse.move(three.x + 20, three.y + three.height / 2);
      await page.mouse.down();
      await page.mouse.move(two.x + two.width - 4, two.y + two.height / 2, {
        steps: 5,
      });
      await page.waitForSelector(".drop-mark");
      await page.mouse.up();
      const widths = async () => {
        const [, columns] = (await draft()).components;
        return columns?.type === "columns"
          ? columns.components.map((column) =>
              column.type === "column" ? (column.width ?? "") : "",
            )
          : [];
      };
      await eventually(async () => (await widths()).length === 2);
      const handle = await page.waitForSelector(".column-handle");
      const box = await handle?.boundingBox();
      if (!box) throw new Error("there is no boundary");
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x - 60, box.y + 4, { steps: 5 });
      await page.waitForSelector(".resize-label");
      await page.mouse.up();
      await eventually(async () =>
        (await widths()).every((width) => width.endsWith("%")),
      );
      await page.click('.sheet [data-id="one"]', { button: "right" });
      await page
        .locator(".context-menu [role=menuitem] ::-p-text(Duplicate)")
        .click();
      await eventually(async () => (await draft()).components.length === 3);
      expect(pageErrors).to.eql([]);
    });

    it("draws one tall sheet with the ends of its pages, and edits what is after them", async () => {
      const { page, draft, pageErrors } = await openEditor(service, user, {
        schema: [{ id: "root", fields: [] }],
        page: {
          margin: "20mm",
          firstHeader: [makeText("first")],
          header: [makeText("other")],
        },
        components: [
          makeText("one"),
          { type: "page-break", id: "break" },
          makeText("two"),
          makeSpace("space1"),
          makeSpace("space2"),
          makeText("three"),
          makeText("four"),
        ],
      });
      await page.waitForFunction(
        "document.querySelectorAll('.page-end').length === 2",
      );
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
      const order = async () =>
        (await draft()).components.map(({ id }) => id).join(" ");
      await startTyping(page, "four");
      await page.keyboard.type(" and more");
      await page.keyboard.press("Escape");
      await eventually(async () => {
        const last = (await draft()).components.at(-1);
        return last && "text" in last && last.text === "four and more";
      });
      const [from, to] = await Promise.all(
        ["four", "three"].map(async (id) => {
          const found = await page.$(`.sheet [data-id="${id}"]`);
          const box = await found?.boundingBox();
          if (!box) throw new Error(`${id} is not visible`);
          return box;
        }),
      );
      if (!from || !to) throw new Error("the texts are not drawn");
      await page.mouse.move(from.x + 200, from.y + 10);
      await page.mouse.down();
      await page.mouse.move(to.x + 200, to.y + 5, { steps: 5 });
      await page.waitForSelector(".drop-mark.is-line");
      await page.mouse.up();
      await eventually(
        async () =>
          (await order()) === "one break two space1 space2 four three",
      );
      expect(pageErrors).to.eql([]);
    });
  });
