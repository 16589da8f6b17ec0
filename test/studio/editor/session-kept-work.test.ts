import { expect } from "chai";
import { describe, it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { waitForText, useStudio } from "../../support/studio.js";
import { openEditor, pressKeys } from "../../support/studio-editor.js";

describe("changes backed up in the browser", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("are saved by their author and by nobody else who signs in there", async () => {
    const one = await signIn("editor");
    const other = await signIn("editor", undefined, one.organizationId);
    const { page, templateId, draft } = await openEditor(service, one, [
      { type: "text", id: "first", text: "First." },
      { type: "text", id: "second", text: "Second." },
    ]);
    page.on("dialog", (dialog) => void dialog.accept());
    const [mine, theirs] = [
      await page.browserContext().cookies(),
      await other.page.browserContext().cookies(),
    ];
    // Nothing that this page sends arrives any more, its last words neither; the next page's do.
    await page.evaluate(
      "window.fetch = () => Promise.reject(new TypeError('lost'))",
    );
    await page.locator(".sheet [data-id=first]").click();
    await pressKeys(page, "Delete");
    await waitForText(page, "Your last changes aren't saved.");

    await page.browserContext().setCookie(...theirs);
    const editor = `${service.url}/studio/templates/${templateId}/edit`;
    await page.goto(editor);
    await page.waitForSelector(".sheet [data-id=first]");
    expect((await draft()).components).to.have.length(2);

    await page.browserContext().setCookie(...mine);
    await page.goto(editor);
    await page.waitForSelector(".sheet [data-id=second]");
    expect(await page.$(".sheet [data-id=first]")).to.equal(null);
    await eventually(async () => (await draft()).components.length === 1);
  });
});
