import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { pressButton, said, useStudio } from "../../support/studio.js";
import { openEditor, pressKeys } from "../../support/studio-editor.js";

const begun: Component[] = [
  { type: "heading", id: "title", text: "Our offer" },
  { type: "container", id: "box", components: [{ type: "divider", id: "d" }] },
];

describe("versions in the editor", () => {
  const service = useService();
  const enter = useStudio(service);

  it("describe what has changed since and are restored as an undo step", async () => {
    const guest = await openEditor(service, await enter("editor"), begun);
    const { page, draft, wrong } = guest;
    await page.locator(".sheet [data-id=title]").click();
    await pressKeys(page, "Delete");
    await said(page, "Saved just now");
    await pressButton(page, "Versions");
    await said(page, "1 change: Version 1 → Now");
    await said(page, "Removed");
    await said(page, "Heading “Our offer”");
    await pressButton(page, "Restore this version");
    await page.waitForSelector(".sheet [data-id=title]");
    await said(page, "Saved just now");
    expect((await draft()).components).to.deep.equal(begun);
    await pressButton(page, "Undo: Restore version 1");
    await page.waitForFunction("!document.querySelector('[data-id=title]')");
    expect(wrong).to.deep.equal([]);
  });

  it("are created without a change, and compared as printed pages", async () => {
    const guest = await openEditor(service, await enter("editor"), begun);
    const { page } = guest;
    await pressButton(page, "Versions");
    await pressButton(page, "Save a version");
    await page.locator("dialog input").fill("As agreed");
    await pressKeys(page, "Enter");
    await said(page, "Version 2 saved");
    await said(page, "As agreed");
    await said(page, "No differences");
    await pressButton(page, "Printed pages");
    await page.waitForFunction(
      "document.querySelectorAll('.pdf-page canvas').length === 2",
    );
  });
});
