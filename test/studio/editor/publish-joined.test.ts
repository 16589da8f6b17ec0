import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../../support/service.js";
import { pressButton, said, useStudio } from "../../support/studio.js";
import {
  draftOf,
  saveDraft,
  templateOf,
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
  const enter = useStudio(service);

  it("publishes both people's changes", async () => {
    const begun = [text("one", "One."), text("two", "Two.")];
    const guest = await openEditor(service, await enter("editor"), begun);
    const { page, templateId } = guest;
    const other = await enter("editor", undefined, guest.organizationId);
    await page.setOfflineMode(true);
    await page.locator(".sheet [data-id=one]").click();
    await pressKeys(page, "Delete");
    await said(page, "Your last changes aren't saved.");
    const { definition } = await draftOf(other.page, templateId);
    const components = [text("one", "One."), text("two", "Theirs.")];
    await saveDraft(other.page, templateId, { ...definition, components });
    await pressButton(page, "Publish");
    await page.waitForSelector("dialog .primary");
    await page.setOfflineMode(false);
    await page.locator("dialog .primary").click();
    await said(page, "Published as version 2");
    const published = await templateOf(page, templateId);
    const both = [text("two", "Theirs.")];
    expect(published.definition.components).to.deep.equal(both);
  });
});
