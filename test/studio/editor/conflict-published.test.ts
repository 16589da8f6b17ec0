import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { pressButton, waitForText, useStudio } from "../../support/studio.js";
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
    // A program, by the public API.
    const changed = { type: "text", id: "two", text: "From a program." };
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
    await waitForText(page, "A newer version was published");
    await pressButton(page, "Merge");
    await waitForText(page, "From a program.");
    await waitForText(page, "Saved just now");
    await pressButton(page, "Publish");
    await page.locator("dialog .primary").click();
    await waitForText(page, "Published as version");
    const published = await getTemplate(page, templateId);
    expect(published.definition.components).to.deep.equal([changed]);
  });
});
