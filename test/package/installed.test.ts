import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect } from "chai";
import { z } from "zod";
import { getPackageInfo } from "../../core/lib/package-info.js";
import { eventually } from "../support/eventually.js";
import { suiteFolder } from "../support/store-folder.js";

// The packed file, installed into an empty folder as its users do, and run by every Node that Platen supports and by
// some that it does not. Run by `npm run test:package`, since it downloads.

const root = getPackageInfo().folder;
const folder = suiteFolder();
const installed = join(folder, "an empty folder");
const program = join(installed, "node_modules/platen/dist/core/cli/main.js");
const data = z.looseObject({
  formats: z.array(z.string()),
  templateId: z.string(),
});

/** The binary of a Node of this version, from the registry. */
function nodeBinary(version: string): string {
  if (version === process.versions.node) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(root, ".cache", `node-${version}`);
  const binary = join(prefix, "node_modules", name, "bin/node");
  if (!existsSync(binary))
    execFileSync(
      "npm",
      [
        "install",
        `${name}@${version}`,
        "--prefix",
        prefix,
        "--ignore-scripts",
        "--loglevel=error",
      ],
      { stdio: "ignore" },
    );
  return binary;
}

const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(PLATEN|npm)_/.test(name)),
);

interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

function run(node: string, ...args: string[]): Promise<Output> {
  return promisify(execFile)(node, [program, ...args], {
    cwd: installed,
    env: { ...env, PATH: [dirname(node), env.PATH].join(delimiter) },
  }).then(
    (output) => ({ code: 0, ...output }),
    (error: Output) => error,
  );
}

before(() => {
  mkdirSync(installed);
  const packed = execFileSync(
    "npm",
    ["pack", "--ignore-scripts", "--json", "--pack-destination", folder],
    { cwd: root, stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" },
  );
  const filename = /"filename": "([^"]+)"/.exec(packed)?.[1] ?? "";
  execFileSync("npm", ["install", "--ignore-scripts", join(folder, filename)], {
    cwd: installed,
    stdio: "ignore",
    env,
  });
});

for (const version of ["22.14.0", process.versions.node, "26.10.0"])
  describe(`the installed package on Node ${version}`, () => {
    const dataFolder = join(installed, "data");

    it("prints its version, and its help when no command is given", async () => {
      const node = nodeBinary(version);
      const { version: own } = getPackageInfo();
      expect(await run(node, "--version")).to.include({ stdout: `${own}\n` });
      const help = await run(node);
      expect(help.stdout + help.stderr).to.match(/Usage: platen/);
    });

    it("starts with its data in ./data, renders a PDF and a batch, and stops", async () => {
      const node = nodeBinary(version);
      const child = spawn(node, [program, "start"], {
        cwd: installed,
        env: { ...env, PLATEN_PORT: "0", PLATEN_LOG_FORMAT: "json" },
        stdio: ["ignore", "pipe", "ignore"],
      });
      const url = await readyUrl(createInterface(child.stdout));
      child.stdout.resume();
      const key = readFileSync(join(dataFolder, "demo-key.txt"), "utf8").trim();
      const call = createCalls(url, key);

      const invoice = data.parse(
        JSON.parse(readFileSync(join(dataFolder, "demo-invoice.json"), "utf8")),
      );
      const made = await call("/api/export", invoice);
      const pdf = z.looseObject({ pdf: z.looseObject({ url: z.string() }) });
      const bytes = await fetch(pdf.parse(made).pdf.url);
      expect(
        Buffer.from(await bytes.arrayBuffer()).toString("latin1"),
      ).to.match(/^%PDF-1/);

      const docs = await fetch(`${url}/docs`);
      expect(await docs.text()).to.include("Platen documentation");

      const { templateId } = invoice;
      const accepted = await call("/api/export/batch", {
        templateId,
        formats: ["html"],
        items: [{ data: {} }, { data: {} }, { data: {} }],
      });
      const { batchId } = z
        .looseObject({ batchId: z.string() })
        .parse(accepted);
      await eventually(async () => {
        const batch = await call(`/api/batches/${batchId}`);
        return JSON.stringify(batch).includes('"status":"completed"');
      });

      child.kill("SIGTERM");
      expect(await once(child, "exit")).to.eql([0, null]);
    });

    it("lists organizations and renders a file", async () => {
      const node = nodeBinary(version);
      const list = await run(node, "org", "list", "--json");
      const [organization] = z
        .array(z.looseObject({ id: z.string() }))
        .parse(JSON.parse(list.stdout));
      const { templateId } = data.parse(
        JSON.parse(readFileSync(join(dataFolder, "demo-invoice.json"), "utf8")),
      );
      const rendered = await run(
        node,
        "render",
        "--org",
        organization?.id ?? "",
        "--template",
        templateId,
        "--out",
        `invoice-${version}.pdf`,
      );
      expect(rendered, rendered.stderr).to.include({ code: 0 });
      const file = readFileSync(join(installed, `invoice-${version}.pdf`));
      expect(file.toString("latin1")).to.match(/^%PDF-1/);
    });
  });

for (const version of ["18.20.8", "20.20.2", "21.7.3", "23.9.0"])
  it(`on Node ${version} the installed package says which Node it needs, and fetches nothing`, async () => {
    const { code, stdout, stderr } = await run(nodeBinary(version), "start");
    expect({ code, stdout }).to.eql({ code: 1, stdout: "" });
    expect(stderr).to.match(/Node 22\.14/);
    expect(stderr.trim().split("\n")).to.have.length(1);
  });

it("on Node 20 the program of a clone continues on a supported Node", async () => {
  const cloned = join(root, "dist/core/cli/main.js");
  const { stdout } = await promisify(execFile)(nodeBinary("20.20.2"), [
    cloned,
    "--version",
  ]);
  expect(stdout).to.equal(`${getPackageInfo().version}\n`);
});

async function readyUrl(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const url = /"url":"([^"]+)".*"msg":"platen is ready"/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error("it ended before it was ready");
}

function createCalls(url: string, key: string) {
  return async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(url + path, {
      method: body ? "POST" : "GET",
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status, await response.clone().text()).to.be.below(300);
    return response.json();
  };
}
