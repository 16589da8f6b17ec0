import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { Component } from "../../../core/plugin-api/definition.js";
import { runAxe, pressButton, said, useStudio } from "../../support/studio.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { draftOf, openEditor } from "../../support/studio-editor.js";

const begun: Component[] = ["one", "two", "three"].map((id) => ({
  type: "text",
  id,
  text: `Text ${id}.`,
}));

/** Types behind a text of the page. */
async function typeInto(page: Page, id: string, words: string): Promise<void> {
  await page.locator(`.sheet [data-id=${id}]`).click({ count: 2 });
  await page.waitForSelector(`.sheet [data-id=${id}] [contenteditable=true]`);
  await page.keyboard.press("End");
  await page.keyboard.type(words);
  await page.keyboard.press("Escape");
}

describe("two people in one template", () => {
  const service = useService();
  const enter = useStudio(service);

  it("lose no text, wherever they type", async () => {
    const ada = await openEditor(service, await enter("editor"), begun);
    const guest = await enter("editor", undefined, ada.organizationId);
    const at = `${service.url}/studio/templates/${ada.templateId}/edit`;
    await guest.page.goto(at);
    await guest.page.waitForSelector(".sheet");
    const texts = async () => {
      const { definition } = await draftOf(guest.page, ada.templateId);
      return definition.components.map((one) => String(one["text"]));
    };

    await Promise.all([
      typeInto(ada.page, "one", " From Ada."),
      typeInto(guest.page, "two", " From Grace."),
    ]);
    const both = ["Text one. From Ada.", "Text two. From Grace."];
    for (const { page } of [ada, guest])
      for (const words of both) await said(page, words);
    await eventually(async () => (await texts())[1] === both[1]);

    // The same text, before either has heard of the other.
    await ada.page.setOfflineMode(true);
    await typeInto(ada.page, "three", " Mine.");
    await said(ada.page, "Your last changes aren't saved.");
    await typeInto(guest.page, "three", " Theirs.");
    await eventually(async () => (await texts())[2]?.includes("Theirs"));
    await ada.page.setOfflineMode(false);
    await said(ada.page, " edited the same text");
    await said(ada.page, "Text three. Theirs.");
    expect(await runAxe(ada.page)).to.eql([]);
    await ada.page.locator("dialog label ::-p-text(Both)").click();
    await pressButton(ada.page, "Merge");
    await said(guest.page, "Text three. Mine.");
    const joined = "Text three. Mine.\nText three. Theirs.";
    expect(await texts()).to.deep.equal([...both, joined]);
  });
});
