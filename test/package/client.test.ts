import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { newBatchCaller } from "../support/batches.js";
import { packPackage } from "../support/pack.js";
import { useService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";

// The packed client, installed into an empty folder as its users do, on each runtime that it names. Run by
// `npm run test:package`, since it downloads.

const folder = suiteFolder();
const installed = join(folder, "shop");
const packages = join(installed, "node_modules");

const program = `
import { Platen, PlatenApiError } from "@platen/client";

const [baseUrl, apiKey, templateId, file] = process.argv.slice(2);
const platen = new Platen({ baseUrl, apiKey });
const { pdf } = await platen.render(templateId, {});
await pdf.save(file);
const items = async function* () {
  for (let at = 0; at < 3; at += 1) yield { data: {} };
};
const job = platen.batches.create({ templateId, formats: ["html"], items });
const { counts } = await job.wait({ interval: 500 });
const asset = await platen.assets.upload(
  new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>']).stream(),
  { name: "box.svg" },
);
const error = await platen.documents.get("doc_0").catch((reason) => reason);
console.log(counts.succeeded, asset.name, error instanceof PlatenApiError && error.status);
`;
const onEdge = `
const { EdgeRuntime } = require("edge-runtime");
const { buildSync } = require(${JSON.stringify(createRequire(import.meta.url).resolve("esbuild"))});
const [baseUrl, apiKey, templateId] = process.argv.slice(2);
const { outputFiles } = buildSync({
  stdin: { contents: 'export * from "@platen/client"', resolveDir: ${JSON.stringify(installed)} },
  bundle: true, write: false, format: "iife", globalName: "client",
});
const runtime = new EdgeRuntime();
runtime.evaluate(outputFiles[0].text + \`;globalThis.work = (async () => {
  const platen = new client.Platen({ baseUrl: "\${baseUrl}", apiKey: "\${apiKey}" });
  const { pdf } = await platen.render("\${templateId}", {});
  return new TextDecoder().decode((await pdf.bytes()).slice(0, 5));
})()\`);
runtime.context.work.then((text) => console.log(text));
`;

const run = async (command: string, ...args: string[]) =>
  (await promisify(execFile)(command, args, { cwd: installed })).stdout;

describe("the installed client", () => {
  const service = useService();
  let args: string[] = [];

  before(async () => {
    mkdirSync(installed, { recursive: true });
    const packed = packPackage("sdk", folder);
    execFileSync(
      "npm",
      [
        "install",
        "--ignore-scripts",
        "--no-audit",
        packed,
        "deno@2.9.6",
        "bun@1.4.5",
        "edge-runtime@4.0.1",
      ],
      { cwd: installed, stdio: "ignore" },
    );
    writeFileSync(join(installed, "program.mjs"), program);
    writeFileSync(join(installed, "edge.cjs"), onEdge);
    const caller = await newBatchCaller(service);
    const templateId = await caller.publish();
    args = [service.url, caller.key, templateId];
  });

  const arch = process.arch === "arm64" ? "aarch64" : process.arch;
  const runtimes: Record<string, string[]> = {
    Node: [process.execPath],
    Deno: [join(packages, `@deno/linux-${process.arch}-glibc/deno`), "-A"],
    Bun: [join(packages, `@oven/bun-linux-${arch}/bin/bun`)],
  };
  for (const [name, [command = "", ...options]] of Object.entries(runtimes))
    it(`renders, makes a batch of a stream and uploads a stream on ${name}`, async () => {
      const file = join(installed, `${name}.pdf`);
      const out = await run(command, ...options, "program.mjs", ...args, file);
      expect(out).to.equal("3 box.svg 404\n");
      expect(readFileSync(file, "latin1")).to.match(/^%PDF-1/);
    });

  it("renders on an edge runtime", async () => {
    expect(await run(process.execPath, "edge.cjs", ...args)).to.equal(
      "%PDF-\n",
    );
  });

  it("can be required", async () => {
    const code = `console.log(typeof require("@platen/client").Platen)`;
    expect(await run(process.execPath, "-e", code)).to.equal("function\n");
  });

  it("has a command that writes the types of templates", async () => {
    const [url = "", key, templateId = ""] = args;
    const { stdout } = await promisify(execFile)(
      join(packages, ".bin", "platen-types"),
      ["--url", url, "--template", templateId],
      { cwd: installed, env: { ...process.env, PLATEN_API_KEY: key } },
    );
    expect(stdout).to.include(`"${templateId}": LetterData;`);
  });
});
