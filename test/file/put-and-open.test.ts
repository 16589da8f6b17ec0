import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { LocalFileStore, newOutputKey } from "../../core/file/index.js";
import { suiteFolder } from "../support/store-folder.js";

describe("the local file store", () => {
  const files = new LocalFileStore(suiteFolder());
  const bytes = randomBytes(300_000);
  const checksum = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  const read = async (key: string, range?: { start: number; end: number }) => {
    const file = await files.open(key, range);
    return file && { ...file, stream: await buffer(file.stream) };
  };

  before(() => files.prepare());

  it("keeps bytes and says their size and checksum", async () => {
    const key = newOutputKey("doc_a", "pdf");
    const stored = await files.put(key, bytes);
    expect(stored).to.deep.equal({ sizeBytes: 300_000, checksum });
    expect(await read(key)).to.deep.equal({
      sizeBytes: 300_000,
      stream: bytes,
    });
    expect(await files.size(key)).to.equal(300_000);
  });

  it("keeps a stream alike", async () => {
    const key = newOutputKey("doc_a", "pdf");
    const chunks = [bytes.subarray(0, 7), bytes.subarray(7)];
    const stored = await files.put(key, Readable.from(chunks));
    expect(stored).to.deep.equal({ sizeBytes: 300_000, checksum });
    expect((await read(key))?.stream.equals(bytes)).to.equal(true);
  });

  it("opens a part, both ends included", async () => {
    const key = newOutputKey("doc_a", "pdf");
    await files.put(key, bytes);
    const part = await read(key, { start: 10, end: 19 });
    expect(part?.stream).to.deep.equal(bytes.subarray(10, 20));
    expect(part?.sizeBytes).to.equal(300_000);
  });

  it("has no file that was never put or was deleted", async () => {
    const key = newOutputKey("doc_a", "pdf");
    await files.put(key, bytes);
    await files.delete(key);
    await files.delete(key);
    expect(await files.open(key)).to.equal(null);
    expect(await files.size(key)).to.equal(null);
  });
});
