import { operator } from "../../core/accounts/index.js";
import { ConnectionService } from "../../core/integrations/connections/index.js";
import { newBatchCaller } from "./batches.js";
import type { TestCaller } from "./caller.js";
import type { FakeAirtable, FakeTable } from "./fakes/fake-airtable.js";
import { sendRecords } from "./records.js";
import type { TestService } from "./service.js";

export const nameDefinition = {
  schema: [
    { id: "root", fields: [{ name: "name", source: "Name", type: "String" }] },
  ],
  components: [{ type: "text", text: "{{ root.name }}" }],
  fileName: "{{ root.name }}",
};

/** A base of the fake with orders whose documents go into the field Documents. */
export interface TestBase {
  id: string;
  table: FakeTable;
  recordIds: string[];
}

export function addTestBase(
  fake: FakeAirtable,
  name: string,
  count: number,
): TestBase {
  const base = fake.addBase(name);
  const table = fake.addTable(base, "Orders", {
    Name: "singleLineText",
    Documents: "multipleAttachments",
  });
  const recordIds = Array.from({ length: count }, (_, at) =>
    table.add({ Name: `${name} ${at}` }),
  );
  return { id: base.id, table, recordIds };
}

/** The names of the files in each record's cell. */
export function listFiles({ table, recordIds }: TestBase): string[][] {
  const { id } = table.field("Documents");
  return recordIds.map((recordId) => {
    const cell = table.record(recordId).cells.get(id);
    const files: unknown[] = Array.isArray(cell) ? cell : [];
    return files.map((file) =>
      typeof file === "object" && file !== null && "filename" in file
        ? String(file.filename)
        : "",
    );
  });
}

export interface AirtableCaller extends TestCaller {
  templateId: string;
  connectionId: string;
}

/** A caller in an organization of its own, with a connection to the fake by a token of its own. */
export async function newAirtableCaller(
  service: TestService,
  fake: FakeAirtable,
  definition: object = nameDefinition,
): Promise<AirtableCaller> {
  const caller = await newBatchCaller(service);
  const token = fake.addToken(`pat.${caller.organizationId}`);
  const credentials = { token, endpointUrl: fake.url, contentUrl: fake.url };
  const input = { platform: "airtable", name: "Shop", credentials };
  const { id: connectionId } = await service.container
    .resolve(ConnectionService)
    .create(caller, input, operator);
  const templateId = await caller.publish({ definition });
  return { ...caller, templateId, connectionId };
}

/** Puts a file into a record's cell, as a person does. */
export function addFile(
  fake: FakeAirtable,
  { table }: TestBase,
  recordId: string,
  filename: string,
): void {
  const file = Buffer.from(filename).toString("base64");
  const body = { contentType: "application/pdf", filename, file };
  fake.files.upload(table.record(recordId), table.field("Documents"), body);
}

/** Sends the records of a base, whose files are written back. */
export function sendBase(
  caller: AirtableCaller,
  base: TestBase,
  {
    recordIds = base.recordIds,
    ...more
  }: { recordIds?: string[]; overwriteExisting?: boolean } = {},
) {
  const { templateId, connectionId } = caller;
  return sendRecords(
    { ...caller, templateId, connectionId },
    recordIds,
    {
      connectionId,
      baseId: base.id,
      tableId: "Orders",
      attachmentField: "Documents",
      ...more,
    },
    "airtable",
  );
}
