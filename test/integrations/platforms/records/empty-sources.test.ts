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

/** The template's fields, of which the table has nothing for these. */
const schema = orderDefinition.schema.map((collection) => ({
  ...collection,
  fields: collection.fields.map((field) =>
    ["number", "lines"].includes(field.name) ? { ...field, source: "" } : field,
  ),
}));

describe("a template field with an empty source", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  addOrder(platform, "A");

  it("stays empty, and its linked rows are not read", async () => {
    const definition = {
      ...orderDefinition,
      schema,
      components: [
        {
          type: "text",
          text: "{{ root.customer.name }}: {{ root.number }}, {{ COUNT(root.lines) }}",
        },
      ],
    };
    const caller = await newRecordCaller(service, definition);
    const { batchId } = await sendRecords(caller, ["A"]);
    const [text] = await downloadHtml(await waitForWriteBacks(caller, batchId));
    expect(text).to.contain("Customer of A: , 0");
    const read = platform.reads.map(({ tableId }) => tableId);
    expect(read).to.not.include("tblLines");
  });
});
