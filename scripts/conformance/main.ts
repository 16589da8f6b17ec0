import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runAuthorizationSuite } from "./authorization.js";
import { startFixtureService } from "./fixture-service.js";
import { startKeyProxy } from "./key-proxy.js";

// `npm run test:conformance`: the protocol's own suites and the inspector against the running tool server. Each entry of
// the baselines has its reason beside it; what fails and is not there, or is there and passes, fails the run.

const folder = fileURLToPath(new URL("./", import.meta.url));
const packages = `${folder}node_modules/`;

async function run(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

/** They are no part of the service, so they are installed when they are first needed. */
async function install(): Promise<void> {
  if (existsSync(`${packages}conformance-next`)) return;
  const code = await run("npm", ["ci", "--ignore-scripts", "--no-audit"]);
  if (code !== 0) throw new Error("The suites cannot be installed.");
}

/** The checks in their order, by name, each with the arguments of Node. */
function checks(url: string, service: { url: string; key: string }) {
  return { ...suites(url), ...inspections(service) };
}

function suites(url: string) {
  const suite = (name: string, ...rest: string[]) => [
    `${packages}${name}/dist/index.js`,
    "server",
    "--url",
    `${url}/mcp`,
    ...rest,
  ];
  return {
    "conformance, active suite": suite(
      "@modelcontextprotocol/conformance",
      "--suite",
      "active",
      "--expected-failures",
      `${folder}baseline.yml`,
    ),
    "conformance, requirements of 2026-07-28": suite(
      "conformance-next",
      "--requirements",
      "2026-07-28",
      "--expected-failures",
      `${folder}baseline-2026-07-28.yml`,
    ),
  };
}

function inspections({ url, key }: { url: string; key: string }) {
  const inspect = (...rest: string[]) => [
    `${packages}@modelcontextprotocol/inspector/clients/launcher/build/index.js`,
    "--cli",
    `${url}/mcp`,
    "--transport",
    "http",
    "--header",
    `x-api-key: ${key}`,
    ...rest,
  ];
  return {
    "inspector, strict list": inspect("--method", "tools/list", "--strict"),
    "inspector, call": inspect(
      "--method",
      "tools/call",
      "--tool-name",
      "list_templates",
      "--tool-arg",
      "pageSize=1",
    ),
  };
}

await install();
const service = await startFixtureService();
const proxy = await startKeyProxy(service.url, service.key);
const failed: string[] = [];
try {
  for (const [name, args] of Object.entries(checks(proxy.url, service))) {
    process.stdout.write(`\n${name}\n`);
    if ((await run(process.execPath, args)) !== 0) failed.push(name);
  }
  const name = "conformance, authorization server";
  process.stdout.write(`\n${name}\n`);
  const suite = `${packages}conformance-next/dist/index.js`;
  if ((await runAuthorizationSuite(suite, service)) !== 0) failed.push(name);
} finally {
  await proxy.close();
  await service.stop();
}
process.stdout.write(
  failed.length === 0
    ? "\nThe tool server conforms.\n"
    : `\nFailed: ${failed.join("; ")}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
