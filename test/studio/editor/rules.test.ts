import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { type OpenEditor, useEditor } from "../../support/studio-editor.js";
import { fillField } from "../../support/studio.js";

const link = (name: string) =>
  ({ name, type: "OneToManyLink", target: name }) as const;

const shop: ProjectData = {
  schema: [
    { id: "root", fields: [link("customers")] },
    {
      id: "customers",
      fields: [{ name: "name", type: "String" }, link("orders")],
    },
    {
      id: "orders",
      fields: [{ name: "status", type: "String" }, link("lines")],
    },
    {
      id: "lines",
      fields: [
        { name: "title", type: "String" },
        { name: "amount", type: "Number" },
      ],
    },
  ],
  components: [],
  sample: {
    customers: [
      {
        name: "Ada",
        orders: [
          {
            status: "open",
            lines: [
              { title: "Bolt", amount: 4 },
              { title: "Axe", amount: 3 },
            ],
          },
          { status: "sent", lines: [{ title: "Nut", amount: 3 }] },
        ],
      },
      { name: "Eve", orders: [] },
    ],
  },
};

const lines: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  sample: {
    total: 5,
    lines: [
      { sum: 1, kind: "a" },
      { sum: 20, kind: "b" },
      { sum: 30, kind: "b" },
    ],
  },
  components: [
    { type: "heading", id: "head", text: "Offer" },
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
      condition: {
        combinator: "and",
        rules: [{ field: "root.total", operator: ">", value: 1 }],
      },
    },
    { type: "spacer", id: "space", height: "20mm" },
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
    {
      type: "fragment",
      id: "group",
      collection: { collectionId: "other", path: "root.lines" },
      components: [{ type: "text", id: "inner", text: "Inner" }],
    },
  ],
};

const choose = ({ page }: OpenEditor, name: string, value: string) =>
  fillField(page, name, value, ".inspector");

describe("the rules of a component", () => {
  const service = useService();
  const open = useEditor(service);

  it("repeat it for lists in lists, in groups, and say how many elements of the sample pass", async () => {
    const editor = await open(shop);
    const { page, press, keys, type, waitForText } = editor;
    const repeat = async (part: string, path: string) => {
      await page.locator(`[data-new="${part}"]`).click();
      await press("Rules");
      await choose(editor, "For each", path);
    };
    await repeat("container", "root.customers");
    await waitForText("2 customers in the sample");
    await repeat("container", "customer.orders");
    await choose(editor, "Group by", "status");
    await repeat("container", "order.items");
    await repeat("text", "order2.lines");
    await press("Add a rule");
    await choose(editor, "Field", "amount");
    await choose(editor, "Comparison", ">");
    await fillField(page, "Value", "3", ".inspector");
    await waitForText("1 of 2 lines passes");
    await page.locator(".canvas .no-text").click({ count: 2 });
    await editor.waitFor(".ProseMirror-focused");
    await type("/title");
    await keys("Enter", "Escape");
    await editor.waitForBody(
      "container(container(container({{ line.title }})))",
    );
  });

  it("say how to list the items of groups, also when something is inside already", async () => {
    const { page, click, press, waitForText } = await open({
      ...shop,
      components: [
        {
          type: "container",
          id: "box",
          collection: {
            collectionId: "customer",
            path: "root.customers",
            groupBy: { field: "name" },
          },
          components: [],
        },
      ],
    });
    await click("box");
    await press("Rules");
    await waitForText("Add a row inside");
    await page.locator('[data-new="text"]').click();
    await page.locator(".canvas-crumbs button:nth-child(2)").click();
    await press("Rules");
    await waitForText("Repeat a component inside for “customer.items”");
    const words = await page.$eval("body", (body) => body.innerText);
    expect(words).not.to.contain("Add a row inside");
  });

  it("are shown beside it with its alternatives, and what the sample hides takes no space", async () => {
    const editor = await open(lines);
    const { page, press, waitFor, waitForText } = editor;
    await waitFor('[data-id="line"][data-note*="2 of 3"]');
    const descriptionOf = (id: string) =>
      page.$eval(`[data-id="${id}"]`, (one) =>
        one.getAttribute("aria-description"),
      );
    expect(await descriptionOf("line")).to.equal(
      "Repeats for each line · 2 of 3. Shown if total is more than 1",
    );
    expect(await descriptionOf("rich")).to.equal(
      "Shown if total is more than 10",
    );
    for (const words of ["20", "30", "Thank you all the same"])
      await waitForText(words);
    const hidden = '[data-id="rich"][data-unshown]';
    const heightOfHidden = () =>
      page.$eval(hidden, (one) => one.getBoundingClientRect().height);
    expect(await heightOfHidden()).to.equal(0);
    await page.click('[data-copy="line"]');
    await waitFor('[data-id="line"][data-selected]');
    await press("If the list is empty 1 component");
    await waitForText("No lines at all");
    // A hidden component opens while it is selected.
    await press("Outline");
    await page.locator("[role=treeitem] ::-p-text(Thank you)").click();
    await waitFor('[data-id="rich"][data-selected]');
    expect(await heightOfHidden()).to.be.greaterThan(10);
    // In words: the list's element, or what it is grouped by.
    await waitFor('[data-id="line"][data-note^="Each line"]');
    await editor.click("line");
    await press("Rules");
    await choose(editor, "Group by", "kind");
    await waitFor('[data-note^="Each kind"]');
  });

  it("open from the badge that shows them", async () => {
    const { page, click, waitFor } = await open(lines);
    const waitForRules = (id: string, part: string) =>
      page.waitForFunction(`
        document.querySelector("[data-id='${id}'][data-selected]") &&
        document.activeElement?.closest(".rules details")
          ?.querySelector("summary").textContent === "${part}"`);
    const pressBadge = async (selector: string, line = 0) => {
      const { right, top } = await page.$eval(selector, (one) =>
        one.getBoundingClientRect().toJSON(),
      );
      await page.mouse.click(right + 16, top + 7 + line * 13);
    };
    await waitFor('[data-id="line"][data-note*="2 of 3"]');
    // The sample hides it, so it has no height, and a sign at the other side.
    const { left, top } = await page.$eval('[data-id="rich"]', (one) =>
      one.getBoundingClientRect().toJSON(),
    );
    await page.mouse.click(left - 8, top);
    await waitForRules("rich", "Show only if");
    await click("head");
    await pressBadge('[data-id="line"]');
    await waitForRules("line", "Repeat");
    await pressBadge('[data-id="line"]', 2);
    await waitForRules("line", "Show only if");
    await pressBadge('[data-id="group"] .note-holder');
    await waitForRules("group", "Repeat");
  });
});
