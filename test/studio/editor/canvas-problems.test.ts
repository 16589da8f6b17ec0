import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../../support/service.js";
import { openEditor, pressKeys } from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

describe("problems in the page", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("are shown on their component, in the checker's words, until they are fixed", async () => {
    const editor = await signIn("editor");
    const { page, pageErrors } = await openEditor(service, editor, [
      { type: "text", id: "sound", text: "Sound" },
      { type: "text", id: "odd", text: "Odd" },
    ]);
    await page.click('[data-id="odd"]', { count: 2 });
    await page.waitForSelector('[data-id="odd"] [contenteditable]');
    await page.keyboard.type(" {{ 1 + }}");
    await pressKeys(page, "Escape");
    const problem = await page.waitForSelector('[data-id="odd"][data-problem]');
    const words = await problem?.evaluate((one) => one.getAttribute("title"));
    expect(words).to.equal("A value is missing at the end.");
    expect(await page.$('[data-id="sound"][data-problem]')).to.equal(null);
    await pressKeys(page, "Control+Z");
    await page.waitForSelector('[data-id="odd"]:not([data-problem])');
    expect(pageErrors).to.deep.equal([]);
  });
});
