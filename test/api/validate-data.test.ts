import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { Usage } from "../../core/accounts/index.js";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "number", type: "String", required: true },
        { name: "l", type: "OneToManyLink", target: "lines" },
      ],
    },
    { id: "lines", fields: [{ name: "v", type: "Number" }] },
  ],
  components: [{ type: "text", text: "{{ root.number }}" }],
};
const right = { number: "1", l: [{ v: 1 }] };
const wrong = { number: "1", l: [{ v: "12,50" }] };

const resultSchema = z.strictObject({
  valid: z.boolean(),
  problems: z.array(z.looseObject({ path: z.string(), code: z.string() })),
});

describe("POST /api/templates/:templateId/validate", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;

  before(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller, { definition });
  });

  const send = (body: object, id = templateId) =>
    caller.post(`/api/templates/${id}/validate`, body);
  const check = async (body: object) => {
    const response = await send(body);
    expect(response.status).to.equal(200);
    return resultSchema.parse(await response.json());
  };

  it("returns 200 and no problems for valid data, and renders and counts nothing", async () => {
    expect(await check({ data: right })).to.deep.equal({
      valid: true,
      problems: [],
    });
    const documents = await (await caller.get("/api/documents")).json();
    expect(documents).to.have.property("data").that.deep.equals([]);
    const month = new Date().toISOString().slice(0, 7);
    const used = await new Usage(service.store).getMonth(
      caller.organizationId,
      month,
    );
    expect(used.documents).to.equal(0);
  });

  it("returns 200 and each problem with its path, code, what was expected and what was found", async () => {
    expect(await check({ data: wrong })).to.deep.equal({
      valid: false,
      problems: [
        {
          path: "$.data.l[0].v",
          code: "wrong_type",
          expected: "a number",
          found: 'the text "12,50"',
          message: 'Expected a number, found the text "12,50".',
          hint: "Send a JSON number, with a point before the decimals and no separators, such as 1234.5.",
        },
      ],
    });
  });

  it("checks the items of a batch as they are, each under its index; one without data is an empty record", async () => {
    const items = [
      { data: right, metadata: { customer: "4711" }, formats: ["pdf"] },
      {},
      { data: right },
      { data: wrong },
    ];
    const { valid, problems } = await check({ items });
    expect(valid).to.equal(false);
    expect(problems.map(({ path, code }) => [path, code])).to.deep.equal([
      ["$.items[1].data.number", "missing_value"],
      ["$.items[3].data.l[0].v", "wrong_type"],
    ]);
  });

  it("reports a record that is not an object as a problem", async () => {
    for (const data of [null, [], "text", 1]) {
      const { problems } = await check({ data });
      expect(problems[0]).to.include({ path: "$.data", code: "wrong_type" });
      const { problems: ofItems } = await check({ items: [{ data }] });
      expect(ofItems[0]).to.include({ path: "$.items[0].data" });
    }
  });

  it("lists unknown fields with warn and error, of which only error makes the data invalid", async () => {
    const data = { ...right, colour: "red" };
    expect((await check({ data })).problems).to.deep.equal([]);
    for (const [unknownFields, valid] of [
      ["warn", true],
      ["error", false],
    ] as const) {
      const result = await check({ data, unknownFields });
      expect(result.valid).to.equal(valid);
      expect(result.problems.map(({ path }) => path)).to.deep.equal([
        "$.data.colour",
      ]);
    }
  });

  it("lists at most 1,000 problems of all records", async () => {
    const items = Array.from({ length: 1500 }, () => ({ data: wrong }));
    expect((await check({ items })).problems).to.have.length(1000);
  });

  it("checks against the live definition, or the version that is named", async () => {
    const id = await publish(service.store, caller, { definition });
    const [root, lines] = definition.schema;
    const schema = [{ ...root, fields: [] }, lines];
    const changed = await caller.put(`/api/templates/${id}/definition`, {
      definition: { ...definition, schema },
    });
    expect(changed.status).to.equal(200);
    const live = await send({ data: wrong }, id);
    expect(await live.json()).to.deep.equal({ valid: true, problems: [] });
    const first = await send({ data: wrong, templateVersion: 1 }, id);
    expect(await first.json()).to.include({ valid: false });
    const absent = await send({ data: wrong, templateVersion: 9 }, id);
    expect(absent.status).to.equal(404);
  });

  it("is refused without exactly one of data and items, and for fields that it does not take", async () => {
    for (const body of [{}, { data: right, items: [{ data: right }] }]) {
      const response = await send(body);
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain('either "data" or "items"');
    }
    expect((await send({ data: right, strict: true })).status).to.equal(400);
    expect((await send({ items: [] })).status).to.equal(400);
  });

  it("returns 404 for a template of another organization and for ids that do not exist", async () => {
    const other = await newCaller(service);
    const theirs = await publish(service.store, other, { definition });
    for (const id of [theirs, "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f", "x"])
      expect((await send({ data: right }, id)).status).to.equal(404);
  });

  it("is allowed for a key that may render", async () => {
    const renderer = await newCaller(service, ["documents:write"]);
    const id = await publish(service.store, renderer, { definition });
    const path = `/api/templates/${id}/validate`;
    expect((await renderer.post(path, { data: right })).status).to.equal(200);
    const reader = await newCaller(service, ["templates:read"]);
    const rejected = await reader.post(path, { data: right });
    expect(await readError(rejected)).to.contain("documents:write");
  });
});
