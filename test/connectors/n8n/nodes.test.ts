import { EventEmitter, once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import type {
  IDataObject,
  INodeProperties,
} from "../../../connectors/n8n/types/n8n-workflow.js";
import { pageSchema } from "../../../core/api/schemas.js";
import { webhookSchema, EVENT_TYPES } from "../../../core/webhooks/index.js";
import { newBatchCaller, sendBatch } from "../../support/batches.js";
import { reader, type TestCaller } from "../../support/caller.js";
import { until } from "../../support/eventually.js";
import { loadNodes, NodeRunner } from "../../support/n8n.js";
import { OpenApiDocument } from "../../support/openapi.js";
import { printingBy } from "../../support/renderer.js";
import { useService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { formatsSchema } from "../../../core/lib/schemas.js";
import { useListener } from "../../support/fakes/fake-server.js";
import { listWords } from "../../support/rows.js";

// Every request of these tests is checked against the OpenAPI document before it is sent.

const manifest = z
  .looseObject({
    dependencies: z.undefined().optional(),
    n8n: z.object({
      credentials: z.array(z.string()),
      nodes: z.array(z.string()),
    }),
  })
  .parse(JSON.parse(readFileSync("connectors/n8n/package.json", "utf8")));

const failure = async (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) =>
      z
        .object({
          name: z.string(),
          message: z.string(),
          description: z.string().optional(),
        })
        .parse(error),
  );

const names = (properties: INodeProperties[], name: string) =>
  properties
    .find((one) => one.name === name)
    ?.options?.map((one) => "value" in one && one.value);

describe("the nodes for n8n", () => {
  const folder = suiteFolder();
  const gate = new EventEmitter();
  const released = once(gate, "open");
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
    replace: printingBy(async (job, real) => {
      if (job.html.includes("Slow")) await released;
      return real(job);
    }),
  });
  let nodes: ReturnType<typeof loadNodes>;
  let caller: TestCaller;
  let templateId: string;
  let runner: NodeRunner;
  let render: IDataObject;
  let create: IDataObject;

  before(async () => {
    nodes = loadNodes(folder);
    caller = await newBatchCaller(service);
    const fields = [
      { name: "number", label: "Number", type: "String", required: true },
      { name: "issued", type: "Date" },
      { name: "total", type: "Number" },
      { name: "customer", type: "OneToOneLink", target: "customer" },
      { name: "lines", type: "OneToManyLink", target: "lines" },
    ];
    const definition = {
      schema: [
        { id: "root", fields },
        { id: "customer", fields: [] },
        { id: "lines", fields: [] },
      ],
      components: [{ type: "text", text: "{{ root.number }}" }],
      fileName: "Order {{ root.number }}",
    };
    const template = { name: "Invoice", definition };
    templateId = await caller.publish(template);
    runner = new NodeRunner(nodes, await OpenApiDocument.of(service), {
      baseUrl: `${service.url}/`,
      apiKey: caller.key,
    });
    const data = {
      templateId: { __rl: true, mode: "id", value: templateId },
      dataMode: "json",
    };
    render = { resource: "document", operation: "render", ...data };
    create = { resource: "batch", operation: "create", ...data };
  });

  /** Makes the same documents in an execution. @returns their ids or that of their batch. */
  const make = async (operation: IDataObject, executionId: string) => {
    const items = [{ number: "1" }, { number: "1" }];
    const found = await runner.execute(operation, { items, executionId });
    return found.map(({ json }) => json.documentId ?? json.batchId);
  };

  it("are packed with everything that n8n reads, and depend on nothing", () => {
    const files = [...manifest.n8n.credentials, ...manifest.n8n.nodes];
    for (const file of files)
      expect(existsSync(join(folder, file)), file).to.equal(true);
    for (const file of manifest.n8n.nodes)
      expect(
        existsSync(join(folder, file.replace(/\.js$/, ".json"))),
        file,
      ).to.equal(true);
    for (const name of ["platen.svg", "platen.dark.svg"])
      expect(readFileSync(join(nodes.dist, "icons", name), "utf8")).to.match(
        /^<svg /,
      );
    expect(nodes.platen.description.usableAsTool).to.equal(true);
    expect(nodes.trigger.description.inputs).to.eql([]);
  });

  it("show each parameter for operations that exist", () => {
    const { properties } = nodes.platen.description;
    const choices = (name: string) =>
      properties
        .filter((one) => one.name === name)
        .flatMap(({ options = [] }) => options)
        .map((one) => ("value" in one ? one.value : one.name));
    for (const { name, displayOptions } of properties)
      for (const [other, values] of Object.entries(displayOptions?.show ?? {}))
        if (other === "resource" || other === "operation")
          expect(choices(other), name).to.include.members(values);
  });

  it("offer the formats and events of the API", () => {
    expect(
      names(nodes.platen.description.properties, "format"),
    ).to.have.members(formatsSchema.element.options);
    expect(
      names(nodes.trigger.description.properties, "events"),
    ).to.have.members([...EVENT_TYPES]);
  });

  it("render a file of each item", async () => {
    const items = [{ number: "1" }, { number: "Ä 2" }];
    const found = await runner.execute(render, { items });
    expect(found.map(({ pairedItem }) => pairedItem)).to.eql([
      { item: 0 },
      { item: 1 },
    ]);
    expect(found.map(({ binary }) => binary?.data?.fileName)).to.eql([
      "Order 1.pdf",
      "Order Ä 2.pdf",
    ]);
    expect(String(found[1]?.binary?.data?.data).slice(0, 5)).to.equal("%PDF-");
    expect(found[1]?.json).to.include({ format: "pdf", warningCount: 0 });
  });

  it("return only links on request, or another format", async () => {
    const items = [{ number: "1" }];
    const link = { ...render, format: "image", download: false };
    const [image] = await runner.execute(link, { items });
    expect(image?.binary).to.equal(undefined);
    expect(image?.json.url).to.match(/\.png/);
    const [html] = await runner.execute(
      { ...render, format: "html", binaryField: "page" },
      { items },
    );
    expect(html?.binary?.page).to.include({ mimeType: "text/html" });
    expect(String(html?.binary?.page?.data)).to.match(/^<!doctype html>/i);
    const { documentId } = image?.json ?? {};
    const get = { resource: "document", operation: "get", documentId };
    const [again] = await runner.execute(get);
    expect(again?.json).to.include({ id: documentId, templateId });
    expect(again?.binary?.data).to.include({ mimeType: "image/png" });
  });

  it("send options that the API has", async () => {
    const samples: IDataObject = {
      expiresAt: "2099-01-31T00:00:00",
      metadata: { order: 1 },
      renderOptions: '{ "margin": "20mm" }',
    };
    for (const operation of [render, create]) {
      const collection = nodes.platen.description.properties.find(
        ({ name, displayOptions: at }) =>
          name === "options" &&
          at?.show?.resource?.some((one) => one === operation.resource),
      );
      for (const option of collection?.options ?? []) {
        const value =
          samples[option.name] ?? ("default" in option && option.default);
        const options = { [option.name]: value };
        const items = [{ number: "1" }];
        const [made] = await runner.execute(
          { ...operation, download: false, options },
          { items },
        );
        expect(made?.json, option.name).to.not.have.property("error");
      }
    }
  });

  it("create nothing twice when n8n tries again", async () => {
    for (const [operation, id] of [
      [render, "41"],
      [create, "42"],
    ] as const) {
      const first = await make(operation, id);
      expect(new Set(first).size).to.equal(first.length);
      expect(await make(operation, id)).to.eql(first);
      expect(await make(operation, `${id}0`)).to.not.include.members(first);
    }
  });

  it("create one batch of all items, and wait for its documents", async () => {
    const items = ["1", "2", "3"].map((number) => ({ number }));
    const formats = ["pdf", "html"];
    const metadata = "={{ ({ row: $itemIndex }) }}";
    const [batch] = await runner.execute(
      { ...create, formats, options: { metadata } },
      { items },
    );
    expect(batch?.json).to.include({ totalCount: 3 });
    expect(batch?.pairedItem).to.eql([{ item: 0 }, { item: 1 }, { item: 2 }]);
    const found = await runner.execute(
      { resource: "batch", operation: "wait" },
      { items: [batch?.json ?? {}] },
    );
    expect(found.map(({ json }) => json.metadata)).to.have.nested.property(
      "[2].row",
      2,
    );
    expect(Object.keys(found[2]?.binary ?? {})).to.eql([
      "data_pdf",
      "data_html",
    ]);
    expect(found[2]?.pairedItem).to.eql({ item: 0 });
  });

  it("stop waiting after the timeout and say how far the batch is", async () => {
    const items = [{ number: "1" }, { number: "Slow" }];
    const [batch] = await runner.execute(create, { items });
    const wait = { resource: "batch", operation: "wait", timeout: 0 };
    const batches = { items: [batch?.json ?? {}] };
    const error = await failure(runner.execute(wait, batches));
    gate.emit("open");
    expect(error?.message).to.match(
      /^The batch is not completed after 0 seconds: [01] of 2 documents are done$/,
    );
    const rest = await runner.execute({ ...wait, timeout: 60 }, batches);
    expect(rest).to.have.length(2);
  });

  it("fail when documents failed, or return them beside the others", async () => {
    const items = [{ number: "1" }, {}];
    const strict = { ...create, options: { strict: true } };
    const [batch] = await runner.execute(strict, { items });
    const wait = { resource: "batch", operation: "wait" };
    const batches = { items: [batch?.json ?? {}] };
    const error = await failure(runner.execute(wait, batches));
    expect(error?.message).to.match(/^1 of 2 documents failed: /);
    const found = await runner.execute(wait, {
      ...batches,
      continueOnFail: true,
    });
    expect(found.map(({ json }) => json.status)).to.eql([
      "succeeded",
      "failed",
    ]);
    expect(found.map((one) => one.error?.name)).to.eql([
      undefined,
      "NodeOperationError",
    ]);
  });

  it("fail with the message of the service, or go on with the other items", async () => {
    const items = [{}, { number: "1" }];
    const strict = { ...render, options: { strict: true } };
    const error = await failure(runner.execute(strict, { items }));
    expect(error?.name).to.equal("NodeApiError");
    expect(error?.message).to.match(/number/);
    expect(error?.description).to.match(/doc_/);
    const found = await runner.execute(strict, { items, continueOnFail: true });
    expect(found.map(({ json }) => json.error)).to.eql([
      error?.message,
      undefined,
    ]);
    const wrong = { ...render, json: "[1]" };
    expect(await failure(runner.execute(wrong))).to.include({
      message: "The parameter json must be a JSON object",
    });
  });

  it("find templates and offer them with their fields", async () => {
    const find = { resource: "template", operation: "find" };
    const [found] = await runner.execute({ ...find, name: "voi" });
    expect(found?.json).to.include({ id: templateId, name: "Invoice" });
    expect(await runner.execute({ ...find, name: "letter" })).to.eql([]);
    const { listSearch = {}, resourceMapping = {} } =
      nodes.platen.methods ?? {};
    const editor = runner.whileEditing({ templateId: render.templateId });
    const list = await listSearch["searchTemplates"]?.call(editor);
    expect(list).to.have.nested.property("results[0].value", templateId);
    const mapper = await resourceMapping["getTemplateFields"]?.call(editor);
    expect(
      mapper?.fields.map(({ displayName, type, required }) => [
        displayName,
        type,
        required,
      ]),
    ).to.eql([
      ["Number", "string", true],
      ["issued", "dateTime", false],
      ["total", "number", false],
      ["customer", "object", false],
      ["lines", "array", false],
    ]);
  });

  describe("that wait for events", () => {
    const events = ["document.failed", "document.saved"];
    /** What the trigger makes of the next message. */
    let received: Promise<Awaited<ReturnType<NodeRunner["receive"]>>>;
    const server = useListener((request, response) => {
      received = buffer(request).then((body) =>
        runner.receive(body, request.headers),
      );
      void received.then(() => response.end());
    });
    let url: string;
    before(() => {
      url = `${server.url}/webhook/1`;
    });

    const list = reader(pageSchema(webhookSchema));
    const readEndpoints = async () =>
      (await list(await caller.get("/api/webhooks"))).data;

    it("register an endpoint while the workflow is active", async () => {
      const first = { events: ["documents.completed"] };
      expect(await runner.hook("checkExists", first, url)).to.equal(false);
      await runner.hook("create", first, url);
      const others = `${url}-test`;
      expect(await runner.hook("checkExists", first, others)).to.equal(false);
      expect(await runner.hook("checkExists", { events }, url)).to.equal(true);
      const [endpoint, ...more] = await readEndpoints();
      expect(more).to.eql([]);
      expect(endpoint).to.deep.include({ url, events, isEnabled: true });
    });

    it("start for the chosen events alone, and only if the service signed them", async () => {
      const [endpoint] = await readEndpoints();
      const test = `/api/webhooks/${endpoint?.id}/test`;
      expect((await caller.post(test, {})).status).to.equal(200);
      expect(await received).to.deep.include({ items: [], answer: null });

      const items = [{ data: {} }];
      const batch = { templateId, formats: ["pdf"], strict: true, items };
      const { batchId } = await sendBatch(caller, batch);
      const started = await until("the trigger starts", async () =>
        (await received).items.at(0),
      );
      expect(started.json).to.include({ type: "document.failed" });
      expect(started.json.data).to.include({ batchId });
      expect(started.json.id).to.match(/./);

      const body = Buffer.from(JSON.stringify(started.json));
      const now = new Date();
      const forger = new Webhook(`whsec_${btoa("another secret")}`);
      const forged = await runner.receive(body, {
        "webhook-id": "msg_1",
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": forger.sign("msg_1", now, String(body)),
      });
      expect(forged.items).to.eql([]);
      expect(forged.answer).to.include({ status: 400 });
    });

    it("remove the endpoint, even if it is gone already", async () => {
      await runner.hook("delete", { events }, url);
      expect(await readEndpoints()).to.eql([]);
      await runner.hook("create", { events }, url);
      const [endpoint] = await readEndpoints();
      await caller.delete(`/api/webhooks/${endpoint?.id}`);
      expect(await runner.hook("delete", { events }, url)).to.equal(true);
    });
  });

  describe("in all of these tests", () => {
    it("call every operation that they use, as the OpenAPI document describes it", () => {
      expect([...new Set(runner.calls)].toSorted()).to.eql(
        listWords(`
        createWebhook deleteWebhook exportBatch exportDocument getBatch getDocument getTemplate getWebhook
        listTemplates updateWebhook
      `),
      );
    });
  });
});
