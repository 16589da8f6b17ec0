import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../../support/service.js";
import { pressButton, waitForText, useStudio } from "../../support/studio.js";
import {
  getDraft,
  saveDraft,
  getTemplate,
  openEditor,
  pressKeys,
} from "../../support/studio-editor.js";

const text = (id: string, words: string) => ({
  type: "text" as const,
  id,
  text: words,
});

describe("publishing a template that somebody else edits too", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("publishes both people's changes", async () => {
    const initialComponents = [text("one", "One."), text("two", "Two.")];
    const editor = await openEditor(
      service,
      await signIn("editor"),
      initialComponents,
    );
    const { page, templateId } = editor;
    const other = await signIn("editor", undefined, editor.organizationId);
    await page.setOfflineMode(true);
    await page.locator(".sheet [data-id=one]").click();
    await pressKeys(page, "Delete");
    await waitForText(page, "Your last changes aren't saved.");
    const { definition } = await getDraft(other.page, templateId);
    const components = [text("one", "One."), text("two", "Theirs.")];
    await saveDraft(other.page, templateId, { ...definition, components });
    await pressButton(page, "Publish");
    await page.waitForSelector("dialog .primary");
    await page.setOfflineMode(false);
    await page.locator("dialog .primary").click();
    await waitForText(page, "Published as version 2");
    const published = await getTemplate(page, templateId);
    const both = [text("two", "Theirs.")];
    expect(published.definition.components).to.deep.equal(both);
  });
});
