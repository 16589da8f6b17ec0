import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../../support/service.js";
import { useStudio } from "../../support/studio.js";
import {
  openEditor,
  pressKeys,
  putOnClipboard,
  waitForLastAction,
} from "../../support/studio-editor.js";

describe("the outline of a template with a problem", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("marks the component until the problem is fixed", async () => {
    const editor = await signIn("editor");
    const { page } = await openEditor(service, editor, [
      { type: "container", components: [{ type: "text", text: "Fine" }] },
    ]);
    await page.locator("::-p-aria([name='Outline'][role='tab'])").click();
    await putOnClipboard(
      page,
      '{ "type": "text", "text": "{{ line.title }}" }',
    );
    await page.waitForSelector("[role=tree]");
    await page.focus("[role=tree]");
    await pressKeys(page, "End", "Control+V");
    await waitForLastAction(page, "1 component pasted");
    const marked = await page.waitForSelector(
      "[role=treeitem]:has(.outline-problem)",
    );
    const attributes = await marked?.evaluate((line) => [
      line.getAttribute("aria-selected"),
      line.getAttribute("aria-label"),
    ]);
    expect(attributes?.[0]).to.equal("true");
    expect(attributes?.[1]).to.include("line");
    await pressKeys(page, "Delete");
    await page.waitForSelector(".outline-problem", { hidden: true });
    expect(editor.pageErrors).to.deep.equal([]);
  });
});
