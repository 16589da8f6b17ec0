import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import {
  readError,
  newCaller,
  reader,
  replies,
  type TestCaller,
} from "../support/caller.js";
import { exported, useService } from "../support/service.js";

const created = reader(z.looseObject({ id: z.string() }));

/** Long bodies are parsed by a thread. */
const padding = "long ".repeat(100_000);

const definition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "n", type: "Number" },
        { name: "name", type: "String" },
        { name: "padding", type: "String" },
      ],
    },
  ],
  components: [{ id: "a", type: "text", text: "{{ root.n }} {{ root.name }}" }],
};

describe("a body of half a megabyte", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;

  const create = (more: object = {}) =>
    caller.post("/api/templates", {
      name: "Long",
      templateType: "document",
      definition: { ...definition, sample: { padding } },
      ...more,
    });
  const send = (body: string) =>
    fetch(`${service.url}/api/export`, {
      method: "POST",
      headers: { "x-api-key": caller.key, "content-type": "application/json" },
      body,
    });

  before(async () => {
    caller = await newCaller(service);
    templateId = (await created(await create(), 201)).id;
  });

  it("makes the same document as a short one", async () => {
    const order = { templateId, formats: ["html"] };
    const data = { n: 7, name: "Zoë <b>" };
    const short = await exported(caller, { ...order, data });
    const long = await exported(caller, {
      ...order,
      data: { ...data, padding },
    });
    expect(long.result.html).to.deep.equal(short.result.html);
    expect(long.result.html?.htmlDocument).to.contain("7 Zoë &lt;b&gt;");
  });

  it("keeps the digits of long numbers", async () => {
    const data = `{"n":12345678901234567890,"padding":"${padding}"}`;
    const response = await send(
      `{"templateId":"${templateId}","formats":["html"],"data":${data}}`,
    );
    expect(response.status).to.equal(200);
    expect(await response.text()).to.contain("12345678901234567890 ");
  });

  it("is checked against the template's schema", async () => {
    const response = await caller.post("/api/export", {
      templateId,
      formats: ["html"],
      data: { n: "seven", padding },
      strict: true,
    });
    expect(response.status).to.equal(400);
    expect(await readError(response)).to.contain("root.n");
    const checked = await caller.post(`/api/templates/${templateId}/validate`, {
      data: { n: "seven", padding },
    });
    expect(await checked.text()).to.contain('"path":"$.data.n"');
  });

  it("saves a definition as it was sent, with the paper of the request", async () => {
    const paper = await created(
      await create({ format: "A5", isLandscape: true }),
      201,
    );
    const detail = await replies.template(
      await caller.get(`/api/templates/${paper.id}`),
    );
    expect(detail.definition).to.deep.include({
      sample: { padding },
      page: { size: "A5", landscape: true },
    });
    const next = { ...definition, sample: { padding: `${padding}.` } };
    await created(
      await caller.put(`/api/templates/${paper.id}/definition`, {
        definition: next,
      }),
    );
    const changed = await replies.template(
      await caller.get(`/api/templates/${paper.id}`),
    );
    expect(changed.definition).to.deep.include({ sample: next.sample });
  });

  it("is refused with the problems of its definition", async () => {
    const response = await create({
      definition: {
        ...definition,
        sample: { padding },
        components: [{ type: "texxt" }],
      },
    });
    expect(response.status).to.equal(400);
    expect(await readError(response)).to.contain("components[0]");
  });

  for (const [what, body, message] of [
    ["is not JSON", `{"a":"${padding}"`, "The body is not valid JSON"],
    [
      "has a list as data",
      JSON.stringify({ data: [padding] }),
      "$.data: must be an object",
    ],
    [
      "has an unknown field",
      JSON.stringify({ other: { padding } }),
      "$.other: unknown field",
    ],
    ["is a list", JSON.stringify([padding]), "must be an object"],
    [
      "is nested too deeply",
      `{"padding":"${padding}","data":${'{"a":'.repeat(301)}1${"}".repeat(301)}}`,
      "deeper than 300 levels",
    ],
  ] as const)
    it(`is refused as a short one when it ${what}`, async () => {
      const response = await send(body);
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain(message);
    });
});
