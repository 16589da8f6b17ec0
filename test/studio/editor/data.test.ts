import { expect } from "chai";
import type { Page } from "puppeteer-core";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { holdResponses } from "../../support/delayed-responses.js";
import { toSchema } from "../../support/schema.js";
import { useService } from "../../support/service.js";
import {
  menuShows,
  type OpenEditor,
  openEditor,
} from "../../support/studio-editor.js";
import {
  expectRefusal,
  fillField,
  runAxe,
  usePage,
  waitForButton,
} from "../../support/studio.js";
import { shopOutbound, useShop } from "../../support/wizard-shop.js";

const letter: ProjectData = {
  schema: toSchema({
    root: "customer String, issuedOn Date, lines OneToManyLink lines",
    lines: "title String",
  }),
  components: [
    { id: "one", type: "text", text: "Dear {{ root.customer }}, \\{{x}} AB" },
    { id: "two", type: "text", text: "Yours" },
    {
      id: "table",
      type: "table",
      components: [
        {
          id: "row",
          type: "table-row",
          collection: { collectionId: "line", path: "root.lines" },
          components: [{ id: "cell", type: "table-cell", text: "" }],
        },
      ],
    },
  ],
  sample: {
    customer: "Ada & Sons, with a name that is longer than the panel is wide",
    issuedOn: "2026-11-21",
    lines: [{ title: "Work" }],
  },
};

interface Point {
  x: number;
  y: number;
}

/** The middle of the gap before the last letter of a text, or a share of the height of a component. */
async function findPoint(
  page: Page,
  id: string,
  down?: number,
): Promise<Point> {
  const point: unknown = await page.evaluate(`{
    const element = document.querySelector('.canvas [data-id="${id}"]');
    const { x, y, height } = element.getBoundingClientRect();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let last = null;
    while (walker.nextNode()) last = walker.currentNode;
    const range = document.createRange();
    if (last) range.setStart(last, last.length - 1);
    const box = last ? range.getBoundingClientRect() : { left: x + 4, top: y, height };
    ({ x: box.left, y: ${down === undefined ? "box.top + box.height / 2" : `y + height * ${down}`} });
  }`);
  // The script returns two numbers.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return point as Point;
}

/** Drags a field of the data to a place, without dropping it. */
async function dragField(
  { page, waitFor }: OpenEditor,
  name: string,
  id: string,
  down?: number,
): Promise<void> {
  // Once the page has found its size.
  await page.locator(`.canvas [data-id="${id}"]`).hover();
  const to = await findPoint(page, id, down);
  await page.locator(`[data-field="${name}"] .data-name`).hover();
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await waitFor(".drag-ghost");
}

