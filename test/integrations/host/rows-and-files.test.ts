import { expect } from "chai";
import { describe, it } from "mocha";
import {
  type OutFile,
  PlatenError,
  PlatformError,
  type PlatformPlugin,
} from "../../../core/plugin-api/index.js";
import { connectTestPlatform, testPlatform } from "../../support/records.js";

const table = { tableId: "t1" };
const cell = { ...table, recordId: "r1", fieldId: "f1" };

function createFile(sizeBytes: number): OutFile {
  const bytes = new Uint8Array(sizeBytes);
  return {
    key: "a file",
    filename: "a.pdf",
    contentType: "application/pdf",
    sizeBytes,
    bytes: () => Promise.resolve(bytes),
  };
}

async function getMessage(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof PlatenError ? error.message : String(error);
}

describe("rows of a platform", () => {
  it("are returned for any number of ids, in their order, each once", async () => {
    const batches: number[] = [];
    const platform = connectTestPlatform({
      fetchRows: async (context, scope, ids) => {
        batches.push(ids.length);
        const found = await testPlatform.fetchRows(context, scope, ids);
        return { ...found, rows: found.rows.toReversed() };
      },
    });
    const ids = ["r5", "r1", "r4", "r1", "r2", "r3"];
    const { rows, missing } = await platform.fetchRows(table, ids);
    expect(rows.map(({ id }) => id)).to.deep.equal([
      "r5",
      "r1",
      "r4",
      "r2",
      "r3",
    ]);
    expect(missing).to.deep.equal([]);
    expect(batches).to.have.members([1, 2, 2]);
  });

  for (const [description, rows] of [
    ["omits a row", []],
    ["returns another row", [{ id: "r9", fields: {}, links: {} }]],
  ] as const)
    it(`cause an error about the plugin if it ${description}`, async () => {
      const platform = connectTestPlatform({
        fetchRows: () => Promise.resolve({ rows: [...rows], missing: [] }),
      });
      const message = await getMessage(platform.fetchRows(table, ["r1"]));
      expect(message).to.equal(
        "The plugin test failed in fetchRows: it returned an invalid result at $: each requested id must be there exactly once, as a row or as missing. This is a bug in the plugin: update it or report it to its author.",
      );
    });
});

/** A plugin whose uploads are cut off, and how many there were. */
function cuttingOff(): { sent: number; plugin: Partial<PlatformPlugin> } {
  const recorder = { sent: 0, plugin: {} };
  recorder.plugin = {
    writeBack: () => {
      recorder.sent += 1;
      return Promise.reject(new PlatformError("unavailable", "cut off."));
    },
  };
  return recorder;
}

describe("files for a platform", () => {
  it("are sent only once, because a failed write may have arrived", async () => {
    const recorder = cuttingOff();
    const call = connectTestPlatform(recorder.plugin).writeBack(
      cell,
      [createFile(10)],
      "append",
    );
    expect(await getMessage(call)).to.equal("Test: cut off.");
    expect(recorder.sent).to.equal(1);
  });

  it("are rejected before sending if they are too large", async () => {
    const recorder = cuttingOff();
    const call = connectTestPlatform(recorder.plugin).writeBack(
      cell,
      [createFile(1001)],
      "append",
    );
    expect(await getMessage(call)).to.contain('"a.pdf" has 1001 bytes');
    expect(recorder.sent).to.equal(0);
  });

  it("are rejected for a platform that does not accept files", async () => {
    const call = connectTestPlatform({}).writeBack(
      cell,
      [createFile(1)],
      "append",
    );
    expect(await getMessage(call)).to.contain("cannot be written");
  });
});
