import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  waitForHeading,
  pressButton,
  waitForText,
  useStudio,
  newVisitor,
} from "../support/studio.js";
import { allowBatches, shopOutbound, useShop } from "../support/wizard-shop.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [{ name: "number", source: "Order No.", type: "String" }],
    },
  ],
  components: [{ type: "text", text: "{{ root.number }}" }],
};

describe("a wizard step that fails", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const signIn = useStudio(service);
  const shop = useShop();

  it("reports a file that could not be saved in its cell, with the reason and where to fix it", async () => {
    const { page, ...owner } = await signIn();
    await allowBatches(service, owner);
    const connection = await shop.connect(service, owner);
    const template = await publish(service.store, owner, { definition });
    const readOnly = ["data.records:read", "schema.bases:read"];
    shop.airtable.addToken(shop.token, readOnly);
    const chosen = { connection, template, formats: "html" };
    await page.goto(`${service.url}/studio/${shop.wizardPath("try", chosen)}`);
    await pressButton(page, "2026-118");
    await pressButton(page, "Create the document for “2026-118”");
    await waitForText(
      page,
      "The document was created but not saved to your table",
    );
    await waitForText(page, "data.records:write");
    await pressButton(page, "Back to “File”");
    await waitForHeading(page, "Choose where the file goes");
    await waitForText(page, "File format");
    shop.airtable.addToken(shop.token);
  });

  it("cannot be opened before the previous choices are made", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await shop.connect(service, owner);
    await page.goto(`${service.url}/studio/start/button`);
    await waitForHeading(page, "Connect your spreadsheet");
    expect(pageErrors).to.deep.equal([]);
  });

  it("is not available to viewers", async () => {
    const { page, pageErrors } = await signIn("viewer");
    await page.goto(`${service.url}/studio/start`);
    await waitForText(page, "Only editors can do this");
    const viewer = await newVisitor(service, "viewer");
    const at = "/studio/api/wizard/table?connectionId=1&tableId=1";
    const rejected = await viewer.get(at);
    expect(await rejected.text()).to.contain("the role editor");
    expect(pageErrors).to.deep.equal([]);
  });
});
