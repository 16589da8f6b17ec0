import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { pressButton, waitForText, useStudio } from "../../support/studio.js";
import { openEditor, pressKeys } from "../../support/studio-editor.js";

const initialComponents: Component[] = [
  { type: "heading", id: "title", text: "Our offer" },
  { type: "container", id: "box", components: [{ type: "divider", id: "d" }] },
];

describe("versions in the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("describe what has changed since and are restored as an undo step", async () => {
    const editor = await openEditor(
      service,
      await signIn("editor"),
      initialComponents,
    );
    const { page, draft, pageErrors } = editor;
    await page.locator(".sheet [data-id=title]").click();
    await pressKeys(page, "Delete");
    await waitForText(page, "Saved just now");
    await pressButton(page, "Versions");
    await waitForText(page, "1 change: Version 1 → Now");
    await waitForText(page, "Removed");
    await waitForText(page, "Heading “Our offer”");
    await pressButton(page, "Restore this version");
    await page.waitForSelector(".sheet [data-id=title]");
    await waitForText(page, "Saved just now");
    expect((await draft()).components).to.deep.equal(initialComponents);
    await pressButton(page, "Undo: Restore version 1");
    await page.waitForFunction("!document.querySelector('[data-id=title]')");
    expect(pageErrors).to.deep.equal([]);
  });

  it("are created without a change, and compared as printed pages", async () => {
    const editor = await openEditor(
      service,
      await signIn("editor"),
      initialComponents,
    );
    const { page } = editor;
    await pressButton(page, "Versions");
    await pressButton(page, "Save a version");
    await page.locator("dialog input").fill("As agreed");
    await pressKeys(page, "Enter");
    await waitForText(page, "Version 2 saved");
    await waitForText(page, "As agreed");
    await waitForText(page, "No differences");
    await pressButton(page, "Printed pages");
    await page.waitForFunction(
      "document.querySelectorAll('.pdf-page canvas').length === 2",
    );
  });
});
