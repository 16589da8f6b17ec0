import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import {
  type DraftClient,
  newDraftClient,
} from "../../support/draft-client.js";
import { reader } from "../../support/caller.js";
import { useService } from "../../support/service.js";

const problem = z.looseObject({ path: z.string(), message: z.string() });
const readFacts = reader(
  z.strictObject({
    problems: z.array(problem),
    warnings: z.array(problem),
    repeats: z.record(z.string(), z.looseObject({ total: z.number() })),
    conditions: z.record(z.string(), z.boolean()),
    values: z.record(z.string(), z.record(z.string(), z.string())),
    markup: z.record(z.string(), z.record(z.string(), z.string())),
    counts: z.record(z.string(), z.number()),
    place: z.array(z.union([z.string(), z.number()])).nullable(),
    rows: z.record(z.string(), z.array(z.looseObject({}))),
    einvoiceProblems: z.array(z.looseObject({})).nullable(),
    sampleProblems: z.array(
      z.strictObject({
        keys: z.array(z.union([z.string(), z.number()])),
        code: z.string(),
        message: z.string(),
        places: z.array(
          z.strictObject({
            component: z.string(),
            expression: z.string().nullable(),
          }),
        ),
      }),
    ),
  }),
);

const line = { collectionId: "line", path: "root.lines" };
const schema = [{ id: "root", fields: [{ name: "lines", type: "String" }] }];
const sample = { lines: [{ n: 1 }, { n: 2 }] };

describe("checking a definition", () => {
  const service = useService();
  let drafts: DraftClient;
  before(async () => {
    const components = [
      { id: "a", type: "text", text: "Line", collection: line },
    ];
    drafts = await newDraftClient(service, {
      definition: { schema, components },
    });
  });
  const check = async (body: object) => {
    const { templateId, visitor } = drafts;
    const path = "/studio/api/drafts/check";
    return readFacts(await visitor.send("POST", path, { templateId, ...body }));
  };

  it("returns its problems, its warnings, and the values of its sample", async () => {
    const components = [
      { id: "a", type: "text", text: "{{ line.n }}", collection: line },
      { id: "b", type: "text", text: "{{ root. }}", style: { colour: "red" } },
    ];
    const facts = await check({ definition: { schema, components, sample } });
    const paths = facts.problems.map(({ path }) => path);
    expect(paths).to.have.members([
      "$.components[1].text",
      "$.components[1].style.colour",
    ]);
    expect(facts.warnings).not.to.equal(undefined);
    expect(facts.values).to.deep.equal({ a: { "line.n": "1" } });
    expect(facts.repeats).to.have.property("a").that.includes({ total: 2 });
  });

  it("returns what does not fit in its sample, with the places that print it and not those that only test it", async () => {
    const rule = { field: "root.lines", operator: "notEmpty" };
    const condition = {
      combinator: "and",
      rules: [rule],
      else: [{ id: "c", type: "text", text: "{{ SUM(root.lines, n) }}" }],
    };
    const components = [
      { id: "a", type: "text", text: "{{ line.n }}", collection: line },
      { id: "b", type: "text", text: "{{ line.n | upper }}", condition },
      { id: "d", type: "text", text: "{{ 1 }} and {{ root.lines.n }}!" },
    ];
    const links = { name: "lines", type: "OneToManyLink", target: "lines" };
    const number = { name: "n", type: "Number", required: true };
    const { sampleProblems } = await check({
      definition: {
        schema: [
          { id: "root", fields: [links] },
          { id: "lines", fields: [number] },
        ],
        components,
        sample: { lines: [{ n: 1 }, {}] },
      },
    });
    expect(sampleProblems).to.have.length(1);
    expect(sampleProblems[0]).to.deep.include({
      keys: ["lines", 1, "n"],
      code: "missing_value",
    });
    expect(sampleProblems[0]?.places).to.have.deep.members([
      { component: "a", expression: "line.n" },
      { component: "c", expression: "SUM(root.lines, n)" },
      { component: "d", expression: "root.lines.n" },
    ]);
  });

  it("reports what the template may not become", async () => {
    const collection = { ...line, collectionId: "other" };
    const components = [{ id: "a", type: "text", text: "", collection }];
    const { problems } = await check({ definition: { schema, components } });
    expect(problems[0]?.message).to.contain("collectionId");
  });

  it("succeeds for any input, even one that is not a definition", async () => {
    for (const definition of [undefined, null, 7, []])
      expect((await check({ definition })).problems).not.to.deep.equal([]);
  });
});
