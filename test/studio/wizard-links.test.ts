import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { replies } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  waitForHeading,
  pressButton,
  waitForText,
  useStudio,
  signInAs,
} from "../support/studio.js";
import { allowBatches, shopOutbound, useShop } from "../support/wizard-shop.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "reference", label: "Reference", type: "String" },
        {
          name: "parts",
          label: "Parts",
          type: "OneToManyLink",
          target: "part",
        },
      ],
    },
    {
      id: "part",
      label: "Part",
      fields: [
        { name: "title", label: "Title", type: "String" },
        { name: "weight", label: "Weight", type: "Number" },
      ],
    },
  ],
  components: [
    {
      type: "text",
      id: "line",
      text: "{{ part.title }} {{ part.weight }}",
      collection: { collectionId: "part", path: "root.parts" },
    },
  ],
  styles: { quiet: { color: "#667085" } },
};

const readSchema = z.looseObject({
  schema: z.array(
    z.looseObject({
      connection: z.unknown().optional(),
      source: z.unknown().optional(),
      fields: z.array(z.looseObject({ source: z.string().optional() })),
    }),
  ),
});

describe("the fields of a linked table", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const signIn = useStudio(service);
  const shop = useShop();

  it("are mapped by hand without changing the rest of the template", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await allowBatches(service, owner);
    await shop.connect(service, owner);
    const templateId = await publish(service.store, owner, { definition });
    await page.goto(`${service.url}/studio/templates/${templateId}`);
    await pressButton(page, "Add a button to your spreadsheet");
    await page.locator(".pick::-p-text(Our shop)").click();
    await page.locator(".pick::-p-text(6 fields)").click();
    await page.locator(".pick::-p-text(Letter)").click();
    await waitForText(page, "2 fields to choose");
    await pressButton(page, "Save and continue");
    await waitForText(page, "aren't mapped yet");
    const choose = (label: string, value: string) =>
      page.locator(`::-p-aria([name="${label}"])`).fill(value);
    await choose("Reference Text", shop.orders.field("Order No.").id);
    await choose("Parts Linked records", shop.orders.field("Items").id);
    await waitForText(page, "Oak table");
    await choose("Weight Number", "");
    await pressButton(page, "Back");
    await waitForHeading(page, "Choose the template");
    await pressButton(page, "Fields");
    await waitForHeading(page, "Fill the template");
    await pressButton(page, "Save and continue");
    await waitForText(page, "File format");
    const visitor = await signInAs(service, owner);
    const saved = await replies.template(
      await visitor.get(`/api/templates/${templateId}`),
    );
    const { schema, ...others } = readSchema.parse(saved.definition);
    const [root, part] = schema;
    expect(root?.connection).to.include({
      platform: "airtable",
      tableId: shop.orders.id,
    });
    expect(part?.source).to.deep.equal({ tableId: shop.lines.id });
    expect(part?.fields.map(({ source }) => source)).to.deep.equal([
      shop.lines.field("Title").id,
      "",
    ]);
    const { schema: _, ...before } = definition;
    expect(others).to.deep.include(before);
    expect(pageErrors).to.deep.equal([]);
  });
});
