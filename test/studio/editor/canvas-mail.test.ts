import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { waitForText, useStudio } from "../../support/studio.js";

const definition: ProjectData = {
  schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
  sample: { name: "Ada" },
  email: { subject: "Your order", width: 500, background: "#ffeedd" },
  components: [
    {
      type: "section",
      id: "row",
      components: [
        {
          type: "column",
          id: "left",
          width: "60%",
          components: [{ type: "text", id: "text", text: "{{ root.name }}" }],
        },
        { type: "column", id: "right", components: [] },
      ],
    },
  ],
};

describe("an email in the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("has its width and columns, which are stacked on a phone", async () => {
    const editor = await signIn("editor");
    const opened = await openEditor(service, editor, definition, "email");
    const { page, pageErrors } = opened;
    const layout = () =>
      page.$$eval('[data-id="row"], [data-id="left"]', (all) =>
        all.map((one) => one.clientWidth),
      );
    await waitForText(page, "Your order");
    await waitForText(page, "Ada");
    expect(await layout()).to.deep.equal([500, 300]);
    await page.click("::-p-aria([name='Phone'][role='radio'])");
    await page.waitForSelector(".sheet.on-phone");
    expect(await layout()).to.deep.equal([375, 375]);
    expect(pageErrors).to.deep.equal([]);
  });
});
