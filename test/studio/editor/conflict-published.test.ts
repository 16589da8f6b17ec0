import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { operator } from "../../../core/accounts/index.js";
import { requestsTo } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { createAccounts } from "../../support/store.js";
import {
  newVisitor,
  pressButton,
  waitForText,
  useStudio,
} from "../../support/studio.js";
import {
  getTemplate,
  openEditor,
  pressKeys,
} from "../../support/studio-editor.js";

const initialComponents: Component[] = ["one", "two"].map((id) => ({
  type: "text",
  id,
  text: `Text ${id}.`,
}));

describe("a draft whose template was published by somebody else", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("includes those changes on request and is published with both", async () => {
    const editor = await openEditor(
      service,
      await signIn("editor"),
      initialComponents,
    );
    const { page, templateId } = editor;
    await page.locator(".sheet [data-id=one]").click();
    await pressKeys(page, "Delete");
    await waitForText(page, "Saved just now");
    // The same person, in another tab.
    const changed = { type: "text", id: "two", text: "From another tab." };
    const schema = [{ id: "root", fields: [] }];
    const definition = { schema, components: [initialComponents[0], changed] };
    await page.evaluate(
      (url, body) =>
        fetch(url, {
          method: "PUT",
          headers: {
            "x-platen-app": "studio",
            "content-type": "application/json",
          },
          body,
        }).then(({ status }) => status),
      `/api/templates/${templateId}/definition`,
      JSON.stringify({ definition }),
    );
    await waitForText(
      page,
      "You published a newer version in another tab or in the wizard.",
    );
    await pressButton(page, "Merge");
    await waitForText(page, "From another tab.");
    await waitForText(page, "Saved just now");
    await pressButton(page, "Publish");
    await page.locator("dialog .primary").click();
    await waitForText(page, "Published as version");
    const published = await getTemplate(page, templateId);
    expect(published.definition.components).to.deep.equal([changed]);
  });

  it("says who published and through what", async () => {
    const user = await signIn("editor");
    const { page, templateId } = await openEditor(
      service,
      user,
      initialComponents,
    );
    await page.locator(".sheet [data-id=one]").click();
    await pressKeys(page, "Delete");
    await waitForText(page, "Saved just now");
    const at = `/api/templates/${templateId}/definition`;
    const schema = [{ id: "root", fields: [] }];
    const components = [{ type: "text", id: "two", text: "Theirs." }];
    const grace = await newVisitor(service, "editor", user.organizationId);
    await grace.send("PUT", at, { definition: { schema, components } });
    await waitForText(page, "Ada published a newer version.");
    const { keys } = createAccounts(service.store);
    const { key } = await keys.create(
      user.organizationId,
      { scopes: ["templates:write"], userId: user.userId },
      operator,
    );
    const more = [...components, { type: "text", id: "three", text: "More." }];
    const program = requestsTo(() => service.url, key);
    const response = await program.put(at, {
      definition: { schema, components: more },
    });
    expect(response.status).to.equal(200);
    await waitForText(page, "A program published a newer version.");
  });
});
