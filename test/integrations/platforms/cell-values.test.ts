import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import type {
  FieldKind,
  NumberFormat,
} from "../../../core/plugin-api/index.js";
import {
  field,
  MemoryPlatform,
  waitForWriteBacks,
  downloadHtml,
  newRecordCaller,
  sendRecords,
  useRecordService,
} from "../../support/records.js";

interface Case {
  kind: FieldKind;
  type: "String" | "Number" | "Date";
  value: unknown;
  printed: string;
  /** Of the platform's field, and of the template's. */
  formats?: { of: NumberFormat; to: NumberFormat };
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
  wholePercentAsFraction: {
    kind: "number",
    type: "Number",
    value: 7,
    printed: "0.07",
    formats: { of: "wholePercent", to: "percent" },
  },
  fractionAsWholePercent: {
    kind: "number",
    type: "Number",
    value: 0.07,
    printed: "7",
    formats: { of: "percent", to: "wholePercent" },
  },
  samePercent: {
    kind: "number",
    type: "Number",
    value: 7,
    printed: "7",
    formats: { of: "wholePercent", to: "wholePercent" },
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
  brokenNumber: {
    kind: "computed",
    type: "Number",
    value: { error: "#ERROR!" },
    printed: "#ERROR!",
  },
  brokenText: {
    kind: "computed",
    type: "String",
    value: { error: "#ERROR!" },
    printed: "#ERROR!",
  },
  notANumber: {
    kind: "computed",
    type: "Number",
    value: { specialValue: "NaN" },
    printed: "NaN",
  },
  brokenDate: {
    kind: "computed",
    type: "Date",
    value: [{ error: "#ERROR!" }],
    printed: "#ERROR!",
  },
  brokenCell: {
    kind: "text",
    type: "Number",
    value: "#DIV/0!",
    printed: "#DIV/0!",
  },
  brokenLookup: {
    kind: "computed",
    type: "String",
    value: ["1", { specialValue: "Infinity" }],
    printed: "1, Infinity",
  },
  hashtag: { kind: "text", type: "String", value: "#N!1", printed: "#N!1" },
  empty: { kind: "text", type: "String", value: "", printed: "-" },
  absent: { kind: "text", type: "String", value: undefined, printed: "-" },
};

const reportSchema = z.object({
  platen: z.object({
    report: z.object({
      invalidData: z.array(z.object({ path: z.string(), hint: z.string() })),
    }),
  }),
});

describe("the values of a platform's cells", () => {
  const platform = new MemoryPlatform();
  const entries = Object.entries(cases);
  platform.table(
    "tbl",
    "Table",
    entries.map(([name, { kind, formats }]) =>
      field(`fld-${name}`, name, {
        kind,
        ...(formats && { format: formats.of }),
      }),
    ),
  );
  const fields = entries.map(([name, { value }]) => [`fld-${name}`, value]);
  platform.row("tbl", { id: "r", fields: Object.fromEntries(fields) });
  const service = useRecordService(platform);

  it("are converted to the types of the template's schema, and formulas that failed are reported", async () => {
    const caller = await newRecordCaller(service, {
      schema: [
        {
          id: "root",
          connection: { platform: "memory", tableId: "tbl" },
          fields: entries.map(([name, { type, formats }]) => ({
            name,
            type,
            ...(formats && { format: formats.to }),
          })),
        },
      ],
      components: entries.map(([name]) => ({
        type: "text",
        text: `${name}=[{{ root.${name} | default("-") }}]`,
      })),
    });
    const { batchId } = await sendRecords(caller, ["r"]);
    const batch = await waitForWriteBacks(caller, batchId);
    const [text = ""] = await downloadHtml(batch);
    const { platen } = reportSchema.parse(batch.documents[0]?.metadata);
    expect(platen.report.invalidData.map(({ path }) => path)).to.deep.equal([
      "$.data.brokenNumber",
      "$.data.brokenText",
      "$.data.notANumber",
      "$.data.brokenDate",
      "$.data.brokenCell",
      "$.data.brokenLookup",
    ]);
    for (const { hint } of platen.report.invalidData)
      expect(hint).to.contain("A formula of the table failed");
    const printed = [...text.matchAll(/(\w+)=\[(.*?)\]/g)];
    expect(printed.map(([, name, value]) => [name, value])).to.deep.equal(
      entries.map(([name, one]) => [name, one.printed]),
    );
  });
});
