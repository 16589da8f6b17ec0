import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import {
  runAxe,
  pressButton,
  waitForText,
  useStudio,
} from "../../support/studio.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  type OpenEditor,
  pressKeys,
  startTyping,
} from "../../support/studio-editor.js";

const order = (status: string, ...titles: string[]) => ({
  status,
  lines: titles.map((title) => ({ title, amount: title.length })),
});
const customers = [
  { name: "Ada", orders: [order("open", "Bolt", "Axe"), order("sent", "Nut")] },
  { name: "Eve", orders: [order("open", "Screw")] },
];
const link = (name: string) =>
  ({ name, type: "OneToManyLink", target: name }) as const;
const cell = (text: string) => ({ type: "table-cell" as const, text });
const start: ProjectData = {
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
  sample: { customers },
};

/** Adds a part and chooses for which list it repeats. */
async function repeat(
  { page }: OpenEditor,
  part: string,
  path: string,
): Promise<void> {
  await page.locator(`[data-new="${part}"]`).click();
  await pressButton(page, "Rules");
  await choose({ page }, "For each", path);
}

async function choose(
  { page }: Pick<OpenEditor, "page">,
  name: string,
  value: string,
  at = 0,
): Promise<void> {
  await eventually(async () => {
    const named = `.inspector select::-p-aria([name="${name}"])`;
    const select = (await page.$$(named))[at];
    return (await select?.select(value))?.includes(value);
  });
}

/** Writes a variable into the text that was added last, by the menu behind `/`. */
async function write({ page }: OpenEditor, name: string): Promise<void> {
  const id = await page.$eval(".canvas p[data-id]", (one) =>
    one.getAttribute("data-id"),
  );
  await startTyping(page, id ?? "");
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type(`/${name}`);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
}

describe("rules edited by form", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("build nested lists that print", async () => {
    const editor = await openEditor(service, await signIn(), start);
    const { page, draft, pageErrors } = editor;
    await repeat(editor, "container", "root.customers");
    await waitForText(page, "2 customers in the sample");
    await repeat(editor, "container", "customer.orders");
    await choose(editor, "Group by", "status");
    await repeat(editor, "container", "order.items");
    await repeat(editor, "text", "order2.lines");
    await pressButton(page, "Add a rule");
    await choose(editor, "Field", "amount");
    await choose(editor, "Comparison", ">");
    await page.locator('.inspector ::-p-aria([name="Value"])').fill("3");
    await waitForText(page, "1 of 2 lines passes");
    expect(await runAxe(page)).to.eql([]);
    await write(editor, "title");
    const [definition, html] = await eventually(async () => {
      const now = await draft();
      const printed = await print(editor, now);
      return printed.includes("Bolt") && ([now, printed] as const);
    });
    const shown = ["Bolt", "Screw", "Axe", "Nut"].filter((one) =>
      html.includes(`>${one}<`),
    );
    expect(shown).to.eql(["Bolt", "Screw"]);
    expect(JSON.stringify(definition)).to.contain("{{ line.title }}");
    expect(pageErrors).to.eql([]);
  });

  it("groups a table row with a heading, its rows and a subtotal by one choice", async () => {
    const editor = await openEditor(service, await signIn(), {
      schema: [
        { id: "root", fields: [link("lines")] },
        {
          id: "lines",
          fields: [
            { name: "category", type: "String" },
            { name: "title", type: "String" },
            { name: "quantity", type: "Number" },
            { name: "price", type: "Number" },
          ],
        },
      ],
      sample: {
        lines: [
          { category: "Tools", title: "Axe", quantity: 2, price: 30 },
          { category: "Parts", title: "Bolt", quantity: 100, price: 0.5 },
          { category: "Tools", title: "Saw", quantity: 1, price: 25 },
        ],
      },
      components: [
        {
          type: "table",
          components: [
            {
              type: "table-row",
              header: true,
              components: [cell("Title"), cell("Quantity"), cell("Amount")],
            },
            {
              type: "table-row",
              id: "row",
              collection: { collectionId: "line", path: "root.lines" },
              components: [
                cell("{{ line.title }}"),
                cell("{{ line.quantity }}"),
                cell('{{ line.quantity * line.price | currency("EUR") }}'),
              ],
            },
          ],
        },
      ],
    });
    const { page, draft, pageErrors } = editor;
    await page.locator('.canvas [data-id="row"] td').click();
    await pressKeys(page, "Escape");
    await pressButton(page, "Rules");
    await choose(editor, "Group by", "category");
    await waitForText(page, "2 groups");
    const html = await eventually(async () => {
      const printed = await print(editor, await draft());
      return printed.includes("Subtotal") && printed;
    });
    const cells = [...html.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)];
    const words = cells.map(([, inner = ""]) =>
      inner.replaceAll(/<[^>]*>/g, "").trim(),
    );
    expect(words.join(", ")).to.equal(
      "Title, Quantity, Amount, Tools, Axe, 2, €60.00, Saw, 1, €25.00, Subtotal, , €85.00, " +
        "Parts, Bolt, 100, €50.00, Subtotal, , €50.00",
    );
    await pressKeys(page, "Control+Z");
    await eventually(
      async () => !JSON.stringify(await draft()).includes("groupBy"),
    );
    expect(pageErrors).to.eql([]);
  });

  it("groups a table row that shows no fields yet into a heading and its rows", async () => {
    const editor = await openEditor(service, await signIn(), {
      ...start,
      components: [
        {
          type: "table",
          components: [
            {
              type: "table-row",
              id: "row",
              collection: { collectionId: "customer", path: "root.customers" },
              components: [cell("Anything")],
            },
          ],
        },
      ],
    });
    const { page, draft, pageErrors } = editor;
    await page.locator('.canvas [data-id="row"] td').click();
    await pressKeys(page, "Escape");
    await pressButton(page, "Rules");
    await choose(editor, "Group by", "name");
    await waitForText(page, "2 groups in the sample");
    expect(await getText(page)).not.to.contain("Add a row inside");
    const html = await eventually(async () => {
      const printed = await print(editor, await draft());
      return printed.includes("Eve") && printed;
    });
    expect(html.match(/Ada|Eve|Anything/g)).to.eql([
      "Ada",
      "Anything",
      "Eve",
      "Anything",
    ]);
    expect(pageErrors).to.eql([]);
  });

  it("say how to list the items of groups, also when something is inside already", async () => {
    const editor = await openEditor(service, await signIn(), {
      ...start,
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
    const { page, pageErrors } = editor;
    await page.locator('.canvas [data-id="box"]').click();
    await pressButton(page, "Rules");
    await waitForText(page, "Add a row inside");
    await page.locator('[data-new="text"]').click();
    await page
      .locator('nav[aria-label="Selection path"] ::-p-aria([name="Box"])')
      .click();
    await pressButton(page, "Rules");
    await waitForText(page, "Repeat a component inside for “customer.items”");
    expect(await getText(page)).not.to.contain("Add a row inside");
    expect(pageErrors).to.eql([]);
  });
});

function getText(page: OpenEditor["page"]): Promise<string> {
  return page.$eval("body", (body) => body.innerText);
}

async function print(
  { page }: OpenEditor,
  definition: ProjectData,
): Promise<string> {
  return page.evaluate(
    async (wanted) => {
      const headers = {
        "content-type": "application/json",
        "x-platen-app": "studio",
      };
      const body = JSON.stringify(wanted);
      const init = { method: "POST", headers, body };
      return (await fetch("/studio/api/drafts/print", init)).text();
    },
    { templateType: "document", definition, format: "html" },
  );
}
