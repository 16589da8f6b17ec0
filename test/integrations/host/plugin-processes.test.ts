import { readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { json, newCaller } from "../../support/caller.js";
import { eventually } from "../../support/eventually.js";
import { pluginFolder } from "../../support/plugin-folder.js";
import { useService } from "../../support/service.js";
import { startServiceProcess } from "../../support/service-process.js";
import { suiteFolder } from "../../support/store-folder.js";

/** The processes of plugins that run for a process, by its id. */
function findPluginProcesses(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
        const status = readFileSync(`/proc/${name}/status`, "utf8");
        return (
          command.startsWith("platen-plugin") &&
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

const neverLoads = "await new Promise((resolve) => setTimeout(resolve, 1e9));";
const onLinux = process.platform === "linux" ? describe : describe.skip;

onLinux("processes of plugins", () => {
  describe("without a plugin from outside of the package", () => {
    // Those of the suites before may still be ending.
    let earlier: number[];
    before(() => {
      earlier = findPluginProcesses(process.pid);
    });
    const service = useService();

    it("do not exist", async () => {
      const caller = await newCaller(service);
      const { data } = await json<{ data: { state: string }[] }>(
        caller.get("/api/platforms"),
      );
      expect(data.map(({ state }) => state)).to.include("ready");
      expect(earlier).to.include.members(findPluginProcesses(process.pid));
    });
  });

  for (const [signal, what, code] of [
    ["SIGTERM", "receives SIGTERM while a plugin is loading", neverLoads],
    ["SIGKILL", "is killed", undefined],
  ] as const)
    it(`end when the service ${what}`, async () => {
      const running = startServiceProcess({
        PLATEN_DATA: suiteFolder(),
        PLATEN_PLUGIN_FOLDER: pluginFolder({
          name: "good",
          ...(code !== undefined && { code }),
        }),
      });
      await running.url;
      const [plugin = 0] = await eventually(() => {
        const found = findPluginProcesses(running.pid);
        return found.length === 1 && found;
      });
      await running.end(signal);
      // Nobody waits for the end of a process whose parent is killed.
      if (signal === "SIGKILL") await eventually(() => !isRunning(plugin));
      expect(isRunning(plugin)).to.equal(false);
    });
});
