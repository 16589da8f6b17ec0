import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { pressButton, waitForText, useStudio } from "../../support/studio.js";
import {
  openEditor,
  pressKeys,
  saveDraft,
  getTemplate,
} from "../../support/studio-editor.js";

const initialComponents: Component[] = [
  { type: "text", id: "first", text: "First." },
  { type: "text", id: "second", text: "Second." },
];

describe("publishing in the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("changes the published template only on request, as a version with a note", async () => {
    const editor = await openEditor(
      service,
      await signIn("editor"),
      initialComponents,
    );
    const { page, templateId, pageErrors } = editor;
    const before = await getTemplate(page, templateId);
    await page.locator(".sheet [data-id=first]").click();
    await pressKeys(page, "Delete");
    await waitForText(page, "Saved just now");
    expect(await getTemplate(page, templateId)).to.deep.equal(before);
    await pressButton(page, "Publish");
    await page.locator("dialog input[maxlength]").fill("Without the first");
    await pressKeys(page, "Enter");
    await waitForText(page, "Published as version 2");
    const { version, definition } = await getTemplate(page, templateId);
    expect(version).to.equal(2);
    expect(definition.components).to.deep.equal([initialComponents[1]]);
    await pressButton(page, "Versions");
    await waitForText(page, "Without the first");
    expect(pageErrors).to.deep.equal([]);
  });

  it("says that a blank template was never published, until it is", async () => {
    const user = await signIn("editor");
    const { page, pageErrors } = await openEditor(service, user, []);
    await waitForText(page, "Not published yet");
    await page.locator('[data-new="heading"]').click();
    await waitForText(page, "Saved just now");
    await page.goto(`${service.url}/studio/templates`);
    await waitForText(page, "Unpublished changes");
    await page.goBack();
    await pressButton(page, "Publish");
    await page.waitForSelector("dialog input[maxlength]");
    await pressKeys(page, "Enter");
    await waitForText(page, "Published as version 2");
    await page.goto(`${service.url}/studio/templates`);
    await page.waitForSelector(".card.template");
    expect(await page.$eval("main", (one) => one.innerText)).not.to.include(
      "Unpublished changes",
    );
    expect(pageErrors).to.deep.equal([]);
  });

  it("lists the problems to fix and leads to them", async () => {
    const editor = await openEditor(
      service,
      await signIn("editor"),
      initialComponents,
    );
    const { page, templateId } = editor;
    await saveDraft(page, templateId, {
      schema: [{ id: "root", fields: [] }],
      components: [{ type: "text", id: "first", text: "{{ root. }}" }],
    });
    await pressButton(page, "1 problem to fix");
    await waitForText(page, "1 problem to fix first");
    await pressButton(page, "Show");
    await waitForText(page, "A paragraph, with your data in it");
    const { version } = await getTemplate(page, templateId);
    expect(version).to.equal(1);
  });

  it("discards the changes on request, which can be undone", async () => {
    const editor = await openEditor(
      service,
      await signIn("editor"),
      initialComponents,
    );
    const { page } = editor;
    await page.locator(".sheet [data-id=first]").click();
    await pressKeys(page, "Delete");
    await waitForText(page, "Saved just now");
    await pressButton(page, "More actions");
    await pressButton(page, "Discard changes");
    await page.locator("dialog .danger").click();
    await page.waitForSelector(".sheet [data-id=first]");
    expect((await editor.draft()).components).to.deep.equal(initialComponents);
    await pressButton(page, "Undo: Discard the changes");
    await page.waitForFunction("!document.querySelector('[data-id=first]')");
    await waitForText(page, "Saved just now");
    expect((await editor.draft()).components).to.deep.equal([
      initialComponents[1],
    ]);
  });
});
