import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { Component } from "../../../core/plugin-api/definition.js";
import {
  runAxe,
  pressButton,
  waitForText,
  useStudio,
} from "../../support/studio.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { getDraft, openEditor } from "../../support/studio-editor.js";

const initialComponents: Component[] = ["one", "two", "three"].map((id) => ({
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
  const signIn = useStudio(service);

  it("lose no text, wherever they type", async () => {
    const ada = await openEditor(
      service,
      await signIn("editor"),
      initialComponents,
    );
    const user = await signIn("editor", undefined, ada.organizationId);
    const at = `${service.url}/studio/templates/${ada.templateId}/edit`;
    await user.page.goto(at);
    await user.page.waitForSelector(".sheet");
    const texts = async () => {
      const { definition } = await getDraft(user.page, ada.templateId);
      return definition.components.map((one) => String(one["text"]));
    };

    await Promise.all([
      typeInto(ada.page, "one", " From Ada."),
      typeInto(user.page, "two", " From Grace."),
    ]);
    const both = ["Text one. From Ada.", "Text two. From Grace."];
    for (const { page } of [ada, user])
      for (const words of both) await waitForText(page, words);
    await eventually(async () => (await texts())[1] === both[1]);

    // The same text, before either has heard of the other.
    await ada.page.setOfflineMode(true);
    await typeInto(ada.page, "three", " Mine.");
    await waitForText(ada.page, "Your last changes aren't saved.");
    await typeInto(user.page, "three", " Theirs.");
    await eventually(async () => (await texts())[2]?.includes("Theirs"));
    await ada.page.setOfflineMode(false);
    await waitForText(ada.page, " edited the same text");
    await waitForText(ada.page, "Text three. Theirs.");
    expect(await runAxe(ada.page)).to.eql([]);
    await ada.page.locator("dialog label ::-p-text(Both)").click();
    await pressButton(ada.page, "Merge");
    await waitForText(user.page, "Text three. Mine.");
    const joined = "Text three. Mine.\nText three. Theirs.";
    expect(await texts()).to.deep.equal([...both, joined]);
  });
});
