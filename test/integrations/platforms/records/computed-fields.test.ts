import { expect } from "chai";
import { describe, it } from "mocha";
import {
  addOrder,
  downloadHtml,
  newRecordCaller,
  orderDefinition,
  ordersPlatform,
  sendRecords,
  useRecordService,
  waitForWriteBacks,
} from "../../../support/records.js";

const schema = orderDefinition.schema.map((collection) =>
  collection.id === "root"
    ? {
        ...collection,
        fields: [
          ...collection.fields,
          { name: "greeting", type: "String", computed: '"No. " ~ number' },
        ],
      }
    : collection,
);

describe("a computed field of a template for records", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  addOrder(platform, "A");

  it("is computed from the record, and the table needs no such field", async () => {
    const components = [{ type: "text", text: "{{ root.greeting }}!" }];
    const definition = { ...orderDefinition, schema, components };
    const caller = await newRecordCaller(service, definition);
    const { batchId } = await sendRecords(caller, ["A"]);
    const [text] = await downloadHtml(await waitForWriteBacks(caller, batchId));
    expect(text).to.match(/No\. \S+!/);
  });
});
