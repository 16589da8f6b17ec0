import { readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { platformSchema } from "../../../core/api/routes/platforms.js";
import { reader, requestsTo } from "../../support/caller.js";
import { eventually } from "../../support/eventually.js";
import { pluginFolder } from "../../support/plugin-folder.js";
import { startServiceProcess } from "../../support/service-process.js";
import { cliProcessOn, json } from "../../support/store-cli.js";
import { suiteFolder } from "../../support/store-folder.js";

const platforms = reader(z.strictObject({ data: z.array(platformSchema) }));

/** The plugin hosts that run for a process, by its id. */
function findHosts(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
        const status = readFileSync(`/proc/${name}/status`, "utf8");
        return (
          command.startsWith("platen-plugins") &&
          status.includes(`PPid:\t${parent}\n`)
        );
      } catch {
        // It has ended.
        return false;
      }
    })
    .map(Number);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const onLinux = process.platform === "linux" ? describe : describe.skip;

onLinux("the plugin host", () => {
  it("is not started without a plugin from outside of the package", async () => {
    const data = suiteFolder();
    const running = startServiceProcess({
      PLATEN_DATA: data,
      PLATEN_DEMO: "off",
    });
    await running.url;
    expect((await cliProcessOn(data)("plugin", "list")).stdout).to.include(
      "airtable",
    );
    expect(findHosts(running.pid)).to.deep.equal([]);
  });

  for (const signal of ["SIGTERM", "SIGKILL"] as const)
    it(`ends when the service ends by ${signal}`, async () => {
      const running = startServiceProcess({
        PLATEN_DATA: suiteFolder(),
        PLATEN_DEMO: "off",
        PLATEN_PLUGIN_FOLDER: pluginFolder({ name: "good" }),
      });
      await running.url;
      const [host = 0] = await eventually(() => {
        const found = findHosts(running.pid);
        return found.length === 1 && found;
      });
      running.kill(signal);
      await running.ended;
      await eventually(() => !isRunning(host));
    });

  it("ends when the service ends while a plugin is loading", async () => {
    const running = startServiceProcess({
      PLATEN_DATA: suiteFolder(),
      PLATEN_DEMO: "off",
      PLATEN_PLUGIN_FOLDER: pluginFolder({
        name: "never-loads",
        code: "await new Promise((resolve) => setTimeout(resolve, 1e9));",
      }),
    });
    await running.url;
    const [host = 0] = await eventually(() => {
      const found = findHosts(running.pid);
      return found.length === 1 && found;
    });
    running.kill("SIGTERM");
    await running.ended;
    expect(isRunning(host)).to.equal(false);
  });
});

describe("a service with plugins that end or freeze their process when they are loaded", () => {
  const data = suiteFolder();
  const folder = pluginFolder(
    { name: "a-exits", code: "process.exit(1);" },
    { name: "b-loops", code: "for (;;);" },
    { name: "good" },
  );
  const env = {
    PLATEN_DATA: data,
    PLATEN_PLUGIN_FOLDER: folder,
    PLATEN_DEMO: "off",
  };
  let service: ReturnType<typeof requestsTo>;
  before(async () => {
    const cli = cliProcessOn(data, { PLATEN_DEMO: "off" });
    const named = ["--name", "A", "--plan", "pro"];
    const { id = "" } = await json(cli, "org", "create", ...named);
    const key = ["key", "create", "--org", id, "--scopes", "connections:read"];
    const made = await json(cli, ...key);
    const url = await startServiceProcess(env).url;
    service = requestsTo(() => url, made.key ?? "");
  });

  const find = async () => {
    const reply = await platforms(await service.get("/api/platforms"));
    return new Map(reply.data.map((one) => [one.id, one]));
  };

  it("disables them in the end, and runs the others", async () => {
    const found = await eventually(async () => {
      const all = await find();
      const reasons = ["a-exits", "b-loops"].map((id) =>
        String(all.get(id)?.reason),
      );
      return (
        reasons.every((one) => one.includes("It is disabled because")) && all
      );
    });
    expect(found.get("a-exits")?.reason).to.include("process.exit(1)");
    expect(found.get("b-loops")?.reason).to.include("without a pause");
    expect((await find()).get("good")?.state).to.equal("ready");
  });
});
