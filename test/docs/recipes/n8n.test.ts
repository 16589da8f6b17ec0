import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createContext, runInContext } from "node:vm";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { parseConfig } from "../../../config/index.js";
import { batchWhen, newBatchCaller } from "../../support/batches.js";
import { reader, readError, type TestCaller } from "../../support/caller.js";
import { until } from "../../support/eventually.js";
import { freePort } from "../../support/free-port.js";
import { readRecipe } from "../../support/recipes.js";
import { printingBy, temporaryFailure } from "../../support/renderer.js";
import { useService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { publish } from "../../support/store.js";

const node = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  type: z.string().regex(/^n8n-nodes-base\.\w+$/),
  typeVersion: z.number(),
  position: z.tuple([z.number(), z.number()]),
  webhookId: z.uuid().optional(),
  credentials: z
    .strictObject({
      httpHeaderAuth: z.strictObject({
        id: z.string(),
        name: z.literal("Platen"),
      }),
    })
    .optional(),
  retryOnFail: z.literal(true).optional(),
  maxTries: z.number().optional(),
  waitBetweenTries: z.number().optional(),
  parameters: z.record(z.string(), z.unknown()),
});
type WorkflowNode = z.output<typeof node>;

const workflowSchema = z.strictObject({
  name: z.string(),
  nodes: z.array(node),
  connections: z.record(
    z.string(),
    z.strictObject({
      main: z.array(
        z.array(
          z.strictObject({
            node: z.string(),
            type: z.literal("main"),
            index: z.literal(0),
          }),
        ),
      ),
    }),
  ),
  settings: z.strictObject({ executionOrder: z.literal("v1") }),
});
type Workflow = z.output<typeof workflowSchema>;

/** What flows from node to node. */
interface Item {
  json: Record<string, unknown>;
  binary?: Uint8Array;
}

const parameterSchemas = {
  set: z.strictObject({
    assignments: z.strictObject({
      assignments: z.array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          type: z.enum(["string", "array"]),
          value: z.string(),
        }),
      ),
    }),
    options: z.strictObject({}),
  }),
  httpRequest: z.strictObject({
    method: z.literal("POST").optional(),
    url: z.string(),
    authentication: z.literal("genericCredentialType").optional(),
    genericAuthType: z.literal("httpHeaderAuth").optional(),
    sendHeaders: z.literal(true).optional(),
    headerParameters: z
      .strictObject({
        parameters: z.array(
          z.strictObject({ name: z.string(), value: z.string() }),
        ),
      })
      .optional(),
    sendBody: z.literal(true).optional(),
    specifyBody: z.literal("json").optional(),
    jsonBody: z.string().optional(),
    options: z.strictObject({
      response: z
        .strictObject({
          response: z.strictObject({ responseFormat: z.literal("file") }),
        })
        .optional(),
    }),
  }),
  if: z.object({
    conditions: z.object({
      conditions: z.tuple([
        z.strictObject({
          id: z.string(),
          leftValue: z.string(),
          rightValue: z.string(),
          operator: z.strictObject({
            type: z.literal("string"),
            operation: z.literal("equals"),
          }),
        }),
      ]),
    }),
  }),
  splitOut: z.strictObject({
    fieldToSplitOut: z.string(),
    options: z.strictObject({}),
  }),
  stopAndError: z.strictObject({ errorMessage: z.string() }),
};

/** Runs the few types of nodes that the recipe has as n8n runs them, and knows no others. Its waits take no time. */
class WorkflowRun {
  readonly #results = new Map<string, Item[]>();
  readonly #id = randomUUID();

  constructor(
    private readonly workflow: Workflow,
    private readonly key: string,
  ) {}

  /** @returns the items that the node put out last. */
  results(name: string): Item[] {
    return this.#results.get(name) ?? [];
  }

  /** Runs a node, and then those that its outputs lead to, the first output first. */
  async run(name: string, items: Item[]): Promise<void> {
    const found = this.workflow.nodes.find((one) => one.name === name);
    if (!found) throw new Error(`no node ${name}`);
    const outputs = await this.#execute(found, items);
    this.#results.set(name, outputs.flat());
    const { main = [] } = this.workflow.connections[name] ?? {};
    for (const [at, output] of outputs.entries())
      for (const next of output.length > 0 ? (main[at] ?? []) : [])
        await this.run(next.node, output);
  }

