import { expect } from "chai";
import { before, describe, it } from "mocha";
import { useApi } from "../support/api.js";
import { json, newCaller, refusal, replies } from "../support/caller.js";

const schema = [
  {
    id: "root",
    fields: [
      { name: "number", type: "String", required: true },
      { name: "l", type: "OneToManyLink", target: "lines" },
    ],
  },
  { id: "lines", fields: [{ name: "v", type: "Number" }] },
];
const components = [{ type: "text", text: "{{ root.number }}" }];
const right = { number: "1", l: [{ v: 1 }] };
const wrong = { number: "1", l: [{ v: "12,50" }] };

interface Result {
  valid: boolean;
  problems: { path: string; code: string }[];
}

describe("POST /api/templates/:templateId/validate", () => {
  const api = useApi({ template: { definition: { schema, components } } });
  let path: string;
  before(() => {
    path = `/api/templates/${api.templateId}`;
  });
  const send = (body: object, by = api.caller) =>
    by.post(`${path}/validate`, body);
  const check = async (body: object) => {
    const { valid, problems } = await json<Result>(send(body));
    return {
      valid,
      problems: problems.map((one) => `${one.path} ${one.code}`),
    };
  };

  it("returns no problems for valid data, and renders and counts nothing", async () => {
    const none = { valid: true, problems: [] };
    expect(await json(send({ data: right }))).to.deep.equal(none);
    const list = await replies.documents(
      await api.caller.get("/api/documents"),
    );
    expect(list.data).to.deep.equal([]);
    expect(await json(api.caller.get("/api/usage"))).to.include({
      documents: 0,
    });
  });

  it("returns each problem with its path, code, what was expected and what was found", async () => {
    expect(await json(send({ data: wrong }))).to.deep.equal({
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
    expect(await check({ items })).to.deep.equal({
      valid: false,
      problems: [
        "$.items[1].data.number missing_value",
        "$.items[3].data.l[0].v wrong_type",
      ],
    });
  });

  it("reports a record that is not an object as a problem", async () => {
    for (const data of [null, [], "text", 1]) {
      const [problem] = (await check({ data })).problems;
      expect(problem).to.equal("$.data wrong_type");
      const [ofItem] = (await check({ items: [{ data }] })).problems;
      expect(ofItem).to.equal("$.items[0].data wrong_type");
    }
  });

  it("lists unknown fields with warn and error, of which only error makes the data invalid", async () => {
    const data = { ...right, colour: "red" };
    const problems = ["$.data.colour unknown_field"];
    for (const [body, result] of [
      [{}, { valid: true, problems: [] }],
      [{ unknownFields: "warn" }, { valid: true, problems }],
      [{ unknownFields: "error" }, { valid: false, problems }],
    ] as const)
      expect(await check({ data, ...body })).to.deep.equal(result);
  });

  it("lists at most 1,000 problems of all records, of which there may be any number", async () => {
    const items = Array.from({ length: 12_000 }, (_, index) => ({
      data: index < 1500 ? wrong : right,
    }));
    expect((await check({ items })).problems).to.have.length(1000);
  });

  it("checks against the live definition, or the version that is named", async () => {
    const id = await api.caller.publish({ definition: { schema, components } });
    const [root, lines] = schema;
    const free = [{ ...root, fields: [] }, lines];
    const definition = { schema: free, components };
    const own = `/api/templates/${id}`;
    await json(api.caller.put(`${own}/definition`, { definition }));
    for (const [version, isValid] of [
      [{}, true],
      [{ templateVersion: 1 }, false],
    ] as const) {
      const body = { data: wrong, ...version };
      expect(await json(api.caller.post(`${own}/validate`, body))).to.include({
        valid: isValid,
      });
    }
    const absent = { data: wrong, templateVersion: 9 };
    expect(await refusal(api.caller.post(`${own}/validate`, absent))).to.match(
      /^404 /,
    );
  });

  it("is refused without exactly one of data and items, and for fields that it does not take", async () => {
    for (const [body, error] of [
      [{}, 'either "data" or "items"'],
      [{ data: right, items: [{ data: right }] }, 'either "data" or "items"'],
      [{ data: right, strict: true }, "$.strict"],
      [{ items: [] }, "$.items"],
    ] as const)
      expect(await refusal(send(body)))
        .to.match(/^400 /)
        .and.contain(error);
  });

  it("is allowed for a key that may render", async () => {
    const renderer = await newCaller(api.service, ["documents:write"]);
    const id = await renderer.publish();
    const own = `/api/templates/${id}/validate`;
    expect((await renderer.post(own, { data: {} })).status).to.equal(200);
    const reader = await newCaller(api.service, ["templates:read"]);
    expect(await refusal(send({ data: right }, reader))).to.contain(
      "documents:write",
    );
  });
});
