import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { Plugins } from "../../../core/integrations/host/index.js";
import {
  platformCode,
  pluginFolder,
  pluginProcesses,
  type WrittenPlugin,
} from "../../support/plugin-folder.js";
import { silentLog } from "../../support/recording-log.js";
import { readRows } from "../../support/rows.js";
import { suiteFolder } from "../../support/store-folder.js";

const good = { name: "good" };

/** As long as a test may take. */
const patient = pluginProcesses({ maxLoadMs: 120_000 });
const impatient = pluginProcesses({ maxLoadMs: 10 });

/** What is installed when `folder` is the plugin folder. */
function installed(
  folder: string,
  names: readonly string[] = [],
  processes = patient,
): Plugins {
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

const broken: [what: string, plugin: Partial<WrittenPlugin>, said: string][] = [
  ["throws", { code: 'throw new Error("no disk");' }, "no disk"],
  [
    "does not parse",
    { code: "export const plugin = ;" },
    "Unexpected token ';'",
  ],
  [
    "exports no plugin",
    { code: "export const x = 1;" },
    "its module exports no `plugin`",
  ],
  [
    "has another id than its package.json",
    { code: platformCode("other") },
    'its id is "other", but its package.json says "bad"',
  ],
];

const incompatible = readRows(`
  a newer contract | {"api":2} | It is written for version 2 of the plugin contract, and this Platen has version 1. Update Platen.
  an older contract | {"api":0} | It is written for version 0 of the plugin contract, and this Platen has version 1. Update the plugin.
  a newer Platen | {"platen":"^3.0.0"} | It runs with Platen ^3.0.0, and this is 0.1.0. Update Platen.
  an older Platen | {"platen":"<0.1.0"} | It runs with Platen <0.1.0, and this is 0.1.0. Update the plugin.
  an invalid version range | {"platen":"new ones"} | Its package.json says platen.platen: "new ones", which is no semver range. Tell its author.
  another kind | {"kind":"file-store"} | It is of the kind "file-store", but only platforms, e-signature providers and delivery methods ("platform", "esign", "delivery") can be installed. Remove it.
  an invalid id | {"id":"A B"} | /bad/package.json: $.platen.id: Invalid string: must match pattern /^[a-z0-9][a-z0-9-]*$/. Tell its author.
`);

const describeFailure = (why: string) =>
  `It failed to load: ${why}. Install another version of it, or tell its author; then restart Platen.`;

describe("an installed plugin", () => {
  it("that never finishes loading is listed with the reason", async () => {
    const folder = pluginFolder({
      name: "bad",
      code: "await new Promise(() => {});",
    });
    const [only] = await installed(folder, [], impatient).list();
    expect(only).to.include({
      id: "bad",
      state: "broken",
      reason: describeFailure("it did not load within 0.01 s"),
    });
  });

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
    expect(only?.reason?.replace(folder, "")).to.equal(
      "/node_modules/platen-plugin-a/package.json: $.platen.id: Invalid string: must match pattern /^[a-z0-9][a-z0-9-]*$/. Tell its author.",
    );
  });

  for (const [description, plugin, message] of broken)
    it(`that ${description} is listed with the reason, and the others run`, async () => {
      const bad = { name: "bad", ...plugin };
      const plugins = installed(pluginFolder(bad, good));
      const [first, second] = await plugins.list();
      expect(first).to.include({ id: "bad", state: "broken" });
      expect(first?.reason).to.equal(describeFailure(message));
      expect(second).to.include({ id: "good", state: "ready" });
      expect((await plugins.find("platform", "good"))?.loaded).to.not.equal(
        null,
      );
    });

  for (const [description, platen = "", message] of incompatible)
    it(`for ${description} is rejected, and none of its code runs`, async () => {
      const bad = { name: "bad", platen: JSON.parse(platen), code: runs };
      const folder = pluginFolder(bad);
      const [only] = await installed(folder).list();
      expect(only?.state).to.equal("broken");
      expect(only?.reason?.replace(folder, "")).to.equal(message);
      expect(existsSync(mark)).to.equal(false);
    });

  it("keeps its id, and a second one with it is rejected", async () => {
    const duplicate = { name: "twin", platen: { id: "good" } };
    const folder = pluginFolder(good, duplicate);
    const all = await installed(folder).list();
    expect(
      all.map(({ reason }) => reason?.replace(folder, "") ?? null),
    ).to.deep.equal([
      null,
      'The id "good" belongs to the plugin from /good. Remove one of them.',
    ]);
  });

  it("that does not exist is listed with the command to install it", async () => {
    const names = ["platen-plugin-gone", "./nowhere"];
    const folder = pluginFolder();
    const [name, path] = await installed(folder, names).list();
    expect(name?.reason).to.equal(
      `There is no package of this name. Install it (npm install --prefix ${folder} platen-plugin-gone), or remove it from PLATEN_PLUGINS.`,
    );
    expect(path?.reason).to.equal(
      `There is no package.json in ${resolve("nowhere")}. Correct the path in PLATEN_PLUGINS.`,
    );
  });

  it("whose package.json cannot be read is listed with its path", async () => {
    const folder = pluginFolder({ name: "bad" });
    writeFileSync(join(folder, "bad", "package.json"), "{");
    const [only] = await installed(folder).list();
    expect(only?.reason?.replace(folder, "")).to.equal(
      "/bad/package.json cannot be read: Expected property name or '}' in JSON at position 1 (line 1 column 2). Tell its author.",
    );
  });
});
