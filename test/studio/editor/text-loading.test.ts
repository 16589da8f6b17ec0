import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import {
  dropResponses,
  holdResponses,
} from "../../support/delayed-responses.js";
import { useService } from "../../support/service.js";
import {
  type OpenEditor,
  openEditor,
  pasteInto,
} from "../../support/studio-editor.js";
import { ignoreOutage, usePage } from "../../support/studio.js";

const waiting = '[data-id="one"] .text-typing:not(.ProseMirror)';

async function leave({ keys, waitUntilGone }: OpenEditor): Promise<void> {
  await keys("Escape");
  await waitUntilGone(waiting);
}

describe("a text that is edited before its editor is loaded", () => {
  const service = useService();
  const user = usePage(service);
  // Else the browser does not request it again.
  before(() => user().page.setCacheEnabled(false));
  beforeEach(() => user().page.goto("about:blank"));

  const open = (text: string) =>
    openEditor(service, user(), [
      { type: "text", id: "one", text },
      { type: "text", id: "two", text: "Two" },
    ]);

  /** Opens a text whose editor is on its way, and begins to type in it. */
  async function beginWaiting(text: string) {
    const { page } = user();
    const isRequest = true;
    const held = await holdResponses(page, "/text-editing-", { isRequest });
    const editor = await open(text);
    await editor.click("one", { count: 2 });
    await editor.waitFor(`${waiting}:focus`);
    return Object.assign(editor, held);
  }

  it("gets all letters and keys in their order once it is", async () => {
    const editor = await beginWaiting("Dear");
    const { page, keys, type, waitForTextOfDraft } = editor;
    await keys("Control+A", "ArrowRight");
    await type(" all offf");
    await keys("Backspace", "Home");
    await type("My ");
    expect(await page.$(`${waiting}:focus`)).to.not.equal(null);
    editor.release();
    await editor.waitFor('[data-id="one"] .ProseMirror-focused');
    await keys("End");
    await type(" you");
    await waitForTextOfDraft("My Dear all off you");
    await keys("Escape", "Control+Z", "Control+Z");
    await waitForTextOfDraft("Dear all off");
    await keys("Control+Z");
    await waitForTextOfDraft("Dear");
  });

  it("gets what was pasted when it was left meanwhile", async () => {
    const editor = await beginWaiting("Dear");
    await editor.keys("Control+A");
    await editor.type("Hello");
    await pasteInto(editor.page, { "text/plain": " {{ root.name }}" });
    await leave(editor);
    editor.release();
    await editor.waitForTextOfDraft("Hello {{ root.name }}");
  });

  it("gets them where they were typed, although it was left and the caret was moved", async () => {
    const editor = await beginWaiting("Dear {{ root.name }}, good\nday");
    const { keys, type } = editor;
    await keys("Control+Home");
    await type("My ");
    await keys("End", "ArrowLeft", "ArrowLeft");
    await type("o");
    await leave(editor);
    editor.release();
    await editor.waitForTextOfDraft("My Dear {{ root.name }}, goood\nday");
  });

  it("gets them at the end when it was left at once", async () => {
    const editor = await beginWaiting("Dear");
    await editor.keys("End");
    await editor.type(" Sir");
    await leave(editor);
    editor.release();
    await editor.waitForTextOfDraft("Dear Sir");
  });

  it("gets them when its editor could not be loaded at first, without more being typed", async () => {
    const restore = await dropResponses(user().page, "/text-editing-");
    const { click, type, ...editor } = await open("Dear");
    await click("one", { count: 2 });
    await editor.waitFor(`${waiting}:focus`);
    await type(" Mr Doe");
    await editor.waitFor(".toast");
    await restore();
    await editor.waitForTextOfDraft("Dear Mr Doe");
    ignoreOutage(user());
  });

  it("opens the menu of fields for a slash, and makes selected words bold", async () => {
    const editor = await beginWaiting("Dear");
    await editor.keys("Control+A", "Control+B", "ArrowRight");
    await editor.type(" /");
    editor.release();
    await editor.waitFor("[role=option]");
    await editor.waitForJson('"marks":["bold"]');
  });

  it("is drawn at the same place before and after, with the caret where it was pressed", async () => {
    const editor = await beginWaiting("Dear {{ root.name }}, how are you?");
    const { page } = editor;
    await leave(editor);
    const box = await (await page.$('.canvas [data-id="one"]'))?.boundingBox();
    if (!box) throw new Error("the text is not drawn");
    await page.mouse.click(box.x + 12, box.y + box.height / 2, { count: 2 });
    await editor.waitFor(`${waiting}:focus`);
    const look = `[...document.querySelectorAll(".sheet [data-id], .sheet [data-id] .chip")]
      .map((one) => JSON.stringify(one.getBoundingClientRect())).join()`;
    const caret =
      "getSelection().anchorNode.textContent + getSelection().anchorOffset";
    const waited = [await page.evaluate(look), await page.evaluate(caret)];
    editor.release();
    await editor.waitFor('[data-id="one"] .ProseMirror-focused');
    expect([
      await page.evaluate(look),
      await page.evaluate(caret),
    ]).to.deep.equal(waited);
  });

  it("keeps what was typed into a field of the properties", async () => {
    const editor = await beginWaiting("Dear");
    await leave(editor);
    await editor.keys("Escape");
    await editor.page.locator('.text-typing[aria-label="File name"]').click();
    await editor.type("letter");
    await editor.keys("Tab");
    editor.release();
    await editor.waitForDraft(({ fileName }) => fileName, "letter");
  });
});
