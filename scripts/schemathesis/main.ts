import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { startFixtureService } from "../conformance/fixture-service.js";

// `npm run test:openapi`: Schemathesis sends what the OpenAPI document allows, and what it does not, to a running service
// and checks each answer against the document: its status, headers and body, and that nothing is an unexpected 500.
// Needs Python 3.10 or later with venv; installs the rest into .cache.

const version = "4.32.5";
const folder = join(".cache", "schemathesis");
const bin = join(folder, "bin");

async function run(command: string, ...args: string[]): Promise<number> {
  const child = spawn(command, args, { stdio: "inherit" });
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

async function install(): Promise<void> {
  const mark = join(folder, `installed-${version}`);
  if (existsSync(mark)) return;
  const isInstalled =
    (await run("python3", "-m", "venv", folder)) === 0 &&
    (await run(
      join(bin, "pip"),
      "install",
      "--quiet",
      `schemathesis==${version}`,
    )) === 0;
  if (!isInstalled)
    throw new Error(
      "Schemathesis cannot be installed. It needs Python 3.10 or later with the module venv.",
    );
  await writeFile(mark, "");
}

const withId = z.looseObject({ id: z.string() });

/** Creates one of each resource, so that requests for them get further than 404. @returns their ids by parameter. */
async function createResources(
  url: string,
  key: string,
): Promise<Record<string, string>> {
  const post = async <T extends z.ZodType>(
    path: string,
    body: object,
    schema: T,
  ): Promise<z.output<T>> => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return schema.parse(await response.json());
  };
  const { id: templateId } = await post(
    "/api/templates",
    { name: "Invoice", blueprint: "invoice" },
    withId,
  );
  const send = { method: "PATCH", body: JSON.stringify({ isActive: true }) };
  await fetch(`${url}/api/templates/${templateId}`, {
    ...send,
    headers: { "x-api-key": key, "content-type": "application/json" },
  });
  const batch = await post(
    "/api/export/batch",
    { templateId, formats: ["html"], items: [{ data: {} }] },
    z.looseObject({
      batchId: z.string(),
      documents: z.array(withId),
    }),
  );
  const webhook = await post(
    "/api/webhooks",
    { url: "https://shop.example.com/platen" },
    withId,
  );
  const delivery = await post(`/api/webhooks/${webhook.id}/test`, {}, withId);
  const folderRow = await post(
    "/api/folders",
    { name: "Letters", kind: "template" },
    withId,
  );
  const asset = await post(
    "/api/assets",
    { name: "dot.png", base64Data: redPixel },
    withId,
  );
  return {
    templateId,
    batchId: batch.batchId,
    documentId: batch.documents[0]?.id ?? "",
    webhookId: webhook.id,
    deliveryId: delivery.id,
    folderId: folderRow.id,
    assetId: asset.id,
    platform: "sql",
    platformId: "sql",
    providerId: "demo-esign",
  };
}

const redPixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

const checks = [
  // Platforms, and hosts of files, that cannot be reached from here.
  "[checks.not_a_server_error]",
  'expected-statuses = ["2xx", "3xx", "4xx", 503]',
  // The service also checks what a schema cannot express, such as ids of resources.
  "[checks.positive_data_acceptance]",
  "enabled = false",
  "[checks.negative_data_rejection]",
  "enabled = false",
  // `/api/templates/…/restore` is a template's version to other methods.
  "[checks.allow_header_conformance]",
  "enabled = false",
];

/** Whether the service meets its document, with the parameters that are given and others at random. */
async function check(
  url: string,
  key: string,
  parameters: Record<string, string>,
  ...args: string[]
): Promise<boolean> {
  const config = join(folder, "run", "schemathesis.toml");
  await mkdir(join(folder, "run"), { recursive: true });
  const lines = Object.entries(parameters).map(
    ([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`,
  );
  await writeFile(config, [...checks, "[parameters]", ...lines, ""].join("\n"));
  const code = await run(
    join(bin, "schemathesis"),
    "--config-file",
    config,
    "run",
    `${url}/openapi.json`,
    "--header",
    `x-api-key: ${key}`,
    "--suppress-health-check",
    "all",
    "--generation-database",
    "none",
    "--continue-on-failure",
    "--no-shrink",
    ...args,
  );
  return code === 0;
}

const exclude = [
  "exportDocument",
  "exportBatch",
  "createTemplate",
  "redefineTemplate",
].flatMap((id) => ["--exclude-operation-id", id]);

await install();
const service = await startFixtureService();
const results: boolean[] = [];
try {
  const ids = await createResources(service.url, service.key);
  const { url, key } = service;
  const rest = process.argv.slice(2);
  const fuzz = ["--phases", "examples,fuzzing", "-n", "20", ...rest];
  // Of every value at its limits. Those with a definition or options of rendering have too many.
  const coverage = ["--phases", "coverage", ...rest, ...exclude];
  // What is deleted is missing afterwards, so deletion comes last.
  results.push(
    await check(url, key, ids, ...fuzz, "--exclude-method", "DELETE"),
    await check(url, key, ids, ...fuzz, "--include-method", "DELETE"),
    await check(url, key, {}, ...fuzz),
    await check(url, key, {}, ...coverage),
  );
} finally {
  await service.stop();
}
process.stdout.write(
  results.every(Boolean)
    ? "\nThe service meets its OpenAPI document.\n"
    : "\nThe service does not meet its OpenAPI document.\n",
);
process.exitCode = results.every(Boolean) ? 0 : 1;
