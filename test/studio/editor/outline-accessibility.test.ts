import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { runAxe, useStudio } from "../../support/studio.js";
import { useService } from "../../support/service.js";
import { openEditor, pressKeys } from "../../support/studio-editor.js";

const looks = {
  "in the light": { width: 1280 },
  "in the dark": { width: 1280, isDark: true },
};

const components: Component[] = [
  { type: "heading", text: "Title" },
  {
    type: "container",
    collection: { collectionId: "line", path: "root.lines" },
    components: [{ type: "text", text: "{{ line.price }}" }],
  },
];

describe("the editor's panels and dialogs", () => {
  const service = useService();
  const signIn = useStudio(service);

  for (const [look, visitor] of Object.entries(looks))
    it(`have no accessibility violations: ${look}`, async () => {
      const editor = await signIn("editor", visitor);
      const { page } = await openEditor(service, editor, components);
      await page.waitForSelector(".palette-item");
      expect(await runAxe(page), "palette").to.deep.equal([]);
      await page.locator("::-p-aria([name='Outline'][role='tab'])").click();
      await page.waitForSelector("[role=tree]");
      await page.focus("[role=tree]");
      await pressKeys(page, "ArrowDown");
      await page.waitForSelector("[role=treeitem][aria-selected=true]");
      expect(await runAxe(page), "outline").to.deep.equal([]);
      for (const key of ["/", "?"]) {
        await pressKeys(page, key);
        await page.waitForSelector("dialog[open]");
        expect(await runAxe(page), `dialog of ${key}`).to.deep.equal([]);
        await pressKeys(page, "Escape");
        await page.waitForSelector("dialog[open]", { hidden: true });
      }
      expect(editor.pageErrors).to.deep.equal([]);
    });
});
