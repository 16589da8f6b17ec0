import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect } from "chai";
import { describe, it } from "mocha";
import type { ByteRange } from "../../../core/plugin-api/index.js";
import { newOutputKey } from "../../../core/storage/files/index.js";
import { eachFileStore } from "../../support/each-file-store.js";

const bytes = randomBytes(300_000);
const checksum = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

const newKey = () => newOutputKey("doc_a", "pdf");

describe("a file store", () => {
  eachFileStore((files) => {
    const read = async (key: string, range?: ByteRange) => {
      const file = await files().open(key, range);
      return file && { ...file, stream: await buffer(file.stream) };
    };

    it("stores bytes and returns their size and checksum", async () => {
      const key = newKey();
      const stored = await files().put(key, bytes);
      expect(stored).to.deep.equal({ sizeBytes: 300_000, checksum });
      expect(await read(key)).to.deep.equal({
        sizeBytes: 300_000,
        stream: bytes,
      });
      expect(await files().size(key)).to.equal(300_000);
    });

    it("stores a stream in the same way", async () => {
      const key = newKey();
      const chunks = [bytes.subarray(0, 7), bytes.subarray(7)];
      const stored = await files().put(key, Readable.from(chunks));
      expect(stored).to.deep.equal({ sizeBytes: 300_000, checksum });
      expect((await read(key))?.stream.equals(bytes)).to.equal(true);
    });

    it("stores a stream that is longer than its buffers", async () => {
      const key = newKey();
      const long = Readable.from(Array.from({ length: 60 }, () => bytes));
      const { sizeBytes } = await files().put(key, long);
      expect(sizeBytes).to.equal(18_000_000);
      const end = await read(key, { start: 17_999_990, end: 17_999_999 });
      expect(end?.stream).to.deep.equal(bytes.subarray(-10));
    });

    it("opens a range with both ends included", async () => {
      const key = newKey();
      await files().put(key, bytes);
      const part = await read(key, { start: 10, end: 19 });
      expect(part?.stream).to.deep.equal(bytes.subarray(10, 20));
      expect(part?.sizeBytes).to.equal(300_000);
    });

    it("returns null for files that were never stored or were deleted", async () => {
      const key = newKey();
      await files().put(key, bytes);
      await files().delete(key);
      await files().delete(key);
      expect(await files().open(key)).to.equal(null);
      expect(await files().size(key)).to.equal(null);
    });

    it("stores nothing of an interrupted stream", async () => {
      const key = newKey();
      const body = Readable.from(
        (function* () {
          yield bytes;
          throw new Error("the source broke");
        })(),
      );
      const error = await files()
        .put(key, body)
        .catch((thrown: unknown) => thrown);
      expect(error).to.have.property("code", "unavailable");
      expect(await files().size(key)).to.equal(null);
    });
  });
});
