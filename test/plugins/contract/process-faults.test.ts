import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { eventually } from "../../support/eventually.js";
import {
  limitPlugins,
  platformCode,
  pluginFolder,
} from "../../support/plugin-folder.js";
import { recordingLog } from "../../support/recording-log.js";
import { useService } from "../../support/service.js";
import type { LogLine } from "../../support/service-process.js";
import { cliOn } from "../../support/store-cli.js";

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

/** What a plugin does to its process when it is called, and what the log says about each. */
const faults: [name: string, code: string, said: string, fails: boolean][] = [
  [
    "throws-in-timer",
    `setTimeout(() => { throw new TypeError("no such row"); }, 5); ${waiting}`,
    "it threw outside of a call: TypeError: no such row",
    true,
  ],
  ["emits-error", `${emitError} ${waiting}`, "Error: socket gone", true],
  ["exits", "process.exit(3);", "it called process.exit(3)", true],
  ["loops", "for (;;);", "it computed for more than 2 s without", true],
  [
    "takes-memory",
    "const all = [1, 2, 3].map(() => new Array(8_000_000)); for (;;) all.length;",
    "MB of memory",
    true,
  ],
  [
    "throws-after-answer",
    'setTimeout(() => { throw new Error("too late"); }, 50);',
    "too late",
    false,
  ],
  ["never-waits", "for (;;) await null;", "without a pause", true],
  [
    "takes-buffers",
    "const all = [1, 2, 3, 4].map(() => Buffer.alloc(5e7, 1)); for (;;) all.length;",
    "MB of memory",
    true,
  ],
  [
    "is-killed",
    `process.kill(process.pid, "SIGKILL"); ${waiting}`,
    "SIGKILL",
    true,
  ],
];

const quiet = { name: "quiet" };
const logging = checkedBy(
  "talks",
  'console.log("hello from %s", "check"); console.error("careful"); context.log.info({ size: 3 }, "read");',
);
const curious = checkedBy(
  "curious",
  'console.log("variables: %s", Object.keys(process.env).filter((name) => name.startsWith("PLATEN_")).join() || "none");',
);
const slowPlugin = checkedBy(
  "slow",
  'console.log("slow has begun"); await new Promise((resolve) => setTimeout(resolve, 500));',
);
const connection = z.looseObject({ id: z.string() });
const tested = z.looseObject({
  connection: z.looseObject({
    state: z.string(),
    lastError: z.string().nullable(),
  }),
});

