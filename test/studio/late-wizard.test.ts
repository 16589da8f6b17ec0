import { expect } from "chai";
import { describe, it } from "mocha";
import { delayResponses, holdResponses } from "../support/delayed-responses.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  type StudioUser,
  waitForHeading,
  pressButton,
  waitForText,
  useStudio,
} from "../support/studio.js";
import { allowBatches, shopOutbound, useShop } from "../support/wizard-shop.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [
        {
          name: "parts",
          label: "Parts",
          type: "OneToManyLink",
          target: "part",
          source: "Items",
        },
      ],
    },
    {
      id: "part",
      label: "Part",
      fields: [{ name: "title", label: "Title", type: "String" }],
    },
  ],
  components: [{ type: "text", text: "{{ root.parts[0].title }}" }],
};

describe("a wizard step with delayed responses", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const signIn = useStudio(service);
  const shop = useShop();

  async function open(user: StudioUser, step: string, formats = "html") {
    await allowBatches(service, user);
    const connection = await shop.connect(service, user);
    const template = await publish(service.store, user, { definition });
    const path = shop.wizardPath(step, { connection, template, formats });
    await user.page.goto(`${service.url}/studio/${path}`);
  }

  it("saves no fields while others are loading", async () => {
    const user = await signIn();
    const { page, pageErrors } = user;
    await open(user, "fields");
    const save = "::-p-aria([name='Save and continue'])";
    await page.waitForSelector(save);
    const mapping = await holdResponses(page, "wizard/mapping");
    await page.locator("::-p-aria([name='Parts Linked records'])").fill("");
    await mapping.requested;
    expect(await page.$eval(save, (one) => one.ariaDisabled)).to.equal("true");
    mapping.release();
    await pressButton(page, "Save and continue");
    await waitForHeading(page, "Choose where the file goes");
    expect(pageErrors).to.deep.equal([]);
  });

  it("keeps the search field for templates after it is cleared", async () => {
    const user = await signIn();
    const { page, pageErrors } = user;
    await open(user, "template");
    const search = "::-p-aria([name='Search templates by name'])";
    await page.locator(search).fill("q");
    await waitForText(page, "No matches for “q”");
    const all = await holdResponses(page, "templates?q=&");
    await page.keyboard.press("Backspace");
    await all.requested;
    expect(await page.$$(search)).to.have.length(1);
    all.release();
    await page.waitForSelector(".pick::-p-text(Letter)");
    expect(pageErrors).to.deep.equal([]);
  });

  it("shows a document's progress over a network that is slower than the polling", async () => {
    const user = await signIn();
    const { page, pageErrors } = user;
    await open(user, "try");
    await delayResponses(page, "api/batches/", 900);
    await pressButton(page, "2026-117");
    await pressButton(page, "Create the document for “2026-117”");
    await waitForText(page, "It works");
    expect(pageErrors).to.deep.equal([]);
  });
});
