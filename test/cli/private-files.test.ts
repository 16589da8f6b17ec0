import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Finding } from "../../core/cli/services.js";
import { eventually } from "../support/eventually.js";
import { TestService } from "../support/service.js";
import { startServiceProcess } from "../support/service-process.js";
import { type Cli, cliOn, json } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";

const mode = (path: string) => lstatSync(path).mode & 0o777;

/** What other users can read or write, with everything below. */
function findOpen(path: string): string[] {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return [];
  const inner = found.isDirectory() ? readdirSync(path) : [];
  return [
    ...((found.mode & 0o077) === 0 ? [] : [path]),
    ...inner.flatMap((name) => findOpen(join(path, name))),
  ];
}

/** A folder that others can read, as an administrator or an image may have created it. */
function openFolder(name: string): string {
  mkdirSync(name, { recursive: true });
  chmodSync(name, 0o755);
  return name;
}

function openFile(path: string): string {
  writeFileSync(path, "");
  chmodSync(path, 0o644);
  return path;
}

const create = (cli: Cli) =>
  json(cli, "org", "create", "--name=N", "--plan=pro");

const examine = async (cli: Cli, ...options: string[]) => {
  const { stdout } = await cli("doctor", "--json", ...options);
  const findings: Finding[] = JSON.parse(stdout);
  return findings.find(({ check }) => check === "permissions");
};

describe("the files of the service", () => {
  const folder = suiteFolder();
  const within = (name: string) => join(folder, name);

  it("are closed to other users whatever the umask is, in a data folder that others could read", async () => {
    const data = openFolder(within("first"));
    const umask = process.umask(0);
    const service = startServiceProcess({
      PLATEN_DATA: data,
      PLATEN_DEMO: "on",
    });
    process.umask(umask);
    await service.url;
    expect(mode(data)).to.equal(0o700);
    expect(mode(join(data, "platen.sqlite"))).to.equal(0o600);
    expect(readdirSync(data)).to.include.members([
      "platen.sqlite-wal",
      "platen.sqlite-shm",
      "files",
      "secret",
      "demo-invoice.json",
    ]);
    await eventually(() => findOpen(data).length === 0);
    service.kill("SIGTERM");
    await service.ended;
    expect(findOpen(data)).to.deep.equal([]);
  });

  it("are closed again by a start after somebody opened them", async () => {
    const data = openFolder(within("opened"));
    await create(cliOn(data));
    openFolder(data);
    chmodSync(join(data, "platen.sqlite"), 0o666);
    openFolder(join(data, "files", "outputs", "aa"));
    openFolder(join(data, "files", "outputs"));
    openFile(join(data, "files", "outputs", "aa", "invoice.pdf"));
    openFile(join(data, "platen.sqlite-wal"));
    const service = new TestService(data, {});
    await service.start();
    expect(mode(join(data, "platen.sqlite"))).to.equal(0o600);
    await eventually(() => findOpen(data).length === 0);
    await service.stop();
  });

  it("are closed when a command creates them, also in a folder that is a link", async () => {
    const data = openFolder(within("command"));
    symlinkSync(data, within("link"));
    await create(cliOn(within("link")));
    expect(readdirSync(data)).to.include("platen.sqlite");
    expect(findOpen(data)).to.deep.equal([]);
  });

  it("include a database outside the data folder, whose folder stays as it is", async () => {
    const elsewhere = openFolder(within("elsewhere"));
    const file = join(elsewhere, "platen.db");
    const variables = { PLATEN_DATABASE_URL: `sqlite:${file}` };
    await create(cliOn(within("with-database"), variables));
    expect(mode(file)).to.equal(0o600);
    expect(mode(elsewhere)).to.equal(0o755);
  });

  it("are reported by doctor when they are open, and closed by doctor --fix", async () => {
    const data = within("doctor");
    const cli = cliOn(data);
    await create(cli);
    expect(await examine(cli)).to.include({ state: "ok", fix: null });
    openFolder(join(data, "files", "outputs"));
    openFile(join(data, "files", "outputs", "invoice.pdf"));
    openFile(join(data, "demo-key.txt"));
    openFolder(data);
    const open = await examine(cli);
    expect(open?.state).to.equal("warn");
    expect(open?.message)
      .to.contain(join(data, "demo-key.txt"))
      .and.contain("invoice.pdf");
    expect(open?.fix).to.contain("platen doctor --fix");
    expect(mode(data)).to.equal(0o755);
    const fixed = await examine(cli, "--fix");
    expect(fixed?.state).to.equal("ok");
    expect(fixed?.message).to.contain("demo-key.txt");
    expect(findOpen(data)).to.deep.equal([]);
  });

  it("do not include what others put there: links, plugins and databases", async () => {
    const data = openFolder(within("others"));
    const plugin = openFolder(join(data, "plugins", "mine"));
    const databases = openFolder(join(data, "databases"));
    const database = openFile(join(databases, "a.db"));
    const target = openFile(within("target"));
    symlinkSync(target, join(data, "demo-key.txt"));
    await examine(cliOn(data), "--fix");
    expect(mode(data)).to.equal(0o700);
    expect(mode(plugin)).to.equal(0o755);
    for (const path of [database, target]) expect(mode(path)).to.equal(0o644);
  });

  it("are closed one by one in a folder that everybody may write to, such as /tmp", async () => {
    const data = openFolder(within("shared"));
    chmodSync(data, 0o1777);
    await create(cliOn(data));
    expect(mode(data)).to.equal(0o777);
    expect(mode(join(data, "platen.sqlite"))).to.equal(0o600);
  });
});
