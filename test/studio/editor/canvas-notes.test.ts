import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import type {
  Component,
  ProjectData,
} from "../../../core/plugin-api/definition.js";
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

function makeHidden(id: string): Component {
  return {
    type: "text",
    id,
    text: "Hidden",
    condition: {
      combinator: "and",
      rules: [{ field: "root.total", operator: ">", value: 10 }],
    },
  };
}

describe("a component with a collection or a condition on the page", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("shows how often and when it is printed, and its alternatives, without taking space for what the sample hides", async () => {
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
    await waitForText(page, "30");
    await waitForText(page, "Thank you all the same");
    const hidden = '[data-id="rich"][data-unshown]';
    const heightOfHidden = () =>
      page.$eval(hidden, (one) => one.getBoundingClientRect().height);
    expect(await heightOfHidden()).to.equal(0);
    await page.click('[data-copy="line"]');
    await page.waitForSelector('[data-id="line"][data-selected]');
    // A hidden component opens while it is selected.
    await pressButton(page, "Outline");
    await page.locator("[role=treeitem] ::-p-text(Thank you)").click();
    await page.waitForSelector('[data-id="rich"][data-selected]');
    expect(await heightOfHidden()).to.be.greaterThan(10);
    await pressButton(page, "If the list is empty 1 component");
    await waitForText(page, "No lines at all");
    expect(pageErrors).to.deep.equal([]);
  });

  it("gives the first and the last component that the sample prints the margins of the first and the last", async () => {
    const editor = await signIn("editor");
    const { page } = await openEditor(service, editor, {
      ...definition,
      components: [
        {
          type: "columns",
          id: "columns",
          components: [
            {
              type: "column",
              id: "column",
              components: [
                makeHidden("above"),
                makeHidden("also-above"),
                { type: "heading", id: "first", text: "First", level: 2 },
                { type: "heading", id: "last", text: "Last", level: 2 },
                makeHidden("below"),
              ],
            },
          ],
        },
      ],
    });
    await page.waitForSelector('[data-id="below"][data-unshown]');
    const margins = async (id: string) =>
      z.array(z.number()).parse(
        await page.evaluate(
          `{ const { marginTop, marginBottom } = getComputedStyle(document.querySelector('[data-id="${id}"]'));
               [marginTop, marginBottom].map(Number.parseFloat) }`,
        ),
      );
    const [first, last] = [await margins("first"), await margins("last")];
    expect(first[0]).to.equal(0);
    expect(first[1]).to.be.greaterThan(0);
    expect(last[0]).to.be.greaterThan(0);
    expect(last[1]).to.equal(0);
  });
});
