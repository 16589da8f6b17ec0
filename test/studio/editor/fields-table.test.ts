import { expect } from "chai";
import { describe, it } from "mocha";
import { runAxe, pressButton, useStudio } from "../../support/studio.js";
import { eventually } from "../../support/eventually.js";
import { holdResponses } from "../../support/delayed-responses.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { shopOutbound, useShop } from "../../support/wizard-shop.js";

/** A field of the dialog to choose from. */
function named(name: string): string {
  return `dialog ::-p-aria([name="${name}"][role="combobox"])`;
}

describe("the fields of a table", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const shop = useShop();
  const signIn = useStudio(service);

  it("are imported into the template with links, connection and a sample", async () => {
    const user = await signIn();
    const connectionId = await shop.connect(service, user);
    const { page, draft, pageErrors } = await openEditor(service, user, []);
    const choose = async (label: string, value: string) => {
      const select = await page.waitForSelector(named(label));
      await select?.select(value);
    };
    await pressButton(page, "Data");
    await pressButton(page, "Import fields from a table");
    await choose("Connection", connectionId);
    await choose("Table", shop.orders.id);
    await page.waitForSelector(".data-found li");
    expect(await runAxe(page)).to.eql([]);
    await pressButton(page, "Import");
    const { schema, sample } = await eventually(async () => {
      const now = await draft();
      return now.schema.length === 2 && now;
    });
    const [root, lines] = schema;
    const { baseId, tableId } = shop.place;
    expect(root?.connection).to.eql({ connectionId, baseId, tableId });
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
    expect(pageErrors).to.eql([]);
  });

  it("are those of the selected connection and never of the previous one", async () => {
    const user = await signIn();
    const [first, second] = [
      await shop.connect(service, user),
      await shop.connect(service, user),
    ];
    const { page } = await openEditor(service, user, []);
    await pressButton(page, "Data");
    await pressButton(page, "Import fields from a table");
    const choice = await page.waitForSelector(named("Connection"));
    await choice?.select(first);
    await page.waitForSelector(named("Table"));
    const bases = await holdResponses(page, `connections/${second}/bases`);
    await choice?.select(second);
    await bases.requested;
    expect(await page.$(named("Table"))).to.equal(null);
    bases.release();
    await page.waitForSelector(named("Table"));
  });
});
