import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { z } from "zod";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { eventually } from "../../support/eventually.js";
import {
  limitPlugins,
  platformCode,
  pluginFolder,
} from "../../support/plugin-folder.js";
import { recordingLog } from "../../support/recording-log.js";
import { withRows } from "../../support/rows.js";
import { useService } from "../../support/service.js";
import type { LogLine } from "../../support/service-process.js";

/** A platform whose `check` is this code. */
function checkedBy(name: string, code: string) {
  const check = "async check({ credentials: { url, token }, json }) {";
  const changed = platformCode(name).replace(
    check,
    `async check(context) { ${code} return {}; },\n  async unused({ credentials: { url, token }, json }) {`,
  );
  return { name, code: changed };
}

const emitError =
  'const { EventEmitter } = await import("node:events"); setTimeout(() => new EventEmitter().emit("error", new Error("socket gone")), 5);';
const waiting = "await new Promise((resolve) => setTimeout(resolve, 60_000));";

/** Takes memory in small steps with a pause after each, so that a busy machine does not make it a plugin that computes. */
function grow(step: string): string {
  return `const all = []; while (all.length < 60) { all.push(${step}); await new Promise(setImmediate); }`;
}

/** What a plugin does to its process when it is called, and what the log says about each. */
const codes: Record<string, string> = {
  "throws in a timer": `setTimeout(() => { throw new TypeError("no such row"); }, 5); ${waiting}`,
  "emits an error": `${emitError} ${waiting}`,
  "exits with 3": "process.exit(3);",
  "computes for ever": "for (;;);",
  "takes memory": `${grow("new Array(1_000_000).fill(0)")} ${waiting}`,
  "throws late": 'setTimeout(() => { throw new Error("too late"); }, 50);',
  "never waits": "for (;;) await null;",
  "takes buffers": `${grow("Buffer.alloc(1e7, 1)")} ${waiting}`,
  "kills itself": `process.kill(process.pid, "SIGKILL"); ${waiting}`,
};
const faults = withRows(
  codes,
  `
  throws in a timer | it threw outside of a call: TypeError: no such row
  emits an error | Error: socket gone
  exits with 3 | it ended with code 3
  computes for ever | it computed for more than 4 s without
  takes memory | MB of memory
  throws late | too late
  never waits | without a pause
  takes buffers | MB of memory
  kills itself | SIGKILL`,
);

/** Does what the connection's token says. */
const faulty = checkedBy(
  "faulty",
  `const faults = { ${faults.map(([name, code]) => `"${name}": async () => { ${code} }`).join(", ")} };
  await faults[context.credentials.token]?.();`,
);
const steady = checkedBy(
  "steady",
  `const names = Object.keys(process.env).filter((name) => name.startsWith("PLATEN_"));
  console.log("hello from %s, variables: %s", "check", names.join() || "none");
  console.error("careful");
  context.log.info({ size: 3 }, "read");
  await new Promise((resolve) => setTimeout(resolve, 200));`,
);
const connection = z.looseObject({ id: z.string() });
const tested = z.looseObject({
  connection: z.looseObject({
    state: z.string(),
    lastError: z.string().nullable(),
  }),
});

describe("a service with plugins that end or freeze their process", () => {
  const folder = pluginFolder(faulty, steady);
  const variables = {
    PLATEN_PLUGIN_FOLDER: folder,
    PLATEN_SECRET: "a secret that no plugin may see, of 32 bytes",
  };
  const { log, text } = recordingLog();
  const maxMemoryMb = 250;
  const service = useService({
    log,
    variables: () => variables,
    replace: limitPlugins({ maxSilenceMs: 4000, maxMemoryMb }),
  });
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  const lines = (): LogLine[] =>
    text()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  /** Why processes of plugins have ended, by plugin. */
  const ends = () =>
    lines()
      .filter(({ reason }) => reason !== undefined)
      .map(({ plugin, reason }) => `${String(plugin)}: ${String(reason)}`);

  async function test(platform: string, token = "long enough") {
    const credentials = { url: "https://a.example", token };
    const input = { platform, name: token, credentials };
    const made = await caller.post("/api/connections", input);
    const { id } = connection.parse(await made.json());
    const response = await caller.post(`/api/connections/${id}/test`, {});
    const body: unknown = await response.json();
    expect(response.status, JSON.stringify(body)).to.equal(200);
    return tested.parse(body).connection;
  }

  for (const [name, , reason] of faults)
    it(`answers while a plugin ${name}, names it, and lets the calls of others go on`, async () => {
      const fails = name !== "throws late";
      const other = test("steady");
      const earlier = ends().length;
      const over = new AbortController();
      const failing = test("faulty", name).finally(() => over.abort());
      let answers = 0;
      while (!over.signal.aborted) {
        const alive = await fetch(`${service.url}/health/live`);
        expect(alive.status).to.equal(200);
        answers += 1;
        await pause(20);
      }
      const { state, lastError } = await failing;
      expect(answers).to.be.above(0);
      expect(state).to.equal(fails ? "failing" : "working");
      const said = await eventually(() => ends()[earlier]);
      expect(said)
        .to.match(/^faulty: /)
        .and.include(reason);
      if (fails)
        expect(lastError).to.equal(
          `The plugin faulty failed in check: ${said.slice(8)}. This is a bug in the plugin: update it or report it to its author.`,
        );
      expect((await other).state).to.equal("working");
      // The next call starts the process again.
      expect((await test("faulty")).state).to.equal("working");
      expect(ends()).to.have.length(earlier + 1);
    });

  it("logs what a plugin writes to the console, with its name, and gives it no variable of its own", async () => {
    expect((await test("steady")).state).to.equal("working");
    for (const [msg, fields] of [
      ["hello from check, variables: none", { output: "stdout" }],
      ["careful", { output: "stderr" }],
      ["read", { call: "check", size: 3 }],
    ] as const) {
      const line = await eventually(() =>
        lines().find((one) => one.msg === msg),
      );
      expect(line).to.include({ plugin: "steady", ...fields });
    }
  });
});
