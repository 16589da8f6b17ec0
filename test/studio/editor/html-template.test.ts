import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

describe("an HTML template in the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("is drawn as it prints, and shows its problems with line and column beside the text that has them", async () => {
    const editor = await signIn("editor");
    const { page, pageErrors } = await openEditor(service, editor, [
      {
        type: "markup",
        id: "own",
        html: '<p class="sum" style="margin: 4px">{{ 1 + 2 }} pieces</p>',
        css: ".sum { color: rgb(180, 0, 0) }",
      },
    ]);
    await page.waitForSelector('[data-id="own"] >>> .sum');
    const look = await page.evaluate(`(() => {
      const hosts = [...document.querySelectorAll('[data-id="own"] *')];
      const root = hosts.find((one) => one.shadowRoot).shadowRoot;
      const sum = root.querySelector(".sum");
      const { color, marginTop } = getComputedStyle(sum);
      return [sum.textContent, color, marginTop];
    })()`);
    expect(look).to.eql(["3 pieces", "rgb(180, 0, 0)", "4px"]);
    await page.click('[data-id="own"]');
    const html = await page.waitForSelector("textarea");
    await html?.click({ count: 3 });
    await page.keyboard.press("End");
    await page.keyboard.type("<script></script>");
    const problem = await page.waitForSelector(".code-problems li");
    const words = await problem?.evaluate((one) => one.textContent);
    expect(words).to.match(/^Line 1, column 58.*<script> is not allowed/);
    expect(pageErrors).to.deep.equal([]);
  });
});
