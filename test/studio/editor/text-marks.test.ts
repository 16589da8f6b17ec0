import { expect } from "chai";
import { isDeepStrictEqual } from "node:util";
import { describe, it } from "mocha";
import type { Text } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  startTyping,
  textOfDraft,
} from "../../support/studio-editor.js";
import { pressButton, useStudio } from "../../support/studio.js";

describe("the formatting of words in a text", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("formats and links the selected text, and stores it as a plain string once the formatting is cleared", async () => {
    const editor = await openEditor(service, await signIn(), [
      { id: "one", type: "text", text: "Dear {{ root.name }}" },
    ]);
    const { page, pageErrors } = editor;
    const becomes = (text: Text) =>
      eventually(async () =>
        isDeepStrictEqual(await textOfDraft(editor), text),
      );
    await startTyping(page, "one");
    await pressKeys(page, "Shift+ArrowLeft", "Control+B");
    await becomes(["Dear ", { text: "{{ root.name }}", marks: ["bold"] }]);
    await pressKeys(page, "Control+K");
    await page.waitForSelector(".link-form .ProseMirror-focused");
    await pressKeys(page, "Escape");
    await page.waitForSelector('[data-id="one"] .ProseMirror-focused');
    await pressKeys(page, "Alt+F10", "ArrowRight", "Enter");
    await becomes([
      "Dear ",
      { text: "{{ root.name }}", marks: ["bold", "italic"] },
    ]);
    await pressKeys(page, "Enter", "Escape", "Control+K");
    await page.locator(".link-form .text-typing").click();
    await page.keyboard.type("example.com/");
    await pressButton(page, "Set link");
    const link = { link: "https://example.com/" };
    await becomes([
      "Dear ",
      { text: "{{ root.name }}", marks: [link, "bold"] },
    ]);
    await pressKeys(page, "Control+A");
    await page.locator('[aria-label="Size in pt"]').click();
    await page.keyboard.type("8");
    await pressKeys(page, "Enter");
    const small = { style: { "font-size": "8pt" } };
    await becomes([
      { text: "Dear ", marks: [small] },
      { text: "{{ root.name }}", marks: [link, small, "bold"] },
    ]);
    await pressButton(page, "Clear formatting");
    await becomes("Dear {{ root.name }}");
    await pressKeys(page, "Control+Z", "Control+Z", "Control+Z");
    await becomes(["Dear ", { text: "{{ root.name }}", marks: ["bold"] }]);
    expect(pageErrors).to.eql([]);
  });
});
