import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { Plugins } from "../../../core/integrations/host/index.js";
import {
  platformCode,
  pluginFolder,
  pluginProcesses,
  type WrittenPlugin,
} from "../../support/plugin-folder.js";
import { silentLog } from "../../support/recording-log.js";
import { suiteFolder } from "../../support/store-folder.js";

const good = { name: "good" };

/** The time is for one that never finishes loading: others are to have enough. */
const processes = pluginProcesses({ maxLoadMs: 3000 });

/** What is installed when `folder` is the plugin folder. */
function installed(folder: string, names: readonly string[] = []): Plugins {
  return new Plugins({
    shipped: [],
    places: { names, folder, roots: [folder] },
    processes,
    platenVersion: "0.1.0",
    log: silentLog,
  });
}

const mark = join(suiteFolder(), "it ran");
const runs = `import { existsSync, writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "");`;
const without = (part: string) => platformCode("bad").replace(part, "gone_$&");

const broken: [what: string, plugin: Partial<WrittenPlugin>, said: string][] = [
  ["throws", { code: 'throw new Error("no disk");' }, "no disk"],
  ["does not parse", { code: "export const plugin = ;" }, "failed to load"],
  [
    "never finishes loading",
    { code: "await new Promise(() => {});" },
    "within",
  ],
  ["exports no plugin", { code: "export const x = 1;" }, "exports no `plugin`"],
  ["has no fetchRows", { code: without("fetchRows(") }, "plugin.fetchRows"],
  ["has no rate", { code: without("rate:") }, "plugin.rate"],
  [
    "has an invalid schema",
    { code: platformCode("bad").replace('"object"', '"thing"') },
    "failed to load",
  ],
  [
    "has another id than its package.json",
    { code: platformCode("other") },
    '"other"',
  ],
];

const incompatible: [what: string, platen: object, said: string][] = [
  ["a newer contract", { api: 2 }, "Update Platen."],
  ["an older contract", { api: 0 }, "Update the plugin."],
  ["a newer Platen", { platen: "^3.0.0" }, "Update Platen."],
  ["an older Platen", { platen: "<0.1.0" }, "Update the plugin."],
  ["an invalid version range", { platen: "new ones" }, "no semver range"],
  ["another kind", { kind: "file-store" }, "only platforms"],
  ["an invalid id", { id: "A B" }, "package.json"],
];

describe("an installed plugin", () => {
  it("is ready if it is in the plugin folder or configured", async () => {
    const elsewhere = pluginFolder({ name: "named" });
    const plugins = installed(pluginFolder(good), [join(elsewhere, "named")]);
    const all = await plugins.list();
    expect(all.map(({ id, state }) => [id, state])).to.deep.equal([
      ["named", "ready"],
      ["good", "ready"],
    ]);
    expect(all[1]).to.include({ version: "1.2.3", reason: null });
  });

  it("is found as a package by name", async () => {
    const folder = pluginFolder({ name: "node_modules/platen-plugin-a" });
    const [only] = await installed(folder, ["platen-plugin-a"]).list();
    // Its package.json says the folder's name, which is no id: it is found, and read.
    expect(only?.reason).to.contain("package.json");
  });

  for (const [description, plugin, message] of broken)
    it(`that ${description} is listed with the reason, and the others run`, async () => {
      const bad = { name: "bad", ...plugin };
      const plugins = installed(pluginFolder(bad, good));
      const [first, second] = await plugins.list();
      expect(first).to.include({ id: "bad", state: "broken" });
      expect(first?.reason).to.contain(message);
      expect(second).to.include({ id: "good", state: "ready" });
      expect((await plugins.find("platform", "good"))?.loaded).to.not.equal(
        null,
      );
    });

  for (const [description, platen, message] of incompatible)
    it(`for ${description} is rejected, and none of its code runs`, async () => {
      const bad = { name: "bad", platen: { ...platen }, code: runs };
      const [only] = await installed(pluginFolder(bad)).list();
      expect(only?.state).to.equal("broken");
      expect(only?.reason).to.contain(message);
      expect(existsSync(mark)).to.equal(false);
    });

  it("keeps its id, and a second one with it is rejected", async () => {
    const duplicate = { name: "twin", platen: { id: "good" } };
    const all = await installed(pluginFolder(good, duplicate)).list();
    expect(all.map(({ state }) => state)).to.deep.equal(["ready", "broken"]);
    expect(all[1]?.reason).to.contain("Remove one of them");
  });

  it("that does not exist is listed with the command to install it", async () => {
    const names = ["platen-plugin-gone", "./nowhere"];
    const [name, path] = await installed(pluginFolder(), names).list();
    expect(name?.reason).to.contain("npm install");
    expect(path?.reason).to.contain("nowhere");
  });

  it("whose package.json cannot be read is listed with its path", async () => {
    const folder = pluginFolder({ name: "bad" });
    writeFileSync(join(folder, "bad", "package.json"), "{");
    const [only] = await installed(folder).list();
    expect(only?.reason).to.contain(join("bad", "package.json"));
  });
});