  async #execute({ type, parameters }: WorkflowNode, items: Item[]) {
    switch (type.split(".")[1]) {
      case "manualTrigger":
      case "webhook":
      case "wait":
        return [items];
      case "set": {
        const { assignments } = parameterSchemas.set.parse(parameters);
        const assign = (item: Item) => ({
          json: Object.fromEntries(
            assignments.assignments.map(({ name, value }) => [
              name,
              this.#evaluate(value, item),
            ]),
          ),
        });
        return [items.map(assign)];
      }
      case "httpRequest":
        return [
          await Promise.all(items.map((item) => this.#call(parameters, item))),
        ];
      case "if": {
        const { conditions } = parameterSchemas.if.parse(parameters);
        const [{ leftValue, rightValue }] = conditions.conditions;
        const isTrue = (item: Item) =>
          this.#evaluate(leftValue, item) === rightValue;
        return [items.filter(isTrue), items.filter((one) => !isTrue(one))];
      }
      case "splitOut": {
        const { fieldToSplitOut } = parameterSchemas.splitOut.parse(parameters);
        const lists = z.array(z.record(z.string(), z.unknown()));
        return [
          items.flatMap(({ json }) =>
            lists.parse(json[fieldToSplitOut]).map((one) => ({ json: one })),
          ),
        ];
      }
      case "stopAndError": {
        const { errorMessage } =
          parameterSchemas.stopAndError.parse(parameters);
        throw new Error(String(this.#evaluate(errorMessage, items[0])));
      }
      default:
        throw new Error(`unknown type ${type}`);
    }
  }

  async #call(parameters: object, item: Item): Promise<Item> {
    const { method, url, authentication, headerParameters, jsonBody, options } =
      parameterSchemas.httpRequest.parse(parameters);
    const read = (value: string) => String(this.#evaluate(value, item));
    const headers = new Headers(
      headerParameters?.parameters.map(({ name, value }) => [
        name,
        read(value),
      ]),
    );
    if (authentication) headers.set("x-api-key", this.key);
    if (jsonBody) headers.set("content-type", "application/json");
    const response = await fetch(read(url), {
      method: method ?? "GET",
      headers,
      body: jsonBody === undefined ? null : read(jsonBody),
    });
    if (!response.ok) throw new Error(await readError(response));
    return options.response
      ? {
          json: item.json,
          binary: new Uint8Array(await response.arrayBuffer()),
        }
      : {
          json: z.record(z.string(), z.unknown()).parse(await response.json()),
        };
  }

  /** A value that begins with `=` is a text with expressions; one expression alone keeps its type. */
  #evaluate(value: string, item?: Item): unknown {
    if (!value.startsWith("=")) return value;
    const context = createContext({
      $json: item?.json,
      $: (name: string) => ({ first: () => this.results(name)[0] }),
      $workflow: { id: "w1" },
      $execution: { id: this.#id },
    });
    const parts = value.slice(1).split(/\{\{(.*?)\}\}(?!\})/s);
    const values = parts.map((part, at) =>
      at % 2 === 1 ? (runInContext(part, context) as unknown) : part,
    );
    const isAlone = parts.length === 3 && !parts[0] && !parts[2];
    return isAlone ? values[1] : values.join("");
  }
}

const readBatches = reader(
  z.object({
    data: z.array(z.object({ batchId: z.string(), totalCount: z.number() })),
  }),
);
const { batch } = parseConfig({ PLATEN_BATCH_RETRY_DELAYS: "10ms,10ms,10ms" });
const isPdf = (bytes: Uint8Array) =>
  Buffer.from(bytes.subarray(0, 5)).toString() === "%PDF-";

describe("the recipe for n8n", () => {
  const service = useService({
    config: { batch },
    replace: printingBy(async (job, real) => {
      if (job.html.includes("Never")) throw temporaryFailure();
      return real(job);
    }),
  });
  let caller: TestCaller;
  let values: { address: string; templateId: string };
  before(async () => {
    caller = await newBatchCaller(service);
    const fields = [{ name: "number", type: "String" }];
    const definition = {
      schema: [{ id: "root", fields }],
      components: [{ type: "text", text: "{{ root.number }}" }],
      fileName: "Order {{ root.number }}",
    };
    const templateId = await publish(service.store, caller, { definition });
    values = { address: service.url, templateId };
  });
  const readWorkflow = (more: object = {}) =>
    workflowSchema.parse(
      JSON.parse(readRecipe("n8n-workflow.json", { ...values, ...more })),
    );
  const newRun = () => new WorkflowRun(readWorkflow(), caller.key);

  it("is a workflow whose connections join its nodes", () => {
    const { nodes, connections } = readWorkflow();
    const names = nodes.map(({ name }) => name);
    const joined = Object.values(connections).flatMap(({ main }) =>
      main.flat().map((one) => one.node),
    );
    expect(new Set(names).size).to.equal(names.length);
    expect(new Set(nodes.map(({ id }) => id)).size).to.equal(names.length);
    expect(names).to.include.members(Object.keys(connections));
    const started = ["Try it", "Webhook"];
    expect([...new Set([...joined, ...started])]).to.have.members(names);
  });

  it("sends the key to the service alone", () => {
    for (const { name, parameters, credentials } of readWorkflow().nodes)
      expect("authentication" in parameters, name).to.equal(
        credentials !== undefined,
      );
  });

  it("downloads the PDF of its example", async () => {
    const run = newRun();
    await run.run("Try it", [{ json: {} }]);
    const [file, ...others] = run.results("Download PDF");
    expect(others).to.deep.equal([]);
    expect(file?.binary).to.satisfy(isPdf);
    expect(JSON.stringify(file?.json)).to.contain("Order-2026-117.pdf");
  });

  it("downloads what is ready and reports what failed", async () => {
    const items = ["1", "Never", "2"].map((number) => ({ data: { number } }));
    const run = newRun();
    const error = await run
      .run("Webhook", [{ json: { body: { items } } }])
      .catch(String);
    expect(error).to.equal("Error: Platen: The printer failed.");
    const files = run.results("Download PDF");
    expect(files.map(({ binary }) => binary && isPdf(binary))).to.eql([
      true,
      true,
    ]);
  });

  const installation = process.env.PLATEN_TEST_N8N;
  if (installation)
    describe("in n8n itself", () => {
      const folder = suiteFolder();
      let port: number;

      const start = (...args: string[]) =>
        spawn(
          join(installation, "node"),
          [join(installation, "node_modules/n8n/bin/n8n"), ...args],
          {
            // No proxies, tokens or settings of the person who runs the tests.
            env: {
              HOME: folder,
              PATH: process.env.PATH,
              N8N_USER_FOLDER: folder,
              N8N_ENCRYPTION_KEY: "for-tests-alone",
              N8N_LISTEN_ADDRESS: "127.0.0.1",
              N8N_PORT: String(port),
              N8N_DIAGNOSTICS_ENABLED: "false",
              N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
              N8N_TEMPLATES_ENABLED: "false",
            },
            stdio: ["ignore", "pipe", "pipe"],
          },
        );
      const call = async (...args: string[]) => {
        const child = start(...args);
        const [output, errors] = await Promise.all([
          text(child.stdout),
          text(child.stderr),
          once(child, "close"),
        ]);
        return output + errors;
      };
      const importFile = async (kind: string, content: object) => {
        const file = join(folder, `${kind}.json`);
        writeFileSync(file, JSON.stringify(content));
        expect(await call(`import:${kind}`, `--input=${file}`)).to.match(
          /Successfully imported 1/,
        );
      };

      before(async () => {
        port = await freePort();
        const data = { name: "x-api-key", value: caller.key };
        const credential = { id: "k1", name: "Platen", data };
        await importFile("credentials", [
          { ...credential, type: "httpHeaderAuth" },
        ]);
        await importFile("workflow", { id: "w1", ...readWorkflow() });
      });

      it("downloads the PDF of its example", async () => {
        const output = await call("execute", "--id=w1", "--rawOutput");
        expect(output).to.contain('"lastNodeExecuted": "Download PDF"');
        expect(output).to.contain('"fileName": "Order 2026-117.pdf"');
        expect(output).to.contain('"status": "success"');
      });

      it("shows the message of the service when the template is unknown", async () => {
        const templateId = "99999999-0000-0000-0000-000000000000";
        await importFile("workflow", {
          id: "w2",
          ...readWorkflow({ templateId }),
        });
        const output = await call("execute", "--id=w2", "--rawOutput");
        expect(output).to.contain(
          '"description": "There is no such template."',
        );
      });

      it("creates a document of each record that its webhook receives", async () => {
        await call("publish:workflow", "--id=w1");
        const server = start("start");
        // Else n8n waits for someone to read what it says.
        server.stdout.resume();
        server.stderr.resume();
        try {
          const items = ["A-1", "A-2"].map((number) => ({ data: { number } }));
          const request = {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ items }),
          };
          const url = `http://127.0.0.1:${port}/webhook/platen`;
          // Before it has started, n8n answers this too with 200.
          await until("n8n starts the workflow", async () => {
            const answer = await fetch(url, request).catch(() => null);
            return (await answer?.text())?.includes("Workflow was started");
          });
          const { batchId } = await until("n8n sends a batch", async () => {
            const { data } = await readBatches(
              await caller.get("/api/batches"),
            );
            return data.find(({ totalCount }) => totalCount === 2);
          });
          const { documents } = await batchWhen(caller, batchId);
          const urls = documents.map(({ outputs }) => outputs[0]?.url);
          expect(urls.join()).to.match(/Order-A-1\.pdf.*Order-A-2\.pdf/);
        } finally {
          server.kill();
          await once(server, "close");
        }
      });
    });
});
