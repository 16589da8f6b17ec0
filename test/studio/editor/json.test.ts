import { expect } from "chai";
import { before, describe, it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { pressButton, waitForText, useStudio } from "../../support/studio.js";
import { type OpenEditor, openEditor } from "../../support/studio-editor.js";

/** Replaces a part of the text as somebody who types. */
async function replace(
  { page }: OpenEditor,
  was: string,
  next: string,
): Promise<void> {
  await page.waitForSelector("textarea.code");
  await page.$eval(
    "textarea.code",
    (field, part) => {
      const at = field.value.indexOf(part);
      if (at < 0) throw new Error(`there is no ${part}`);
      field.focus();
      field.setSelectionRange(at, at + part.length);
    },
    was,
  );
  await page.keyboard.sendCharacter(next);
}

describe("the editor's JSON", () => {
  const service = useService();
  const signIn = useStudio(service);
  let editor: OpenEditor;
  before(async () => {
    editor = await openEditor(service, await signIn("editor"), [
      { type: "text", id: "first", text: "First." },
    ]);
    await pressButton(editor.page, "JSON");
  });

  it("is applied while typing and undone as one step", async () => {
    const { page, draft } = editor;
    await replace(editor, "First.", "Changed.");
    await replace(editor, "Changed.", "Changed again.");
    await eventually(async () =>
      JSON.stringify(await draft()).includes("Changed again."),
    );
    await pressButton(page, "Undo: Edit as JSON");
    await page.waitForFunction(
      `document.querySelector("textarea").value.includes("First.")`,
    );
  });

  it("keeps invalid text as it was typed, even after switching panels", async () => {
    const { page } = editor;
    await replace(editor, `"First."`, `"First`);
    await waitForText(page, "Not applied yet");
    await waitForText(page, "a closing quotation mark is missing");
    await pressButton(page, "Design");
    await page.waitForSelector(".sheet");
    await pressButton(page, "JSON");
    await waitForText(page, "Not applied yet");
    await replace(editor, `"First`, `"First."`);
    await page.waitForFunction(
      "!document.body.innerText.includes('Not applied yet')",
    );
  });

  it("shows the checker's problems, which lead to their position", async () => {
    const { page } = editor;
    await replace(editor, `"First."`, `"{{ root. }}"`);
    await waitForText(page, "1 problem");
    await page.locator(".finding-list button").click();
    const marked = await page.$eval("textarea.code", (field) =>
      field.value.slice(field.selectionStart, field.selectionEnd),
    );
    expect(marked).to.equal(`"{{ root. }}"`);
  });
});
