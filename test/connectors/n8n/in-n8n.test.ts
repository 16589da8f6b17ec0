import { webhookSchema } from "../../../core/webhooks/index.js";
import {
  type ChildProcess,
  execFileSync,
  spawn,
  spawnSync,
} from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { json, text } from "node:stream/consumers";
import { expect } from "chai";
import { z } from "zod";
import { pageSchema } from "../../../core/api/schemas.js";
import { newBatchCaller, sendBatch } from "../../support/batches.js";
import { reader, type TestCaller } from "../../support/caller.js";
import { until } from "../../support/eventually.js";
import { useListener } from "../../support/fakes/fake-server.js";
import { freePort } from "../../support/free-port.js";
import { packPackage } from "../../support/pack.js";
import { useService } from "../../support/service.js";
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
  const following = names
    .slice(1)
    .map((node, index) => [
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
      parameters: { assignments: { assignments: [assignment] }, options: {} },
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
          z.object({ data: z.object({ main: z.array(items) }).optional() }),
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
    /** What workflows have sent. */
    const bodies: unknown[] = [];
    const receiver = useListener((request, response) => {
      void json(request)
        .then((body) => bodies.push(body))
        .then(() => response.end("{}"));
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
      // Beside it, a failed execution prints its error.
      const [found = ""] = /^\{$[^]*?^\}$/m.exec(output) ?? [];
      expect(found, output + errors).to.not.equal("");
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
      const packed = packPackage("connectors/n8n", folder);
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
          packed,
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
      templateId = await caller.publish({ name: "Invoice", definition });
      await importFile("credentials", [
        {
          id: "c1",
          name: "Platen",
          type: "platenApi",
          data: { baseUrl: `${service.url}/`, apiKey: caller.key },
        },
      ]);
    });

    it("compile with the types of n8n", () => {
      const file = join(folder, "tsconfig.json");
      const paths = {
        "n8n-workflow": [join(installation, "node_modules", "n8n-workflow")],
      };
      const config = {
        extends: resolve("connectors/n8n/tsconfig.json"),
        compilerOptions: {
          rootDir: "/",
          typeRoots: [resolve("node_modules/@types")],
          paths,
        },
        include: ["credentials", "nodes", "shared"].map((name) =>
          resolve("connectors/n8n", name),
        ),
      };
      writeFileSync(file, JSON.stringify(config));
      const tsc = resolve("node_modules/typescript/bin/tsc");
      const { stdout } = spawnSync(process.execPath, [tsc, "-p", file], {
        encoding: "utf8",
      });
      expect(stdout).to.equal("");
    });

    it("follow n8n's rules for community nodes, but for what their publisher adds", () => {
      const lint = join(installation, "lint");
      rmSync(lint, { recursive: true, force: true });
      cpSync("connectors/n8n", join(lint, "nodes"), {
        recursive: true,
        filter: (path) => !/\b(dist|types|tsconfig\.json)$/.test(path),
      });
      writeFileSync(
        join(lint, "eslint.config.mjs"),
        `import { n8nCommunityNodesPlugin as plugin } from "@n8n/eslint-plugin-community-nodes";
import { parser } from "typescript-eslint";
const parserOptions = { extraFileExtensions: [".json"] };
export default [
  plugin.configs.recommended,
  { files: ["**/*.ts", "**/package.json"], languageOptions: { parser, parserOptions } },
];
`,
      );
      const eslint = join(installation, "node_modules/eslint/bin/eslint.js");
      const { stdout, stderr } = spawnSync(
        join(installation, "node"),
        [eslint, "--format", "json", "nodes"],
        { cwd: lint, encoding: "utf8" },
      );
      const linted = z.array(
        z.object({
          filePath: z.string(),
          messages: z.array(z.object({ ruleId: z.string().nullable() })),
        }),
      );
      expect(stdout, stderr).to.match(/^\[/);
      const results = linted.parse(JSON.parse(stdout));
      expect(results.length).to.be.above(8);
      expect(
        results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId)),
      ).to.have.members(
        ["require-homepage", "valid-author"].map(
          (rule) => `@n8n/community-nodes/${rule}`,
        ),
      );
    });

    it("turn ten rows into ten files", async () => {
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
        readFileSync(join(folder, ".n8n", name))
          .subarray(0, 5)
          .toString(),
      );
      expect(starts).to.eql(records.map(() => "%PDF-"));
    });

    it("render a document of mapped fields, as a file or as a link", async () => {
      const fields = {
        mappingMode: "defineBelow",
        value: { number: "={{ $json.no }}", total: null, lines: null },
      };
      const render = { ...chosen(), dataMode: "fields", fields };
      const { items: files } = await execute("render", [
        start,
        ...rows([{ no: "A-1" }, { no: "A-2" }]),
        platen("Render", "document", "render", render),
      ]);
      expect(files).to.have.length(2);
      expect(files[1]?.pairedItem).to.eql({ item: 1 });
      expect(files[1]?.binary?.data).to.include({
        fileName: "Order A-2.pdf",
        mimeType: "application/pdf",
      });

      const { items: links } = await execute("links", [
        start,
        ...rows([{ number: "B-1" }]),
        platen("Render", "document", "render", {
          ...chosen(),
          dataMode: "json",
          json: "={{ $json }}",
          format: "html",
          download: false,
          options: { isTest: true },
        }),
        platen("Get", "document", "get", {
          documentId: "={{ $json.documentId }}",
          download: false,
        }),
      ]);
      expect(links[0]?.json).to.include({ templateId, status: "succeeded" });
    });

    describe("as a server", () => {
      const session: Record<string, string> = {};
      let server: ChildProcess | null = null;
      after(async () => {
        server?.kill();
        if (server) await once(server, "close");
      });
      const call = async (method: string, path: string, body?: object) => {
        const response = await fetch(`http://127.0.0.1:${port}/rest${path}`, {
          method,
          headers: { "content-type": "application/json", ...session },
          ...(body && { body: JSON.stringify(body) }),
        });
        const [cookie] = response.headers.getSetCookie();
        if (cookie) session.cookie = cookie.split(";")[0] ?? "";
        const answer = z
          .looseObject({ data: z.unknown() })
          .parse(await response.json());
        expect(response.status, JSON.stringify(answer)).to.equal(200);
        return answer.data;
      };

      const testCredential = async (apiKey: string) =>
        call("POST", "/credentials/test", {
          credentials: {
            id: "c1",
            name: "Platen",
            type: "platenApi",
            data: { baseUrl: service.url, apiKey },
          },
        });

      before(async () => {
        const received = platen("Wait", "batch", "wait", {
          batchId: "={{ $json.data.batchId }}",
        });
        await importFile(
          "workflow",
          toWorkflow("ontrigger", [
            {
              name: "Platen Trigger",
              type: "n8n-nodes-platen.platenTrigger",
              webhookId: "5d3b4f0e-9a51-4c6b-8d8f-2e277d0c6a52",
              parameters: { events: ["documents.completed"] },
            },
            received,
            {
              name: "Report",
              type: "n8n-nodes-base.httpRequest",
              typeVersion: 4.2,
              parameters: {
                method: "POST",
                url: `${receiver.url}/`,
                sendBody: true,
                specifyBody: "json",
                jsonBody:
                  "={{ { id: $json.id, file: $binary.data.fileName, event: $('Platen Trigger').first().json } }}",
                options: {},
              },
            },
          ]),
        );
        const started = launch("start");
        server = started;
        // Else n8n waits for someone to read what it says.
        started.stdout.resume();
        started.stderr.resume();
        await until("n8n answers", async () => {
          const answer = await fetch(
            `http://127.0.0.1:${port}/rest/settings`,
          ).catch(() => null);
          return answer?.headers.get("content-type")?.includes("json");
        });
        await call("POST", "/owner/setup", {
          email: "owner@example.com",
          firstName: "Olga",
          lastName: "Owner",
          password: "Password-1",
        });
      });

      it("test a credential, and say what is wrong with it", async () => {
        expect(await testCredential(caller.key)).to.include({ status: "OK" });
        expect(await testCredential("pk_wrong")).to.eql({
          status: "Error",
          message: "Platen does not know this API key, or it was revoked",
        });
      });

      it("are offered with their icons, and Platen as a tool of AI agents too", async () => {
        const list = await fetch(`http://127.0.0.1:${port}/types/nodes.json`, {
          headers: session,
        });
        const types = z.array(
          z.looseObject({
            name: z.string(),
            iconUrl: z.unknown().optional(),
            codex: z.unknown().optional(),
          }),
        );
        const own = types
          .parse(await list.json())
          .filter(({ name }) => name.startsWith("n8n-nodes-platen."));
        expect([...new Set(own.map(({ name }) => name))]).to.have.members([
          "n8n-nodes-platen.platen",
          "n8n-nodes-platen.platenTool",
          "n8n-nodes-platen.platenTrigger",
        ]);
        for (const { name, iconUrl, codex } of own) {
          expect(codex, name).to.have.property("categories");
          const { light, dark } = z
            .object({ light: z.string(), dark: z.string() })
            .parse(iconUrl);
          for (const path of [light, dark]) {
            const icon = await fetch(`http://127.0.0.1:${port}/${path}`);
            expect(await icon.text(), path).to.match(/^<svg /);
          }
        }
      });

      it("offer templates and the fields of the chosen one", async () => {
        const request = {
          path: "parameters.templateId",
          nodeTypeAndVersion: { name: "n8n-nodes-platen.platen", version: 1 },
          currentNodeParameters: {
            resource: "document",
            operation: "render",
            ...chosen(),
          },
          credentials: { platenApi: { id: "c1", name: "Platen" } },
        };
        const list = "/dynamic-node-parameters/resource-locator-results";
        const found = await call("POST", list, {
          ...request,
          methodName: "searchTemplates",
          filter: "invoice",
        });
        expect(found).to.eql({
          results: [
            {
              name: "Invoice",
              value: templateId,
              url: `${service.url}/studio/templates/${templateId}`,
            },
          ],
        });
        const map = "/dynamic-node-parameters/resource-mapper-fields";
        const { fields } = z
          .object({ fields: z.array(z.looseObject({})) })
          .parse(
            await call("POST", map, {
              ...request,
              path: "parameters.fields",
              methodName: "getTemplateFields",
            }),
          );
        expect(fields).to.eql(
          [
            ["number", "Number", "string", true],
            ["total", "total", "number", false],
            ["lines", "lines", "array", false],
          ].map(([id, displayName, type, required]) => ({
            id,
            displayName,
            type,
            required,
            defaultMatch: false,
            display: true,
          })),
        );
      });

      it("start a workflow when a batch is completed, and never for forged messages", async () => {
        const { versionId } = z
          .looseObject({ versionId: z.string() })
          .parse(await call("GET", "/workflows/ontrigger"));
        await call("POST", "/workflows/ontrigger/activate", { versionId });
        const listEndpoints = async () =>
          (await readWebhooks(await caller.get("/api/webhooks"))).data;
        const { url, events } = await until(
          "n8n registers the endpoint",
          async () => (await listEndpoints())[0],
        );
        expect(events).to.eql(["documents.completed"]);
        expect(url).to.match(new RegExp(`^http://127.0.0.1:${port}/webhook/`));

        const { batchId, documents } = await sendBatch(caller, {
          templateId,
          formats: ["pdf"],
          items: [{ data: { number: "C-1" } }],
        });
        const report = await until(
          "the workflow reports",
          async () => bodies[0],
        );
        expect(report).to.have.nested.property("event.data.batchId", batchId);
        expect(report).to.include({
          id: documents[0]?.id,
          file: "Order C-1.pdf",
        });
        const forged = await fetch(url, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "webhook-id": "msg_1",
            "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
            "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
          },
          body: JSON.stringify({ type: "documents.completed", data: {} }),
        });
        expect(forged.status).to.equal(400);
        expect(await forged.text()).to.match(/no valid signature/);

        expect(bodies).to.have.length(1);

        await call("POST", "/workflows/ontrigger/deactivate", {});
        await until(
          "n8n deletes the endpoint",
          async () => (await listEndpoints()).length === 0,
        );
      });
    });
  });
