import { expect } from "chai";
import { describe, it } from "mocha";
import type { FieldKind } from "../../../../core/plugin-api/index.js";
import {
  field,
  MemoryPlatform,
  waitForWriteBacks,
  downloadHtml,
  newRecordCaller,
  sendRecords,
  useRecordService,
} from "../../../support/records.js";

interface Case {
  kind: FieldKind;
  type: "String" | "Number" | "Date";
  value: unknown;
  printed: string;
}

const cases: Record<string, Case> = {
  text: { kind: "text", type: "String", value: "Ada", printed: "Ada" },
  digits: { kind: "text", type: "Number", value: " 12.50 ", printed: "12.5" },
  decimal: {
    kind: "number",
    type: "Number",
    value: "12345678901234567.89",
    printed: "12345678901234567.89",
  },
  integer: {
    kind: "number",
    type: "Number",
    value: 9007199254740993n,
    printed: "9007199254740993",
  },
  noNumber: { kind: "text", type: "Number", value: "many", printed: "-" },
  formula: { kind: "computed", type: "Number", value: [7], printed: "7" },
  truth: { kind: "boolean", type: "String", value: true, printed: "true" },
  choice: { kind: "select", type: "String", value: "Paid", printed: "Paid" },
  choices: {
    kind: "select",
    type: "String",
    value: ["Red", { name: "Blue" }],
    printed: "Red, Blue",
  },
  person: {
    kind: "other",
    type: "String",
    value: { id: "usr1", email: "ada@example.com", name: "Ada L." },
    printed: "Ada L.",
  },
  day: {
    kind: "date",
    type: "Date",
    value: "2026-11-21",
    printed: "2026-11-21",
  },
  moment: {
    kind: "number",
    type: "Date",
    value: Date.UTC(2026, 10, 21),
    printed: "2026-11-21T00:00:00.000Z",
  },
  picture: {
    kind: "attachment",
    type: "String",
    value: [
      { remoteId: "att1", filename: "a.png", url: "https://x.test/a.png" },
    ],
    printed: "https://x.test/a.png",
  },
  empty: { kind: "text", type: "String", value: "", printed: "-" },
  absent: { kind: "text", type: "String", value: undefined, printed: "-" },
};

describe("the values of a platform's cells", () => {
  const platform = new MemoryPlatform();
  const entries = Object.entries(cases);
  platform.table(
    "tbl",
    "Table",
    entries.map(([name, { kind }]) => field(`fld-${name}`, name, { kind })),
  );
  const fields = entries.map(([name, { value }]) => [`fld-${name}`, value]);
  platform.row("tbl", { id: "r", fields: Object.fromEntries(fields) });
  const service = useRecordService(platform);

  it("are converted to the types of the template's schema", async () => {
    const caller = await newRecordCaller(service, {
      schema: [
        {
          id: "root",
          connection: { platform: "memory", tableId: "tbl" },
          fields: entries.map(([name, { type }]) => ({ name, type })),
        },
      ],
      components: entries.map(([name]) => ({
        type: "text",
        text: `${name}=[{{ root.${name} | default("-") }}]`,
      })),
    });
    const { batchId } = await sendRecords(caller, ["r"]);
    const [text = ""] = await downloadHtml(
      await waitForWriteBacks(caller, batchId),
    );
    const printed = [...text.matchAll(/(\w+)=\[(.*?)\]/g)];
    expect(printed.map(([, name, value]) => [name, value])).to.deep.equal(
      entries.map(([name, one]) => [name, one.printed]),
    );
  });
});
