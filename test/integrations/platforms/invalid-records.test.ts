import { expect } from "chai";
import { z } from "zod";
import { Plugins } from "../../../core/integrations/host/index.js";
import { batchWhen, newBatchCaller, sendBatch } from "../../support/batches.js";
import { installedPlugins } from "../../support/plugin-folder.js";
import {
  addOrder,
  memoryPlugin,
  newRecordCaller,
  orderDefinition,
  ordersPlatform,
  sendRecords,
  waitForWriteBacks,
} from "../../support/records.js";
import { useService } from "../../support/service.js";

const metadataSchema = z.object({
  platen: z.object({
    report: z.object({
      invalidData: z.array(z.looseObject({ path: z.string() })),
    }),
  }),
});

const [root, ...others] = orderDefinition.schema;
const required = root?.fields.map((one) => ({ ...one, required: true }));
const definition = {
  ...orderDefinition,
  schema: [{ ...root, fields: required }, ...others],
};

/** Delivers the cells of lines as a database does: decimals as text. */
const platform = ordersPlatform();
const plugin = {
  ...memoryPlugin(platform),
  toRootData: ({ id, fields }: { id: string; fields: object }) => ({
    id,
    number: "number" in fields ? fields.number : id,
    date: "fldDate" in fields ? fields.fldDate : null,
    ...("fldAmount" in fields && { amount: `${String(fields.fldAmount)}.50` }),
  }),
};

function findPaths(metadata: unknown): string[] {
  const { report } = metadataSchema.parse(metadata).platen;
  return report.invalidData.map(({ path }) => path);
}

describe("the data of a platform's records", () => {
  const plugins = installedPlugins([plugin]);
  const service = useService({
    replace: (container) => container.register(Plugins, { useValue: plugins }),
  });

  it("may have numbers as text, and is reported where it does not fit otherwise", async () => {
    const caller = await newRecordCaller(service, definition);
    addOrder(platform, "A");
    addOrder(platform, "B");
    platform.row("tblOrders", { id: "B", fields: { fldDate: "31.12.2026" } });
    const { batchId } = await sendRecords(caller, ["A", "B"]);
    const { documents } = await waitForWriteBacks(caller, batchId);
    expect(documents.map(({ metadata }) => findPaths(metadata))).to.deep.equal([
      [],
      ["$.data.date", "$.data.lines", "$.data.customer"],
    ]);
  });

  it("is checked more strictly when the same data is sent in a batch", async () => {
    const caller = await newBatchCaller(service);
    const fields = [{ name: "amount", type: "Number" }];
    const schema = [{ id: "root", fields }];
    const templateId = await caller.publish({
      definition: { schema, components: [] },
    });
    const items = [{ data: { amount: "1.50" } }];
    const sent = { templateId, formats: ["html"], items };
    const { batchId } = await sendBatch(caller, sent);
    const { documents } = await batchWhen(caller, batchId);
    expect(findPaths(documents[0]?.metadata)).to.deep.equal(["$.data.amount"]);
  });
});
