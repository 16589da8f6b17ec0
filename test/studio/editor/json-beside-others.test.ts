import { expect } from "chai";
import { describe, it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { pressButton, waitForText, useStudio } from "../../support/studio.js";
import {
  getDraft,
  saveDraft,
  openEditor,
} from "../../support/studio-editor.js";

const text = (id: string, words: string) => ({
  type: "text" as const,
  id,
  text: words,
});

describe("the editor's JSON while somebody else saves", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("includes those changes and keeps the cursor in place", async () => {
    const initialComponents = [text("first", "One"), text("second", "Two")];
    const editor = await openEditor(
      service,
      await signIn("editor"),
      initialComponents,
    );
    const { page, templateId } = editor;
    await pressButton(page, "JSON");
    await page.waitForSelector("textarea.code");
    await page.$eval("textarea.code", (field) => {
      const at = field.value.indexOf("Two") + 3;
      field.focus();
      field.setSelectionRange(at, at);
    });
    await page.keyboard.type(" and");
    await page.waitForFunction(
      `document.body.innerText.includes("Saved just now")`,
    );
    const { definition } = await getDraft(page, templateId);
    const [, second] = definition.components;
    const components = [text("first", "One, much longer than before"), second];
    await saveDraft(page, templateId, { ...definition, components });
    await page.waitForFunction(
      `document.querySelector("textarea").value.includes("much longer")`,
    );
    await page.keyboard.type(" more");
    await page.waitForFunction(
      `document.querySelector("textarea").value.includes('"Two and more"')`,
    );
    const field = await page.$eval("textarea.code", ({ value }) => value);
    expect(() => JSON.parse(field) as unknown).not.to.throw();
  });

  it("keeps unfinished text without losing those changes", async () => {
    const initialComponents = [text("first", "One"), text("second", "Two")];
    const editor = await openEditor(
      service,
      await signIn("editor"),
      initialComponents,
    );
    const { page, templateId } = editor;
    await pressButton(page, "JSON");
    await page.waitForSelector("textarea.code");
    await page.$eval("textarea.code", (field) => {
      const at = field.value.indexOf('Two"') + 3;
      field.focus();
      field.setSelectionRange(at, at + 1);
    });
    await page.keyboard.type(" more");
    await waitForText(page, "Not applied yet");
    const { definition } = await getDraft(page, templateId);
    const components = [text("first", "Theirs"), text("second", "Two")];
    await saveDraft(page, templateId, { ...definition, components });
    await waitForText(
      page,
      "You are also editing this template in another tab.",
    );
    await page.keyboard.type('"');
    await waitForText(page, "Saved just now");
    const after = await eventually(async () => {
      const now = (await getDraft(page, templateId)).definition.components;
      return JSON.stringify(now).includes("Two more") && now;
    });
    expect(after).to.deep.equal([
      text("first", "Theirs"),
      text("second", "Two more"),
    ]);
  });
});
