import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { pressButton, waitForText, useStudio } from "../../support/studio.js";

const definition: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  sample: { total: 5, lines: [{ sum: 1 }, { sum: 20 }, { sum: 30 }] },
  components: [
    {
      type: "text",
      id: "line",
      text: "{{ line.sum }}",
      collection: {
        collectionId: "line",
        path: "root.lines",
        filter: {
          combinator: "and",
          rules: [{ field: "sum", operator: ">", value: 10 }],
        },
        empty: [{ type: "text", id: "none", text: "No lines at all" }],
      },
    },
    {
      type: "text",
      id: "rich",
      text: "Thank you",
      condition: {
        combinator: "and",
        rules: [{ field: "root.total", operator: ">", value: 10 }],
        else: [{ type: "text", id: "poor", text: "Thank you all the same" }],
      },
    },
  ],
};

describe("a component with a collection or a condition on the page", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("shows how often and when it is printed, and its alternatives", async () => {
    const editor = await signIn("editor");
    const { page, pageErrors } = await openEditor(service, editor, definition);
    await page.waitForSelector('[data-id="line"][data-note*="2 of 3"]');
    const description = (id: string) =>
      page.$eval(`[data-id="${id}"]`, (one) =>
        one.getAttribute("aria-description"),
      );
    expect(await description("line")).to.equal(
      "Repeats for each line · 2 of 3",
    );
    expect(await description("rich")).to.equal(
      "Shown if total is more than 10",
    );
    await page.waitForSelector('[data-id="rich"][data-unshown]');
    await waitForText(page, "20");
    expect(await page.$('[data-id="poor"]')).to.equal(null);
    await pressButton(page, "Otherwise 1 component");
    await waitForText(page, "Thank you all the same");
    await pressButton(page, "If the list is empty 1 component");
    await waitForText(page, "No lines at all");
    expect(pageErrors).to.deep.equal([]);
  });
});
