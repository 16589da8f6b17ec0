import { expect } from "chai";
import type { Text } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { menuShows, useEditor } from "../../support/studio-editor.js";

/** A key of another keyboard, as browsers report it: by its letter there and by its place. */
function foreignKey(key: string, code: string, altKey = false): string {
  const keyCode = code.charCodeAt(code.length - 1);
  const held = { ctrlKey: true, altKey, bubbles: true, cancelable: true };
  const init = JSON.stringify({ key, code, keyCode, ...held });
  return `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", ${init}))`;
}

describe("typing in the page", () => {
  const service = useService();
  const open = useEditor(service);

  it("keeps every letter of prose, variables, formats and a cut, whatever happens meanwhile", async () => {
    const prose = [
      `Dear Ms. O'Neill,`,
      `we deliver and/or install 12 x 3 = 36 shelves ("oak"), 50% off; {ask} us.`,
      `Größe: 2,5 m². Straße 7 / Hof 3. \\n and {{ stay as typed.`,
    ];
    const { page, keys, type, edit, waitForTextOfDraft } = await open({
      schema: [{ id: "root", fields: [{ name: "customer", type: "String" }] }],
      components: [{ type: "text", id: "one", text: "Dear all" }],
      sample: { customer: "Ada & Sons" },
    });
    await edit("one");
    await keys("Control+A");
    for (const words of prose) {
      await type(words);
      await keys("Enter");
    }
    const written = `${prose.join("\n")}\n`.replace("{{ stay", "\\{{ stay");
    await waitForTextOfDraft(written);
    // A variable amid the words, made bold with its neighbors.
    await type("Yours, ");
    await type("/customer");
    await menuShows(page, "Customer");
    await keys("Enter");
    await type("!");
    const signed = `${written}Yours, {{ root.customer }}!`;
    await waitForTextOfDraft(signed);
    await keys("Shift+Home", "Control+B");
    await waitForTextOfDraft([
      written,
      { text: "Yours, {{ root.customer }}!", marks: ["bold"] },
    ]);
    await keys("Control+Z");
    await waitForTextOfDraft(signed);
    await keys("ArrowRight", "Control+B");
    await type("bold");
    await keys("Control+B");
    await type("plain");
    const bold: Text = [signed, { text: "bold", marks: ["bold"] }, "plain"];
    await waitForTextOfDraft(bold);
    // All of it is cut, something else is typed, and it is put behind that.
    await keys("Control+A", "Control+X");
    await type("New: ");
    await waitForTextOfDraft("New: ");
    await keys("Control+V");
    const renewed: Text = [`New: ${signed}`, ...bold.slice(1)];
    await waitForTextOfDraft(renewed);
    await keys("Control+Z", "Control+Z", "Control+Z");
    await waitForTextOfDraft(bold);
    await keys("Control+Y", "Control+Shift+Z", "Control+Y", "Escape");
    await waitForTextOfDraft(renewed);
  });

  it("neither loses nor repeats a letter of a keyboard or of an input method while drafts are saved", async () => {
    const { page, edit, type, keys, waitForTextOfDraft } = await open([
      { type: "text", id: "one", text: "{{ root.x }}" },
    ]);
    const session = await page.createCDPSession();
    const compose = async (...steps: string[]) => {
      for (const text of steps) {
        const end = { selectionStart: text.length, selectionEnd: text.length };
        await session.send("Input.imeSetComposition", { text, ...end });
      }
      await session.send("Input.insertText", { text: steps.at(-1) ?? "" });
    };
    await edit("one");
    let expected = "{{ root.x }}";
    for (let run = 0; run < 4; run++) {
      const words = ` Line ${run} with "quotes", {braces} and \\slashes.`;
      await type(words);
      await compose("に", "にほ", "日本");
      // As a paste without a clipboard hands words over.
      await page.keyboard.sendCharacter("😀 שלום ");
      await keys("Backspace", "ArrowLeft", "ArrowRight");
      expected += `${words}日本😀 שלום`;
    }
    await waitForTextOfDraft(expected);
    await keys("Control+Home");
    await compose("k", "kö", "köl", "Köln");
    await type(": ");
    await compose("한", "한구", "한국");
    await waitForTextOfDraft(`Köln: 한국${expected}`);
    await keys("Control+A");
    await type("New");
    await waitForTextOfDraft("New");
  });

  it("is undone one run of typing at a time, restoring the original text exactly", async () => {
    const original = "a\\{{b}} {{ root.x|upper }}\r\nc";
    const { edit, type, keys, waitForTextOfDraft } = await open([
      { type: "text", id: "one", text: original },
    ]);
    await edit("one");
    await type("hello");
    await waitForTextOfDraft(`${original}hello`);
    await keys("ArrowLeft");
    await type("XY");
    await waitForTextOfDraft(`${original}hellXYo`);
    await keys("Control+Z");
    await type("!");
    await waitForTextOfDraft(`${original}hell!o`);
    await keys("Control+Z", "Control+Z");
    await waitForTextOfDraft(original);
    await keys("Control+Y");
    await waitForTextOfDraft(`${original}hello`);
  });

  it("goes to the end with End beside a selected formula, which stays", async () => {
    const text = "Pay {{ root.a * 2 }} soon";
    const { page, edit, keys, waitFor, waitForTextOfDraft } = await open([
      { type: "text", id: "one", text },
    ]);
    await edit("one");
    await page.locator(".text-typing .chip").click();
    await waitFor(".chip-popover");
    await keys("Escape");
    await waitFor('[data-id="one"] .ProseMirror-focused');
    // Without waiting for the browser to report where the caret is.
    await Promise.all(
      (["End", "!", "!"] as const).map((key) => page.keyboard.press(key)),
    );
    await waitForTextOfDraft(`${text}!!`);
  });

  it("formats by the letter on any keyboard, by the place where it types no Latin letters, and never by a key that types a character", async () => {
    const editor = await open([{ type: "text", id: "one", text: "Dear all" }]);
    const { page, edit, keys, waitForTextOfDraft } = editor;
    await edit("one");
    await keys("Shift+Home");
    // Ctrl+B on a Russian keyboard.
    await page.evaluate(foreignKey("и", "KeyB"));
    await waitForTextOfDraft([{ text: "Dear all", marks: ["bold"] }]);
    // AltGr and B on a Hungarian one types {.
    await page.evaluate(foreignKey("{", "KeyB", true));
    // Ctrl+Z on a German keyboard, where Z is in the place of Y.
    await page.evaluate(foreignKey("z", "KeyY"));
    await waitForTextOfDraft("Dear all");
    // Beside the text, they are the keys of the selected component.
    await keys("Escape");
    await page.evaluate(foreignKey("в", "KeyD"));
    await editor.waitForBody("Dear all Dear all");
    await page.evaluate(foreignKey("я", "KeyZ"));
    await editor.waitForBody("Dear all");
    await page.evaluate(foreignKey("y", "KeyZ"));
    await editor.waitForBody("Dear all Dear all");
  });

  it("keeps every letter of fields, typed faster than the page is painted", async () => {
    const { page, edit, keys, click, ...editor } = await open([
      { type: "text", id: "one", text: "{{ 1 + 1 }}" },
      { type: "spacer", id: "gap", height: "8mm" },
    ]);
    const typeAtOnce = async (selector: string, text: string) => {
      const field = await page.waitForSelector(selector);
      await field?.focus();
      await keys("Control+A");
      await page.evaluate(`(async () => {
        for (const letter of ${JSON.stringify(text)}) {
          document.execCommand("insertText", false, letter);
          // What is drawn by then is drawn without being painted.
          for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
        }
      })()`);
      const shown = await field?.evaluate((one) => Reflect.get(one, "value"));
      expect(shown).to.equal(text);
    };
    await click("gap");
    await typeAtOnce('.inspector input[aria-label="Height"]', "0.5");
    await keys("Enter");
    await edit("one");
    await page.locator(".text-typing .chip").click();
    await typeAtOnce(".formula-field", "ROUND( 2.5 ) * 3");
    await editor.waitForDraft(
      ({ components }) => components,
      [
        { type: "text", id: "one", text: "{{ ROUND( 2.5 ) * 3 }}" },
        { type: "spacer", id: "gap", height: "0.5mm" },
      ],
    );
  });

  it("has the menu of fields and undo in a property with variables too", async () => {
    const { page, click, type, keys, waitForDraft } = await open({
      schema: [{ id: "root", fields: [{ name: "serial", type: "String" }] }],
      components: [{ id: "code", type: "qrcode", value: "A" }],
      sample: { serial: "S-1" },
    });
    const becomes = (value: string) =>
      waitForDraft(({ components: [code] }) => code, {
        id: "code",
        type: "qrcode",
        value,
      });
    await click("code");
    const field = ".inspector .text-typing";
    await page.locator(field).click();
    await keys("Control+End");
    await type(" /ser");
    await menuShows(page, "Serial", "S-1");
    await keys("Enter");
    await type("\\Z");
    await becomes("A {{ root.serial }}\\Z");
    await keys("Control+Z");
    await becomes("A {{ root.serial }}");
    await page.waitForFunction(
      `document.querySelector("${field}")?.textContent === "A Serial"`,
    );
    await keys("Backspace", "Backspace");
    await becomes("A");
  });

  const caret =
    '.canvas .ProseMirror-focused[data-empty="true"][data-placeholder]';

  it("begins in a new text, which is empty, from the palette, the slash dialog and a drop", async () => {
    const { page, press, type, keys, waitFor, ...editor } = await open([]);
    await press("Heading");
    await waitFor(caret);
    await type("Invoice");
    await keys("Escape", "/");
    await page.locator("dialog input").fill("text");
    await keys("Enter");
    await waitFor(caret);
    await type("Dear all");
    await page.locator('[data-new="list"]').hover();
    await page.mouse.down();
    const body = await page.waitForSelector('[data-list="body"]');
    const box = await body?.boundingBox();
    await page.mouse.move(box?.x ?? 0, 700, { steps: 4 });
    await page.mouse.up();
    await editor.waitForLastAction("List added into Page, position 3 of 3");
    await waitFor(caret);
    await type("First");
    await editor.waitForBody("Invoice Dear all list(First)");
  });

  it("has a placeholder in an empty text, which is neither saved nor a problem, and goes away with one undo", async () => {
    const { page, press, type, keys, waitFor, ...editor } = await open([]);
    await page.locator('[data-new="text"]').click();
    await waitFor(caret);
    await keys("Escape");
    await page.waitForFunction(
      `document.querySelector(".canvas .no-text")?.textContent === "Text"`,
    );
    await editor.waitForBody("_");
    await press("Publish");
    await waitFor("dialog input[maxlength]");
    await keys("Enter");
    await editor.waitForText("Published as version 2");
    await page.locator(".canvas .no-text").click({ count: 2 });
    await waitFor(caret);
    await type("x");
    await keys("Control+Z", "Control+Z");
    await editor.waitForBody("");
    await keys("Control+Y");
    await waitFor(".canvas .no-text");
  });
});
