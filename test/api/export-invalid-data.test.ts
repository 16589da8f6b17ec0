import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { newCaller, type TestCaller } from "../support/caller.js";
import { exported, exportFailing, useService } from "../support/service.js";
import { publish } from "../support/store.js";

const components = [
  { type: "text", text: "{{ SUM(root.l, v) | currency }}" },
  { type: "text", text: '{{ DATE_ADD(root.d, 14, "days") | date }}' },
  { type: "text", text: "{{ root.n | currency }} {{ root.n * 2 }}" },
  { type: "text", text: "{{ root.total / root.count }}" },
  {
    type: "chart",
    chart: "bar",
    data: "root.months",
    label: "name",
    series: [{ field: "revenue" }],
  },
];
const definition = { schema: [{ id: "root", fields: [] }], components };
const data = {
  l: [{ amount: 5 }, { v: "12,50" }, { v: 1 }],
  d: "31.12.2026",
  n: "12,50",
  total: 5,
  count: 0,
  months: [
    { name: "May", revenue: 5 },
    { name: "June", revenue: "7,5" },
  ],
};

const platenMetadata = z.object({
  platen: z.object({
    report: z.object({
      missing: z.array(z.object({ path: z.string() })),
      invalidData: z.array(
        z.object({
          path: z.string(),
          component: z.string(),
          code: z.string(),
          expected: z.string(),
          found: z.string(),
          message: z.string(),
        }),
      ),
    }),
  }),
});

describe("values of the data that expressions cannot use", () => {
  const service = useService();
  let caller: TestCaller;
  let body: object;

  before(async () => {
    caller = await newCaller(service);
    const templateId = await publish(service.store, caller, { definition });
    body = { templateId, formats: ["html"], data };
  });

  it("are listed in the document's report and counted in a header", async () => {
    const { document, headers } = await exported(caller, body);
    const { report } = platenMetadata.parse(document.metadata).platen;
    expect(report.missing.map(({ path }) => path)).to.eql(["root.l[0].v"]);
    expect(
      report.invalidData.map(
        ({ path, component, code }) => `${component} ${path} ${code}`,
      ),
    ).to.have.members([
      "$.components[0] root.l[1].v wrong_type",
      "$.components[1] root.d invalid_date",
      "$.components[2] root.n wrong_type",
      "$.components[3] root.count division_by_zero",
      "$.components[4] revenue wrong_type",
    ]);
    expect(report.invalidData[0]).to.deep.equal({
      path: "root.l[1].v",
      component: "$.components[0]",
      code: "wrong_type",
      expected: "a number",
      found: 'the text "12,50"',
      message: 'root.l[1].v is the text "12,50", which is not a number.',
    });
    expect(headers.get("x-render-warnings")).to.equal("6");
  });

  it("are an error that lists all of them with strict", async () => {
    const { error } = await exportFailing(caller, {
      ...body,
      strict: true,
    });
    for (const reason of [
      "The data has no root.l[0].v",
      'root.l[1].v is the text "12,50", which is not a number',
      'root.d is the text "31.12.2026", which is not a date.',
      'root.n is the text "12,50", which is not a number.',
      "root.count is 0",
      'revenue is the text "7,5", which is not a number.',
    ])
      expect(error).to.contain(reason);
  });

  it("are not reported when there are none", async () => {
    const valid = {
      ...body,
      strict: true,
      data: {
        l: [{ v: 5 }, { v: null }, { v: "12.50" }],
        d: "2026-12-31",
        n: 12.5,
        total: 5,
        count: 2,
        months: [{ name: "May", revenue: 5 }],
      },
    };
    const { headers, result } = await exported(caller, valid);
    expect(headers.get("x-render-warnings")).to.equal("0");
    expect(result.html?.htmlDocument).to.contain("$17.50");
  });

  it("are listed where a rule or an order decides by them, but not where texts are meant", async () => {
    const price = { field: "price", type: "Number" };
    let count = 0;
    const linesWith = (passes: object) => {
      const collectionId = `line${(count += 1)}`;
      const text = `{{ ${collectionId}.name }}`;
      return {
        type: "fragment",
        collection: { collectionId, path: "root.lines", ...passes },
        components: [{ type: "text", text }],
      };
    };
    const withRule = (operator: string, value: unknown) => {
      const rules = [{ ...price, operator, value }];
      return linesWith({ filter: { combinator: "and", rules } });
    };
    const templateId = await publish(service.store, caller, {
      definition: {
        schema: [{ id: "root", fields: [] }],
        components: [
          withRule(">", 100),
          withRule("between", "1,2000"),
          withRule("beginsWith", "1"),
          withRule("notEmpty", ""),
          linesWith({ sort: [{ ...price, direction: "ASC" }] }),
          linesWith({
            sort: [{ field: "day", type: "Date", direction: "ASC" }],
          }),
          { type: "text", text: "{{ 'dear' if root.first > 100 }}" },
          { type: "text", text: "{{ 'late' if root.last > 'x' }}" },
        ],
      },
    });
    const { document } = await exported(caller, {
      templateId,
      formats: ["html"],
      data: {
        first: "1.200,00",
        last: "31.12.2026",
        lines: [
          { name: "a", price: "1.200,00", day: "31.12.2026" },
          { name: "b", price: "150", day: "2026-12-31" },
          { name: "c", price: null, day: "" },
        ],
      },
    });
    const { report } = platenMetadata.parse(document.metadata).platen;
    expect(
      report.invalidData.map(({ component, path }) => `${component} ${path}`),
    ).to.have.members([
      "$.components[0] root.lines[0].price",
      "$.components[1] root.lines[0].price",
      "$.components[4] root.lines[0].price",
      "$.components[5] root.lines[0].day",
      "$.components[6] root.first",
    ]);
  });
});
