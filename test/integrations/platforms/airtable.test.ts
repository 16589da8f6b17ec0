import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { operator } from "../../../core/accounts/index.js";
import * as tokens from "../../../core/app/tokens.js";
import { newBatchCaller } from "../../support/batches.js";
import { FakeAirtable } from "../../support/fakes/fake-airtable.js";
import {
  waitForWriteBacks,
  downloadHtml,
  sendRecords,
} from "../../support/records.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "name", source: "Name", type: "String" },
        {
          name: "items",
          source: "Items",
          type: "OneToManyLink",
          target: "item",
        },
      ],
    },
    {
      id: "item",
      fields: [{ name: "price", source: "Price", type: "Number" }],
    },
  ],
  components: [
    { type: "text", text: "{{ root.name }}: {{ SUM(root.items, price) }}" },
  ],
  fileName: "{{ root.name }}",
};
const orders = 3;
const itemsOfEach = 30;

describe("records of Airtable", () => {
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
  });
  let fake: FakeAirtable;
  before(async () => {
    fake = await FakeAirtable.start();
  });
  after(() => fake.close());

  it("receive their documents in their attachment fields with few requests", async () => {
    const token = fake.addToken("patTest");
    const base = fake.addBase("Shop");
    const items = fake.addTable(base, "Items", {
      Name: "singleLineText",
      Price: "number",
    });
    const table = fake.addTable(base, "Orders", {
      Name: "singleLineText",
      Items: {
        type: "multipleRecordLinks",
        options: { linkedTableId: items.id },
      },
      Documents: "multipleAttachments",
    });
    const recordIds = Array.from({ length: orders }, (_, at) => {
      const Items = Array.from({ length: itemsOfEach }, () =>
        items.add({ Price: 2 }),
      );
      return table.add({ Name: `Order ${at}`, Items });
    });
    const caller = await newBatchCaller(service);
    const { id: connectionId } = await service.container
      .resolve(tokens.CONNECTIONS)
      .create(
        caller,
        {
          platform: "airtable",
          name: "Shop",
          credentials: { token, endpointUrl: fake.url, contentUrl: fake.url },
        },
        operator,
      );
    const templateId = await publish(service.store, caller, { definition });
    const { batchId } = await sendRecords(
      { ...caller, templateId, connectionId },
      recordIds,
      { baseId: base.id, tableId: "Orders", attachmentField: "Documents" },
      "airtable",
    );
    const batch = await waitForWriteBacks(caller, batchId);
    expect(batch.writeBack).to.include({ succeeded: orders, failed: 0 });
    expect(await downloadHtml(batch)).to.satisfy((texts: string[]) =>
      texts.every((text) => text.includes(`: ${2 * itemsOfEach}`)),
    );
    // The schema, the look for the records, the records, their items, and a file for each; one that came too early is
    // asked again.
    expect(fake.log.length).to.be.within(4 + orders, 6 + orders);
    expect(fake.files.bytes.size).to.equal(orders);
  });
});
