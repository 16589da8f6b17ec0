import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  LocalFileStore,
  newOutputKey,
} from "../../../core/storage/files/index.js";
import { suiteFolder } from "../../support/store-folder.js";

describe("an incomplete file", () => {
  const folder = suiteFolder();
  const files = new LocalFileStore(folder);
  const temporary = () => readdir(join(folder, ".tmp"));
  const key = newOutputKey("doc_a", "pdf");

  before(() => files.prepare());

  it("is not visible to readers and leaves nothing behind when it fails", async () => {
    const seen: (number | null)[] = [];
    const body = Readable.from(
      (async function* () {
        yield Buffer.from("half");
        seen.push(await files.size(key), (await temporary()).length);
        throw new Error("the source broke");
      })(),
    );
    const error = await files.put(key, body).catch((thrown: unknown) => thrown);
    expect(error).to.have.property("code", "unavailable");
    expect(seen).to.deep.equal([null, 1]);
    expect(await files.size(key)).to.equal(null);
    expect(await temporary()).to.deep.equal([]);
  });

  it("is removed at the start when its process is dead and kept while it is alive", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    const dead = `${child.pid}.aa.${hostname()}`;
    const alive = `${process.ppid}.bb.${hostname()}`;
    const elsewhere = `1.cc.another-host`;
    for (const name of [dead, alive, elsewhere])
      await writeFile(join(folder, ".tmp", name), "half");
    await files.prepare();
    expect((await temporary()).toSorted()).to.deep.equal(
      [alive, elsewhere].toSorted(),
    );
  });
});
