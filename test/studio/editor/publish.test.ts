import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../../core/accounts/index.js";
import type { Component } from "../../../core/plugin-api/definition.js";
import { requestsTo } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { createAccounts } from "../../support/store.js";
import {
  getDraft,
  getTemplate,
  type OpenEditor,
  saveDraft,
  useEditor,
} from "../../support/studio-editor.js";
import { ignoreOutage, newVisitor } from "../../support/studio.js";

const text = (id: string, words = `Text ${id}.`): Component => ({
  type: "text",
  id,
  text: words,
});
const schema = [{ id: "root", fields: [] }];
const both = [text("one"), text("two")];

const put = (...components: Component[]) => ({
  definition: { schema, components },
});

async function deleteFirst({ click, keys, waitForText }: OpenEditor) {
  await click("one");
  await keys("Delete");
  await waitForText("Saved just now");
}

async function waitForPublished(
  { user, templateId, waitForText }: OpenEditor,
  ...components: Component[]
): Promise<number> {
  await waitForText("Published as version");
  const published = await getTemplate(user, templateId);
  expect(published.definition.components).to.deep.equal(components);
  return published.version;
}

describe("publishing in the editor", () => {
  const service = useService();
  const open = useEditor(service);

  it("changes the published template only on request, as a version with a note", async () => {
    const editor = await open(both);
    const { page, press, keys, user, templateId } = editor;
    const before = await getTemplate(user, templateId);
    await deleteFirst(editor);
    expect(await getTemplate(user, templateId)).to.deep.equal(before);
    await press("Publish");
    await page.locator("dialog input[maxlength]").fill("Without the first");
    await keys("Enter");
    expect(await waitForPublished(editor, text("two"))).to.equal(2);
    await press("Versions");
    await editor.waitForText("Without the first");
  });

  it("says that a blank template was never published, until it is", async () => {
    const { page, press, user, waitFor, waitForText } = await open([]);
    await waitForText("Not published yet");
    await page.locator('[data-new="heading"]').click();
    await waitForText("Saved just now");
    await user.open("templates");
    await waitForText("Unpublished changes");
    await page.goBack();
    await press("Publish");
    await page.locator("dialog .primary").click();
    await waitForText("Published as version 2");
    await user.open("templates");
    await waitFor(".card.template");
    const words = await page.$eval(".card.template", (one) => one.innerText);
    expect(words).not.to.include("Unpublished changes");
  });

  it("lists the problems to fix first, and leads to them", async () => {
    const { press, user, templateId, waitForText } = await open(both);
    const components = [text("one", "{{ root. }}")];
    await saveDraft(user, templateId, { schema, components });
    await press("1 problem to fix");
    await waitForText("1 problem to fix first");
    await press("Show");
    await waitForText("A paragraph, with your data in it");
    expect((await getTemplate(user, templateId)).version).to.equal(1);
  });

  it("can be given up for the published version, which can be undone", async () => {
    const editor = await open(both);
    const { page, press, waitFor, waitForDraft } = editor;
    const waitForComponents = (...expected: Component[]) =>
      waitForDraft(({ components }) => components, expected);
    await deleteFirst(editor);
    await press("More actions", "Discard changes");
    await page.locator("dialog .danger").click();
    await waitFor(".sheet [data-id=one]");
    await waitForComponents(...both);
    await press("Undo: Discard the changes");
    await editor.waitUntilGone("[data-id=one]");
    await waitForComponents(text("two"));
  });

  it("keeps versions, which say what has changed since, and restores one as an undo step", async () => {
    const editor = await open(both);
    const { press, waitFor, waitForText, waitForDraft } = editor;
    await deleteFirst(editor);
    await press("Versions");
    await waitForText("1 change: Version 1 → Now");
    await waitForText("Removed");
    await waitForText("Text “Text one.”");
    await press("Restore this version");
    await waitFor(".sheet [data-id=one]");
    await waitForDraft(({ components }) => components, both);
    await press("Undo: Restore version 1");
    await editor.waitUntilGone("[data-id=one]");
  });

  it("saves a version without a change, and compares versions as printed pages", async () => {
    const { page, press, keys, waitForText } = await open(both);
    await press("Versions", "Save a version");
    await page.locator("dialog input").fill("As agreed");
    await keys("Enter");
    for (const words of ["Version 2 saved", "As agreed", "No differences"])
      await waitForText(words);
    await press("Printed pages");
    await page.waitForFunction(
      "document.querySelectorAll('.pdf-page canvas').length === 2",
    );
  });

  it("publishes what somebody else has saved too", async () => {
    const editor = await open(both);
    const { page, click, press, keys, user, templateId } = editor;
    const other = await newVisitor(service, "editor", user.organizationId);
    await page.setOfflineMode(true);
    await click("one");
    await keys("Delete");
    await editor.waitForText("Your last changes aren't saved.");
    const { definition } = await getDraft(other, templateId);
    const components = [text("one"), text("two", "Theirs.")];
    await saveDraft(other, templateId, { ...definition, components });
    await press("Publish");
    await editor.waitFor("dialog .primary");
    await page.setOfflineMode(false);
    await page.locator("dialog .primary").click();
    await waitForPublished(editor, text("two", "Theirs."));
    ignoreOutage(user);
  });

  it("says who has published meanwhile and through what, and includes that on request", async () => {
    const editor = await open(both);
    const { page, press, user, templateId, waitForText } = editor;
    const path = `/api/templates/${templateId}/definition`;
    await deleteFirst(editor);
    const grace = await newVisitor(service, "editor", user.organizationId);
    await grace.send("PUT", path, put(text("two", "Theirs.")));
    await waitForText("Ada published a newer version.");
    const { key } = await createAccounts(service.store).keys.create(
      user.organizationId,
      { scopes: ["templates:write"], userId: user.userId },
      operator,
    );
    const program = requestsTo(() => service.url, key);
    const more = [text("two", "Theirs."), text("three")];
    expect((await program.put(path, put(...more))).status).to.equal(200);
    await waitForText("A program published a newer version.");
    // The same person, in another tab.
    const tab = [text("one"), text("two", "From another tab.")];
    await user.send("PUT", path, put(...tab));
    await waitForText(
      "You published a newer version in another tab or in the wizard.",
    );
    await press("Merge");
    await waitForText("From another tab.");
    await waitForText("Saved just now");
    await press("Publish");
    await page.locator("dialog .primary").click();
    await waitForPublished(editor, text("two", "From another tab."));
  });
});
