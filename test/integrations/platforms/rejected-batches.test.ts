import { expect } from "chai";
import { describe, it } from "mocha";
import { Batch } from "../../../core/storage/database/index.js";
import { readError, newCaller } from "../../support/caller.js";
import {
  addOrder,
  connect,
  newRecordCaller,
  orderDefinition,
  ordersPlatform,
  postRecords,
  type RecordCaller,
  useRecordService,
} from "../../support/records.js";

describe("a batch of records that is rejected", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  addOrder(platform, "A");

  async function rejection(
    caller: RecordCaller,
    ids: readonly string[],
    more: object = {},
    status = 400,
  ): Promise<string> {
    const response = await postRecords(caller, ids, more);
    expect(response.status).to.equal(status);
    const { organizationId } = caller;
    expect(
      await service.store.read.countBy(Batch, { organizationId }),
    ).to.equal(0);
    return readError(response);
  }

  it("lists the records that do not exist", async () => {
    const caller = await newRecordCaller(service);
    const error = await rejection(caller, ["A", "gone", "A2"]);
    expect(error).to.contain(
      '$.recordIds[1]: The table "Orders" has no record "gone"',
    );
    expect(error)
      .to.contain("$.recordIds[2]")
      .and.not.contain("$.recordIds[0]");
    expect(await rejection(caller, ["A", "A"])).to.contain("$.recordIds[1]");
  });

  it("lists all fields that the table does not have", async () => {
    const fields = [
      { name: "number", source: "Numbr", type: "String" },
      { name: "customer", source: "Customer", type: "String" },
      { name: "date", source: "Date", type: "OneToManyLink", target: "x" },
    ];
    const [root] = orderDefinition.schema;
    const schema = [
      { ...root, fields },
      { id: "x", fields: [] },
    ];
    const definition = { schema, components: [] };
    const caller = await newRecordCaller(service, definition);
    const error = await rejection(caller, ["A"], { attachmentField: "Invoic" });
    expect(error).to.contain('has no field "Numbr". Did you mean "Number"?');
    expect(error).to.contain(
      '$.schema[0].fields[1]: "Customer" of the table "Orders" is a link',
    );
    expect(error)
      .to.contain("$.schema[0].fields[2]")
      .and.contain("is not a link");
    expect(error).to.contain(
      '$.attachmentField: The table "Orders" has no field "Invoic". Did you mean "Invoice"?',
    );
  });

  it("returns 400 for a field that cannot contain files and for an unknown table", async () => {
    const caller = await newRecordCaller(service);
    const error = await rejection(caller, ["A"], { attachmentField: "Number" });
    expect(error).to.contain('"Number" is not an attachment field');
    const table = await rejection(caller, ["A"], { tableId: "Order" });
    expect(table).to.contain('Did you mean "Orders"?');
  });

  it("returns 400 for more formats than a cell can hold files", async () => {
    const caller = await newRecordCaller(service);
    const field = platform.tables[0]?.fields.find(({ id }) => id === "fldFile");
    if (!field) throw new Error("no field");
    field.maxFiles = 1;
    const formats = ["pdf", "html"];
    const attachmentField = "Invoice";
    const error = await rejection(caller, ["A"], { attachmentField, formats });
    expect(error).to.contain(
      '$.formats: has 2 formats, but a cell of "Invoice" can hold only one file',
    );
    delete field.maxFiles;
  });

  it("returns 404 for an unknown platform and for another organization's connection", async () => {
    const caller = await newRecordCaller(service);
    const { connectionId } = await newRecordCaller(service);
    await rejection(caller, ["A"], { connectionId }, 404);
    const body = { templateId: caller.templateId, recordIds: ["A"] };
    const { status } = await caller.post("/api/export/batch/nowhere", body);
    expect(status).to.equal(404);
  });

  it("returns 400 for a key without documents:write and for a plan without batches", async () => {
    const body = { templateId: "a", recordIds: ["A"] };
    const path = "/api/export/batch/memory";
    const reader = await newCaller(service, ["documents:read"]);
    const scope = await reader.post(path, body);
    expect(scope.status).to.equal(400);
    expect(await readError(scope)).to.contain("documents:write");
    const plan = await (await newCaller(service)).post(path, body);
    expect(plan.status).to.equal(400);
    expect(await readError(plan)).to.contain("premium or enterprise");
  });

  it("returns 503 within 5 seconds if the platform does not answer", async () => {
    const caller = await newRecordCaller(service);
    platform.delay = new Promise(() => undefined);
    const error = await rejection(caller, ["A"], {}, 503);
    platform.delay = Promise.resolve();
    expect(error).to.contain("did not finish within 4.");
  });

  it("explains why validate is not possible, and accepts validate: false", async () => {
    const caller = await newRecordCaller(service);
    const error = await rejection(caller, ["A"], { validate: true });
    expect(error).to.contain("$.validate: must not be true");
    expect(error).to.contain("Use strict");
    const accepted = await postRecords(caller, ["A"], { validate: false });
    expect(accepted.status).to.equal(202);
  });

  it("lists the connections if there are several and the request names none", async () => {
    const caller = await newRecordCaller(service);
    const { id } = await connect(service, caller, "Second");
    const error = await rejection(caller, ["A"]);
    expect(error)
      .to.contain(caller.connectionId)
      .and.contain(`${id} ("Second")`);
    const named = await postRecords(caller, ["A"], { connectionId: id });
    expect(named.status).to.equal(202);
  });
});
