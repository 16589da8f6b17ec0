import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import {
  dropResponses,
  holdResponses,
} from "../../support/delayed-responses.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pasteInto,
  pressKeys,
  waitForTextOfDraft,
} from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

describe("a text that is edited before its editor is loaded", () => {
  const service = useService();
  const signIn = useStudio(service);

  async function open(text: string) {
    const user = await signIn("editor", { width: 1280 });
    const held = await holdResponses(user.page, "/text-editing-", {
      isRequest: true,
    });
    const editor = await openEditor(service, user, [
      { type: "text", id: "one", text },
      { type: "text", id: "two", text: "Two" },
    ]);
    return { ...editor, held };
  }

  const waiting = '[data-id="one"] .text-typing:not(.ProseMirror)';

  async function startWaiting(page: Page): Promise<void> {
    await page.locator('.canvas [data-id="one"]').click({ count: 2 });
    await page.waitForSelector(`${waiting}:focus`);
  }

  it("gets all letters and keys in their order once it is", async () => {
    const editor = await open("Dear");
    const { page, held, pageErrors } = editor;
    await startWaiting(page);
    await pressKeys(page, "Control+A", "ArrowRight");
    await page.keyboard.type(" all offf");
    await pressKeys(page, "Backspace", "Home");
    await page.keyboard.type("My ");
    expect(await page.$(`${waiting}:focus`)).to.not.equal(null);
    held.release();
    await page.waitForSelector('[data-id="one"] .ProseMirror-focused');
    await pressKeys(page, "End");
    await page.keyboard.type(" you");
    await waitForTextOfDraft(editor, "My Dear all off you");
    await page.keyboard.press("Escape");
    await pressKeys(page, "Control+Z", "Control+Z");
    await waitForTextOfDraft(editor, "Dear all off");
    await pressKeys(page, "Control+Z");
    await waitForTextOfDraft(editor, "Dear");
    expect(pageErrors).to.eql([]);
  });

  it("gets them when it was left meanwhile", async () => {
    const editor = await open("Dear");
    const { page, held, pageErrors } = editor;
    await startWaiting(page);
    await pressKeys(page, "Control+A");
    await page.keyboard.type("Hello");
    await pasteInto(page, { "text/plain": " {{ root.name }}" });
    await page.keyboard.press("Escape");
    await page.waitForSelector(waiting, { hidden: true });
    held.release();
    await waitForTextOfDraft(editor, "Hello {{ root.name }}");
    expect(pageErrors).to.eql([]);
  });

  it("gets them where they were typed, although it was left and the caret was moved", async () => {
    const editor = await open("Dear {{ root.name }}, good\nday");
    const { page, held, pageErrors } = editor;
    await startWaiting(page);
    await pressKeys(page, "Control+Home");
    await page.keyboard.type("My ");
    await pressKeys(page, "End", "ArrowLeft", "ArrowLeft");
    await page.keyboard.type("o");
    await page.keyboard.press("Escape");
    await page.waitForSelector(waiting, { hidden: true });
    held.release();
    await waitForTextOfDraft(editor, "My Dear {{ root.name }}, goood\nday");
    expect(pageErrors).to.eql([]);
  });

  it("gets them at the end of a text that was left at once", async () => {
    const editor = await open("Dear");
    const { page, held } = editor;
    await startWaiting(page);
    await page.keyboard.press("End");
    await page.keyboard.type(" Sir");
    await page.keyboard.press("Escape");
    await page.waitForSelector(waiting, { hidden: true });
    held.release();
    await waitForTextOfDraft(editor, "Dear Sir");
  });

  it("gets them when its editor could not be loaded at first, without more being typed", async () => {
    const user = await signIn("editor", { width: 1280 });
    const restore = await dropResponses(user.page, "/text-editing-");
    const { page, ...editor } = await openEditor(service, user, [
      { type: "text", id: "one", text: "Dear" },
    ]);
    await startWaiting(page);
    await page.keyboard.type(" Mr Doe");
    await page.waitForSelector(".toast");
    // Nothing is being loaded any more.
    await page.waitForSelector(".toast", { hidden: true });
    await restore();
    await waitForTextOfDraft({ page, ...editor }, "Dear Mr Doe");
  });

  it("opens the menu of fields for a slash, and makes selected words bold", async () => {
    const editor = await open("Dear");
    const { page, held } = editor;
    await startWaiting(page);
    await pressKeys(page, "Control+A", "Control+B", "ArrowRight");
    await page.keyboard.type(" /");
    held.release();
    await page.waitForSelector("[role=option]");
    await eventually(async () => {
      const [first] = (await editor.draft()).components;
      const text = first && "text" in first ? first.text : "";
      return JSON.stringify(text).includes('"marks":["bold"]');
    });
  });

  it("is drawn at the same place before and after, with the caret where it was pressed", async () => {
    const editor = await open("Dear {{ root.name }}, how are you?");
    const { page, held } = editor;
    const text = await page.waitForSelector('.canvas [data-id="one"]');
    const box = await text?.boundingBox();
    if (!box) throw new Error("the text is not drawn");
    await page.mouse.click(box.x + 12, box.y + box.height / 2, { count: 2 });
    await page.waitForSelector(`${waiting}:focus`);
    const look = `{ const all = [...document.querySelectorAll(".sheet [data-id], .sheet [data-id] .chip")];
      JSON.stringify(all.map((one) => one.getBoundingClientRect())) }`;
    const caret = `{ const { anchorNode, anchorOffset } = getSelection(); anchorNode.textContent + anchorOffset }`;
    const before = await page.evaluate(look);
    const isAt = await page.evaluate(caret);
    held.release();
    await page.waitForSelector('[data-id="one"] .ProseMirror-focused');
    expect(await page.evaluate(look)).to.equal(before);
    expect(await page.evaluate(caret)).to.equal(isAt);
  });

  it("keeps what was typed into a field of the properties", async () => {
    const editor = await open("Dear");
    const { page, held } = editor;
    const field = '.text-typing[aria-label="File name"]';
    await page.locator(field).click();
    await page.keyboard.type("letter");
    await page.keyboard.press("Tab");
    held.release();
    await eventually(async () => (await editor.draft()).fileName === "letter");
  });
});
