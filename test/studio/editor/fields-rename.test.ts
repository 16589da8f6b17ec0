import { expect } from "chai";
import { describe, it } from "mocha";
import {
  runAxe,
  pressButton,
  waitForText,
  useStudio,
} from "../../support/studio.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { openEditor, pressKeys } from "../../support/studio-editor.js";

describe("a field of the data", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("is renamed together with everything that reads it, as one undo step", async () => {
    const editor = await openEditor(service, await signIn("editor"), {
      schema: [
        {
          id: "root",
          fields: [
            { name: "name", type: "String" },
            { name: "lines", type: "OneToManyLink", target: "line" },
          ],
        },
        { id: "line", fields: [{ name: "name", type: "String" }] },
      ],
      components: [
        { type: "text", id: "one", text: "Dear {{ name }}, {{ root.name }}" },
        {
          type: "text",
          id: "two",
          collection: { collectionId: "line", path: "root.lines" },
          text: "{{ name }} for {{ root.name }}",
        },
      ],
      fileName: "{{ root.name }}.pdf",
      sample: { name: "Ada", lines: [{ name: "Bolt" }] },
    });
    const { page, draft, pageErrors } = editor;
    await pressButton(page, "Data");
    const line = "button.data-name ::-p-text(Name)";
    await page.locator(line).click();
    await pressButton(page, "Rename name in the data");
    await waitForText(page, "Used in 4 places");
    await waitForText(page, "Text: Dear …, …");
    await waitForText(page, "File name");
    expect(await runAxe(page)).to.eql([]);
    const field = page.locator("dialog input");
    await field.fill("lines");
    await page.keyboard.press("Enter");
    await waitForText(page, 'A field named "lines" already exists.');
    await field.fill("client");
    await page.keyboard.press("Enter");
    await waitForText(page, "name was renamed to client.");
    const renamed = await eventually(async () => {
      const found = await draft();
      return found.fileName === "{{ root.client }}.pdf" && found;
    });
    expect(JSON.stringify(renamed.components)).to.contain(
      "Dear {{ client }}, {{ root.client }}",
    );
    expect(JSON.stringify(renamed.components)).to.contain(
      "{{ name }} for {{ root.client }}",
    );
    expect(renamed.sample).to.eql({ client: "Ada", lines: [{ name: "Bolt" }] });
    await page.locator(".canvas").click({ offset: { x: 5, y: 5 } });
    await pressKeys(page, "Control+Z");
    await eventually(async () => {
      const { sample } = await draft();
      return JSON.stringify(sample).includes('"name":"Ada"');
    });
    expect(pageErrors.filter((one) => !one.includes("400"))).to.eql([]);
  });
});