describe("a service with plugins that end or freeze their process", () => {
  const steady = checkedBy("steady", "await null;");
  const folder = pluginFolder(
    quiet,
    steady,
    logging,
    curious,
    slowPlugin,
    checkedBy(
      "is-killed-2",
      `process.kill(process.pid, "SIGKILL"); ${waiting}`,
    ),
    ...faults.map(([name, code]) => checkedBy(name, code)),
  );
  const variables = {
    PLATEN_PLUGIN_FOLDER: folder,
    PLATEN_SECRET: "a secret that no plugin may see, of 32 bytes",
  };
  const { log, text } = recordingLog();
  // Few, so that a busy machine takes them before it looks like a plugin that computes.
  const maxMemoryMb = 250;
  const service = useService({
    log,
    variables: () => variables,
    replace: limitPlugins({ maxSilenceMs: 2000, maxMemoryMb }),
  });
  const cli = cliOn(service.dataFolder, variables);
  const ids = new Map<string, string>();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  const lines = (): LogLine[] =>
    text()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const platformLines = (name: string) =>
    lines().filter(
      ({ plugin, kind }) => plugin === name && kind === "platform",
    );

  async function test(platform: string) {
    const credentials = { url: "https://a.example", token: "long enough" };
    if (!ids.has(platform)) {
      const input = { platform, name: platform, credentials };
      const made = await caller.post("/api/connections", input);
      ids.set(platform, connection.parse(await made.json()).id);
    }
    const id = ids.get(platform) ?? "";
    const response = await caller.post(`/api/connections/${id}/test`, {});
    const body: unknown = await response.json();
    expect(response.status, JSON.stringify(body)).to.equal(200);
    return tested.parse(body).connection;
  }

  const findLine = (msg: string) =>
    eventually(() => lines().find((line) => line.msg === msg));

  const sent = (msg: string) => {
    const { length } = lines();
    return eventually(() =>
      lines()
        .slice(length)
        .some((line) => line.msg === msg),
    );
  };

  for (const [name, , said, fails] of faults)
    it(`answers while a plugin ${name}, names it, and calls the others`, async () => {
      const over = new AbortController();
      const failing = test(name).finally(() => over.abort());
      let answers = 0;
      while (!over.signal.aborted) {
        const alive = await fetch(`${service.url}/health/live`);
        expect(alive.status).to.equal(200);
        answers += 1;
        await pause(20);
      }
      const { state, lastError } = await failing;
      expect(answers).to.be.above(0);
      if (fails) {
        expect(state).to.equal("failing");
        expect(lastError).to.include(name);
      }
      await eventually(() =>
        platformLines(name).some(({ reason }) => String(reason).includes(said)),
      );
      expect((await test("steady")).state).to.equal("working");
    });

  it("repeats the calls of other plugins that a failing one has interrupted", async () => {
    const slow = test("slow");
    await sent("slow has begun");
    await test("throws-in-timer");
    expect((await slow).state).to.equal("working");
    expect(platformLines("slow")).to.deep.equal([]);
  });

  it("finds the plugin that computes for ever among several whose calls are running", async () => {
    const slow = test("slow");
    await sent("slow has begun");
    await test("loops");
    await slow;
    expect((await test("slow")).state).to.equal("working");
    expect(platformLines("loops")).to.have.length(2);
    expect(platformLines("slow")).to.deep.equal([]);
  });

  it("runs plugins apart when it is unknown which of them has ended their process, and then knows", async () => {
    // Nothing says whose code it was.
    const killed = test("is-killed-2");
    const slow = test("slow");
    await killed;
    expect((await slow).state).to.equal("working");
    const unknown = lines().find(({ plugins }) =>
      String(plugins).includes("is-killed-2"),
    );
    expect(unknown?.msg).to.include("in a process of its own");
    expect(platformLines("is-killed-2")).to.have.length(1);
    expect(platformLines("slow")).to.deep.equal([]);
  });

  it("logs what a plugin writes to the console, with its name", async () => {
    expect((await test("talks")).state).to.equal("working");
    expect(await findLine("hello from check")).to.include({
      plugin: "talks",
      output: "stdout",
    });
    expect(await findLine("careful")).to.include({
      plugin: "talks",
      output: "stderr",
    });
    expect(await findLine("read")).to.include({
      plugin: "talks",
      call: "check",
      size: 3,
    });
  });

  it("gives plugins no variable of its own", async () => {
    expect((await test("curious")).state).to.equal("working");
    const line = await eventually(() =>
      lines().find(({ plugin }) => plugin === "curious"),
    );
    expect(line.msg).to.equal("variables: none");
  });

  it("does not call a plugin any more that ended its process three times, until it is enabled", async () => {
    await test("exits");
    await test("exits");
    expect(platformLines("exits").length).to.equal(3);
    const id = ids.get("exits") ?? "";
    const rejected = await caller.post(`/api/connections/${id}/test`, {});
    expect(rejected.status).to.equal(503);
    expect(await rejected.text()).to.include("platen plugin enable exits");
    expect(platformLines("exits").length).to.equal(3);

    const listed = await cli("plugin", "list");
    expect(listed.stdout).to.match(
      /exits .*disabled; ended the plugin host 3 times, because it called process\.exit\(3\)/,
    );
    expect(listed.stdout).to.match(/emits-error .*ready; .* once, because/);
    const examined = await cli("doctor");
    expect(examined.stdout).to.match(/fail .*exits.*3 times/);
    expect(examined.stdout).to.match(/warn .*emits-error.*once/);

    const enabled = await cli("plugin", "enable", "exits");
    expect(enabled).to.include({ code: 0 });
    await test("exits");
    expect(platformLines("exits").length).to.equal(4);
  });

  it("says which plugins can be enabled when the id is unknown", async () => {
    const { code, stderr } = await cli("plugin", "enable", "nothing");
    expect(code).to.equal(1);
    expect(stderr).to.include('There is no installed plugin "nothing"');
  });
});