describe("the fields of the data", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const shop = useShop();
  const user = usePage(service, "owner");
  const open = async (content: ProjectData) => {
    const editor = await openEditor(service, user(), content);
    await editor.press("Data");
    return editor;
  };

  it("are added with a type, which says how they are inserted and filled in", async () => {
    const editor = await open({
      schema: [
        {
          id: "root",
          fields: [
            { name: "lines", type: "OneToManyLink", target: "lines" },
            { name: "tax", type: "Number" },
          ],
        },
        {
          id: "lines",
          fields: [{ name: "price", type: "Number", format: "currency" }],
        },
      ],
      sample: { tax: 19, total: 1234.5, lines: [{ price: 3 }] },
      components: [{ type: "text", id: "one", text: "Total: " }],
    });
    const { page, press, type, keys } = editor;
    await press("Add a field");
    const add = async (name: string, kind: string) => {
      await page.select("[aria-label='Type of the new field']", kind);
      await page.locator("[aria-label='Name of the new field']").fill(name);
    };
    for (const [name, kind] of [
      ["Logo", "image"],
      ["Paid", "Boolean"],
      ["Total", "money"],
    ] as const) {
      await add(name, kind);
      await keys("Enter");
    }
    await add("Half", "computed");
    await page.type(".data-new [aria-label='Formula']", "total / 2");
    await page.click(".data-new [type=submit]");
    await page.locator(".data-new ::-p-text(Done)").click();
    const toggle = (name: string) =>
      page.locator(`.data-name ::-p-text(${name})`).click();
    const set = (name: string, value: string) =>
      fillField(page, name, value, ".data-form");
    await toggle("Total");
    await set("Currency", "EUR");
    await toggle("Total");
    await toggle("Tax");
    await page.select(".data-form select", "percent");
    await set("Percentages in the data", "wholePercent");
    await toggle("Tax");
    await editor.edit("one");
    for (const name of ["Total", "Tax", "Half"])
      await page.locator(`[aria-label^="Insert ${name}"]`).click();
    await keys("Escape");
    await press("Insert Lines");
    await page.locator('[aria-label^="Insert Logo"]').click();
    await editor.waitFor(".sheet [data-type=image], .sheet img");
    await editor.waitForText("617.25");
    const root = 'Total: {{ root.total | currency("EUR") }}';
    const text = `${root}{{ root.tax / 100 | percent }}{{ root.half }}`;
    await editor.waitForJson(
      JSON.stringify(text),
      "{{ line.price | currency }}",
      '"src":"{{ root.logo }}"',
    );
    const fields = (await editor.draft()).schema[0]?.fields.slice(1) ?? [];
    expect(fields.map(({ sample: _sample, ...one }) => one)).to.eql([
      { name: "tax", type: "Number", format: "wholePercent" },
      { name: "logo", label: "Logo", type: "String" },
      { name: "paid", label: "Paid", type: "Boolean" },
      {
        name: "total",
        label: "Total",
        type: "Number",
        format: "currency",
        currency: "EUR",
      },
      { name: "half", label: "Half", type: "Number", computed: "total / 2" },
    ]);
    // The menu inserts them alike, and totals have the format of their field.
    await editor.edit("one");
    await type(" /sum of a");
    await menuShows(page, "Sum of a list");
    await keys("Enter", "Enter", "Enter", "Escape");
    await editor.waitForJson("{{ SUM(root.lines, price) | currency }}");
    await toggle("Half");
    await page.locator(".data-form .formula-field").click();
    await keys("Control+A");
    await type("total / 10");
    await editor.waitForText("123.45");
    // What is calculated is not asked for in the sample.
    await press("Sample data");
    await editor.waitFor("dialog [aria-label='Paid']");
    await page.select("dialog [aria-label='Paid']", "false");
    const labels = await page.$$eval("dialog .sample-field", (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(labels.join()).to.include("Total").and.not.include("Half");
    await editor.waitForDraft(({ sample }) => Object(sample).paid, false);
  });

  it("are renamed together with everything that reads them, as one undo step", async () => {
    const editor = await open({
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
      samples: { Berlin: { name: "Bob" } },
    });
    const { page, press, keys, waitForText } = editor;
    await page.locator("button.data-name ::-p-text(Name)").click();
    await press("Rename name in the data");
    await waitForText("Used in 4 places");
    await waitForText("Text: Dear …, …");
    await waitForText("File name");
    const field = page.locator("dialog input");
    await field.fill("lines");
    await keys("Enter");
    await waitForText('A field named "lines" already exists.');
    await field.fill("client");
    await keys("Enter");
    await waitForText("name was renamed to client.");
    await editor.waitForDraft(
      ({ fileName, sample, samples }) => [fileName, sample, samples],
      [
        "{{ root.client }}.pdf",
        { client: "Ada", lines: [{ name: "Bolt" }] },
        { Berlin: { client: "Bob" } },
      ],
    );
    await editor.waitForBody(
      "Dear {{ client }}, {{ root.client }} {{ name }} for {{ root.client }}",
    );
    await page.locator(".canvas").click({ offset: { x: 5, y: 5 } });
    await keys("Control+Z");
    await editor.waitForJson('"sample":{"name":"Ada"', "Dear {{ name }}");
    await expectRefusal(user(), 400);
  });

  it("are deleted only after a confirmation when they are used", async () => {
    const { page, press, ...editor } = await open({
      schema: [{ id: "root", fields: [] }],
      components: [{ type: "text", id: "one", text: "Due {{ root.dueDate }}" }],
    });
    const waitForFields = (...expected: object[]) =>
      editor.waitForDraft(({ schema }) => schema[0]?.fields, expected);
    await press("Add a field");
    await page.locator("[aria-label='Name of the new field']").fill("Due date");
    await editor.keys("Enter");
    await waitForFields({ name: "dueDate", label: "Due date", type: "String" });
    await press("Actions for Due date", "Delete");
    await editor.waitForText("Text: Due …");
    await press("Delete field");
    await waitForFields();
  });

  it("are dragged into a text between two letters, where a caret shows", async () => {
    const editor = await open(letter);
    const { page, waitFor } = editor;
    await dragField(editor, "issuedOn", "one");
    await waitFor(".drop-caret");
    await editor.waitUntilGone(".drop-mark");
    await page.mouse.up();
    await editor.waitForLastAction("Issued on inserted into the text");
    await waitFor('[data-id="one"] .ProseMirror-focused');
    await editor.type("!");
    const before =
      'Dear {{ root.customer }}, \\{{x}} A{{ root.issuedOn | date("medium") }}!';
    await editor.waitForTextOfDraft(`${before}B`);
    // The text is being edited now.
    await dragField(editor, "customer", "one");
    await waitFor(".drop-caret");
    await page.mouse.up();
    await editor.waitForTextOfDraft(`${before}{{ root.customer }}B`);
  });

  it("are dragged into an empty cell and between components, as a new text", async () => {
    const editor = await open(letter);
    const { page, waitFor, waitForJson } = editor;
    await page.locator('[data-field="lines"] .data-name').click();
    await dragField(editor, "title", "cell");
    await waitFor(".drop-caret");
    await page.mouse.up();
    await waitForJson(`"text":"{{ line.title }}"`);
    await editor.keys("Escape");
    await dragField(editor, "customer", "two", 0.98);
    await waitFor(".drop-mark.is-line");
    await page.mouse.up();
    await editor.waitForLastAction("Text added into Page, position 3 of 4");
    await waitForJson(`"text":"{{ root.customer }}"}`);
    await dragField(editor, "title", "two");
    await waitFor(".drag-ghost.nowhere");
    await page.mouse.up();
    await editor.waitForText("Select a component that repeats for each Lines");
  });

  it("show their values in the sample in full width, which a click inserts at the caret or as a new text", async () => {
    const editor = await open(letter);
    const { page, press, waitForJson } = editor;
    await editor.waitForText("Nov 21, 2026");
    const overflow = await page.evaluate(`{
      const { right } = document.querySelector(".data").parentElement.getBoundingClientRect();
      [...document.querySelectorAll(".data, .data *")]
        .filter((one) => one.getBoundingClientRect().right > right)
        .map((one) => one.className)
    }`);
    expect(overflow).to.eql([]);
    await editor.edit("two");
    await page.locator('[data-field="customer"] .data-insert span').click();
    await editor.type("!");
    await waitForJson(`"text":"Yours{{ root.customer }}!"`);
    await editor.keys("Escape");
    await page.locator(".canvas-crumbs button").click();
    await press("Insert Issued on: Nov 21, 2026");
    await waitForJson(`"text":"{{ root.issuedOn | date(\\"medium\\") }}"}`);
  });

  it("are imported from a table of the selected connection, with links, connection and a sample", async () => {
    const [first, second] = [
      await shop.connect(service, user()),
      await shop.connect(service, user()),
    ];
    const editor = await open({
      schema: [{ id: "root", fields: [] }],
      components: [],
    });
    const { page, press } = editor;
    await press("Import fields from a table");
    await fillField(page, "Connection", first);
    await waitForButton(page, "Table");
    // The tables of the other one are on their way.
    const bases = await holdResponses(page, `connections/${second}/bases`);
    await fillField(page, "Connection", second);
    await bases.requested;
    expect(await page.$$("dialog select")).to.have.length(1);
    bases.release();
    await fillField(page, "Table", shop.orders.id);
    await editor.waitFor(".data-found li");
    expect(await runAxe(page)).to.eql([]);
    await press("Import");
    await editor.waitForDraft(({ schema }) => schema.length, 2);
    const { schema, sample } = await editor.draft();
    const [root, lines] = schema;
    const { baseId, tableId } = shop.place;
    expect(root?.connection).to.eql({ connectionId: second, baseId, tableId });
    const fields = new Map(root?.fields.map((one) => [one.source, one]));
    expect(fields.get(shop.orders.field("Total").id)).to.include({
      type: "Number",
      label: "Total",
    });
    expect(fields.get(shop.orders.field("Items").id)).to.include({
      type: "OneToManyLink",
      target: lines?.id,
    });
    expect(lines?.source).to.eql({ tableId: shop.lines.id });
    expect(JSON.stringify(sample)).to.contain("Oak table");
  });
});
