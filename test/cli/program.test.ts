import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import { nodeProblem } from "../../core/cli/node-version.js";
import type { Finding } from "../../core/cli/services.js";
import { listCells } from "../support/rows.js";
import {
  type Cli,
  cliOn,
  cliProcessOn,
  createOrganization,
  json,
} from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";
import { textTemplate, writeFiles } from "../support/template-files.js";

describe("platen", () => {
  const folder = suiteFolder();
  const cli = cliOn(folder);

  it("shows help when it is called without arguments or with --help", async () => {
    const { code, stdout, stderr } = await cli();
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: "" });
    expect(await cli("--help")).to.deep.equal({ code, stdout, stderr });
    expect(stdout).to.match(/^ {2}render +Render a document to a file/m);
  });

  it("has these exit codes as a process too", async () => {
    const started = cliProcessOn(folder);
    const [done, rejected, wrong] = await Promise.all([
      started("org", "list"),
      started("org", "create", "--name=N", "--plan=gold"),
      started("orgs"),
    ]);
    expect([done.code, rejected.code, wrong.code]).to.deep.equal([0, 1, 2]);
    expect(wrong.stderr).to.include("unknown command 'orgs'");
  });

  it("refuses a file of JSON that is not UTF-8, with the position of the byte", async () => {
    writeFiles(folder, {
      "latin.json": Buffer.from('{ "name": "Gr\u00f6\u00dfe" }', "latin1"),
    });
    const file = join(folder, "latin.json");
    const org = await createOrganization(cli);
    const { code, stderr } = await cli(
      "template",
      "import",
      file,
      "--org",
      org,
    );
    expect(code).to.equal(1);
    expect(stderr).to.contain(
      `The file ${file} is not UTF-8: the byte 0xF6 at position 13 `,
    );
  });

  it("reads a file of JSON in UTF-16, with and without a byte order mark", async () => {
    const org = await createOrganization(cli);
    const text = JSON.stringify(
      textTemplate("Größe", "Größe {{ root.number }}"),
    );
    const little = Buffer.from(text, "utf16le");
    writeFiles(folder, {
      "mark.json": Buffer.from(`\uFEFF${text}`, "utf16le"),
      "little.json": little,
      "big.json": Buffer.from(little).swap16(),
      "cut.json": little.subarray(0, -1),
    });
    for (const name of ["mark", "little", "big"]) {
      const file = join(folder, `${name}.json`);
      const { code } = await cli("template", "import", file, "--org", org);
      expect(code, name).to.equal(0);
    }
    const { stdout } = await cli("template", "list", "--org", org);
    expect(stdout.match(/Größe/g)).to.have.length(3);
    const cut = join(folder, "cut.json");
    const { code, stderr } = await cli("template", "import", cut, "--org", org);
    expect(code).to.equal(1);
    expect(stderr).to.contain(`The file ${cut} is not valid UTF-16.`);
  });

  it("prints a JSON Schema that accepts template files and finds mistakes in them", async () => {
    const { stdout } = await cli("template", "schema");
    const accepts = new Ajv2020({ strict: false }).compile(JSON.parse(stdout));
    const letter = textTemplate("Letter", "Letter {{ root.number }}");
    expect(accepts(letter), JSON.stringify(accepts.errors)).to.equal(true);
    expect(accepts({ $schema: "../template.schema.json" })).to.equal(true);
    const components = [{ type: "tabel" }];
    expect(accepts({ definition: { components } })).to.equal(false);
    expect(accepts({ ...letter, components })).to.equal(false);
  });

  it("supports Node 22.14 and newer, except 23", () => {
    const supported = ["22.14.0", "22.23.0", "24.0.0", "25.1.0", "26.10.0"];
    const unsupported = ["18.20.8", "20.20.2", "22.13.1", "23.11.0"];
    expect(supported.filter((one) => nodeProblem(one) !== null)).to.eql([]);
    expect(unsupported.filter((one) => nodeProblem(one) === null)).to.eql([]);
    expect(nodeProblem("20.20.2")).to.match(
      /^platen needs Node 22\.14 or newer, but this is Node 20\.20\.2: .+$/,
    );
    expect(nodeProblem("23.11.0")).to.include("end of life");
  });
});

async function examine(on: Cli) {
  const { code, stdout } = await on("doctor", "--json");
  const findings: Finding[] = JSON.parse(stdout);
  const failed = findings.filter(({ state }) => state === "fail");
  return { code, findings, failed: failed.map(({ check }) => check) };
}

describe("platen doctor", () => {
  const folder = suiteFolder();
  const cli = cliOn(folder);
  before(async () => {
    const org = await createOrganization(cli);
    const url = "--url=https://receiver.example/hook";
    await json(cli, "webhook", "create", `--org=${org}`, url);
  });

  it("reports no failure on a working installation and lists each part", async () => {
    const { code, findings, failed } = await examine(cli);
    expect({ code, failed }).to.deep.equal({ code: 0, failed: [] });
    expect(findings.map(({ check }) => check)).to.include.members(
      listCells(`
      configuration | data folder | secret | database | clock | queue | webhooks | saved secrets | file store
      browser | plugins
    `),
    );
  });

  it("reports what fails and how to fix it, and exits with 1", async () => {
    const { code, findings, failed } = await examine(
      cliOn(folder, {
        PLATEN_SECRET: "another secret than the one that saved it",
        PUPPETEER_EXECUTABLE_PATH: "/bin/false",
        PLATEN_FILE_STORE: "tape://drive",
      }),
    );
    expect(code).to.equal(1);
    expect(failed).to.deep.equal(["saved secrets", "file store", "browser"]);
    for (const { state, fix } of findings)
      if (state === "fail") expect(fix).to.be.a("string");
  });
});
