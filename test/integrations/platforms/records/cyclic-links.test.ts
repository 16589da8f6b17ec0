import { expect } from "chai";
import { describe, it } from "mocha";
import {
  addOrder,
  waitForWriteBacks,
  downloadHtml,
  newRecordCaller,
  orderDefinition,
  ordersPlatform,
  sendRecords,
  useRecordService,
} from "../../../support/records.js";

const [root, line, product, customer] = orderDefinition.schema;
const back = {
  name: "orders",
  source: "Orders",
  type: "OneToManyLink",
  target: "root",
};
/** The customer leads back to the orders, and these lead on as any order does. */
const circle = {
  ...orderDefinition,
  schema: [
    root,
    line,
    product,
    { ...customer, fields: [...(customer?.fields ?? []), back] },
  ],
  components: [
    {
      type: "text",
      collection: { collectionId: "other", path: "root.customer.orders" },
      text: "also {{ other.number }}",
    },
    { type: "text", text: "{{ COUNT(root.customer.orders) }} others" },
  ],
};

describe("links that form a cycle", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);

  it("are followed until a row that is already on the path", async () => {
    const caller = await newRecordCaller(service, circle);
    for (const id of ["A", "B"]) addOrder(platform, id);
    platform.row("tblCustomers", {
      id: "A-c",
      links: { fldOrders: ["A", "B", "deleted"] },
    });
    const { batchId } = await sendRecords(caller, ["A"]);
    const batch = await waitForWriteBacks(caller, batchId);
    const [text = ""] = await downloadHtml(batch);
    expect(text).to.contain("also B").and.to.contain("1 others");
    expect(text).not.to.contain("also A");
  });

  it("fail only their own document, with a message, when they are too deep", async () => {
    const caller = await newRecordCaller(service, circle);
    const chain = Array.from({ length: 12 }, (_, at) => `chain-${at}`);
    for (const [at, id] of chain.entries()) {
      addOrder(platform, id);
      platform.row("tblCustomers", {
        id: `${id}-c`,
        links: { fldOrders: chain.slice(at + 1, at + 2) },
      });
    }
    addOrder(platform, "short");
    const { batchId } = await sendRecords(caller, ["chain-0", "short"]);
    const { documents, counts } = await waitForWriteBacks(caller, batchId);
    expect(counts).to.include({ succeeded: 1, failed: 1 });
    expect(documents[0]?.error).to.contain("more than 8 links away");
  });
});
