import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { json, text } from "node:stream/consumers";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { z } from "zod";
import { webhookSchema } from "../../../core/api/routes/webhooks.js";
import { pageSchema } from "../../../core/api/schemas.js";
import { newBatchCaller, sendBatch } from "../../support/batches.js";
import { reader, type TestCaller } from "../../support/caller.js";
import { until } from "../../support/eventually.js";
import { freePort } from "../../support/free-port.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { suiteFolder } from "../../support/store-folder.js";

// The packed nodes in n8n itself, installed as n8n's documentation says. Run by `npm run test:n8n`, which installs n8n.

const installation = process.env.PLATEN_TEST_N8N;

interface Node {
  name: string;
  type: string;
  parameters?: object;
  [setting: string]: unknown;
}

/** A workflow whose nodes follow each other. */
function toWorkflow(id: string, nodes: Node[]) {
  const names = nodes.map(({ name }) => name);
  const following = names.slice(1).map((node, index) => [
    names[index],
    { main: [[{ node, type: "main", index: 0 }]] },
  ]);
  return {
    id,
    name: id,
    nodes: nodes.map((node, index) => ({
      id: `${id}-${index}`,
      typeVersion: 1,
      position: [index * 220, 0],
      parameters: {},
      ...(node.type.startsWith("n8n-nodes-platen.") && {
        credentials: { platenApi: { id: "c1", name: "Platen" } },
      }),
      ...node,
    })),
    connections: Object.fromEntries(following),
    settings: { executionOrder: "v1" },
  };
}

const start: Node = { name: "Start", type: "n8n-nodes-base.manualTrigger" };

/** Passes on an item for each of these records. */
function rows(records: object[]): Node[] {
  const assignment = {
    id: "rows",
    name: "rows",
    type: "array",
    value: JSON.stringify(records),
  };
  return [
    {
      name: "Data",
      type: "n8n-nodes-base.set",
      typeVersion: 3.4,
      parameters: {
        assignments: { assignments: [assignment] },
        options: {},
      },
    },
    {
      name: "Rows",
      type: "n8n-nodes-base.splitOut",
      parameters: { fieldToSplitOut: "rows", options: {} },
    },
  ];
}

function platen(
  name: string,
  resource: string,
  operation: string,
  parameters: object,
): Node {
  return {
    name,
    type: "n8n-nodes-platen.platen",
    parameters: { resource, operation, ...parameters },
  };
}

const items = z.array(
  z.object({
    json: z.record(z.string(), z.unknown()),
    binary: z
      .record(
        z.string(),
        z.object({ fileName: z.string(), mimeType: z.string() }),
      )
      .optional(),
    pairedItem: z.unknown(),
  }),
);
const runSchema = z.object({
  status: z.string(),
  data: z.object({
    resultData: z.object({
      error: z.looseObject({ message: z.string() }).optional(),
      lastNodeExecuted: z.string(),
      runData: z.record(
        z.string(),
        z.array(
          z.object({
            data: z.object({ main: z.array(items) }).optional(),
          }),
        ),
      ),
    }),
  }),
});

const readWebhooks = reader(pageSchema(webhookSchema));

if (installation)
  describe("the nodes for n8n in n8n itself", () => {
    const folder = suiteFolder();
    const service = useService({
      config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
    });
    let caller: TestCaller;
    let templateId: string;
    let port: number;

    const launch = (...args: string[]) =>
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
            WEBHOOK_URL: `http://127.0.0.1:${port}/`,
            N8N_DIAGNOSTICS_ENABLED: "false",
            N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
            N8N_TEMPLATES_ENABLED: "false",
          },
          stdio: ["ignore", "pipe", "pipe"],
        },
      );
    const run = async (...args: string[]) => {
      const child = launch(...args);
      const [output, errors] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      return { output, errors };
    };
    const importFile = async (kind: string, content: object) => {
      const file = join(folder, `${kind}.json`);
      writeFileSync(file, JSON.stringify(content));
      const { output, errors } = await run(`import:${kind}`, `--input=${file}`);
      expect(output + errors).to.match(/Successfully imported 1/);
    };
    /** Runs a workflow on the command line. @returns what its last node put out, or why it failed */
    const execute = async (id: string, nodes: Node[]) => {
      await importFile("workflow", toWorkflow(id, nodes));
      const { output, errors } = await run(
        "execute",
        `--id=${id}`,
        "--rawOutput",
      );
      const found = output.slice(output.indexOf("\n{") + 1);
      expect(found, output + errors).to.match(/^\{/);
      const { data } = runSchema.parse(JSON.parse(found));
      const { error, runData } = data.resultData;
      const last = runData[nodes.at(-1)?.name ?? ""]?.[0];
      return { error: error?.message, items: last?.data?.main[0] ?? [] };
    };
    const chosen = () => ({
      templateId: { __rl: true, mode: "id", value: templateId },
    });

    before(async () => {
      port = await freePort();
      const pack = ["pack", "--json", "--pack-destination", folder];
      const packed = execFileSync("npm", pack, {
        cwd: "connectors/n8n",
        stdio: ["ignore", "pipe", "ignore"],
        encoding: "utf8",
      });
      const [, filename = ""] = /"filename": "([^"]+)"/.exec(packed) ?? [];
      const nodes = join(folder, ".n8n", "nodes");
      mkdirSync(nodes, { recursive: true });
      // n8n itself provides what the package names as its peer.
      execFileSync(
        "npm",
        [
          "install",
          "--legacy-peer-deps",
          "--no-audit",
          "--prefix",
          nodes,
          join(folder, filename),
        ],
        { stdio: "ignore" },
      );
      caller = await newBatchCaller(service);
      const fields = [
        { name: "number", label: "Number", type: "String", required: true },
        { name: "total", type: "Number" },
        { name: "lines", type: "OneToManyLink", target: "lines" },
      ];
      const definition = {
        schema: [
          { id: "root", fields },
          { id: "lines", fields: [{ name: "text", type: "String" }] },
        ],
        components: [{ type: "text", text: "{{ root.number }}" }],
        fileName: "Order {{ root.number }}",
      };
      templateId = await publish(service.store, caller, { definition });
      await importFile("credentials", [
        {
          id: "c1",
          name: "Platen",
          type: "platenApi",
          data: { baseUrl: `${service.url}/`, apiKey: caller.key },
        },
      ]);
    });

    it("turns ten rows into ten files", async () => {
      const records = Array.from({ length: 10 }, (_, index) => ({
        number: `2026-${index}`,
      }));
      const { items: files, error } = await execute("tenrows", [
        start,
        ...rows(records),
        platen("Create", "batch", "create", {
          ...chosen(),
          dataMode: "fields",
          fields: { mappingMode: "autoMapInputData", value: null },
          formats: ["pdf"],
        }),
        platen("Wait", "batch", "wait", {}),
      ]);
      expect(error).to.equal(undefined);
      expect(files.map(({ binary }) => binary?.data?.fileName)).to.eql(
        records.map(({ number }) => `Order ${number}.pdf`),
      );
      const stored = globSync("**/binary_data/*", {
        cwd: join(folder, ".n8n"),
      }).filter((name) => !name.endsWith(".metadata"));
      const starts = stored.map((name) =>
        readFileSync(join(folder, ".n8n", name)).subarray(0, 5).toString(),
      );
      expect(starts).to.eql(records.map(() => "%PDF-"));
    });
  });
