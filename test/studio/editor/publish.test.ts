import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { pressButton, said, useStudio } from "../../support/studio.js";
import {
  openEditor,
  pressKeys,
  saveDraft,
  templateOf,
} from "../../support/studio-editor.js";

const begun: Component[] = [
  { type: "text", id: "first", text: "First." },
  { type: "text", id: "second", text: "Second." },
];

describe("publishing in the editor", () => {
  const service = useService();
  const enter = useStudio(service);

  it("changes the published template only on request, as a version with a note", async () => {
    const guest = await openEditor(service, await enter("editor"), begun);
    const { page, templateId, wrong } = guest;
    const before = await templateOf(page, templateId);
    await page.locator(".sheet [data-id=first]").click();
    await pressKeys(page, "Delete");
    await said(page, "Saved just now");
    expect(await templateOf(page, templateId)).to.deep.equal(before);
    await pressButton(page, "Publish");
    await page.locator("dialog input[maxlength]").fill("Without the first");
    await pressKeys(page, "Enter");
    await said(page, "Published as version 2");
    const { version, definition } = await templateOf(page, templateId);
    expect(version).to.equal(2);
    expect(definition.components).to.deep.equal([begun[1]]);
    await pressButton(page, "Versions");
    await said(page, "Without the first");
    expect(wrong).to.deep.equal([]);
  });

  it("lists the problems to fix and leads to them", async () => {
    const guest = await openEditor(service, await enter("editor"), begun);
    const { page, templateId } = guest;
    await saveDraft(page, templateId, {
      schema: [{ id: "root", fields: [] }],
      components: [{ type: "text", id: "first", text: "{{ root. }}" }],
    });
    await pressButton(page, "1 problem to fix");
    await said(page, "1 problem to fix first");
    await pressButton(page, "Show");
    await said(page, "A paragraph, with your data in it");
    const { version } = await templateOf(page, templateId);
    expect(version).to.equal(1);
  });

  it("discards the changes on request, which can be undone", async () => {
    const guest = await openEditor(service, await enter("editor"), begun);
    const { page } = guest;
    await page.locator(".sheet [data-id=first]").click();
    await pressKeys(page, "Delete");
    await said(page, "Saved just now");
    await pressButton(page, "More actions");
    await pressButton(page, "Discard changes");
    await page.locator("dialog .danger").click();
    await page.waitForSelector(".sheet [data-id=first]");
    expect((await guest.draft()).components).to.deep.equal(begun);
    await pressButton(page, "Undo: Discard the changes");
    await page.waitForFunction("!document.querySelector('[data-id=first]')");
    await said(page, "Saved just now");
    expect((await guest.draft()).components).to.deep.equal([begun[1]]);
  });
});
