import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect } from "chai";
import { describe, it, before } from "mocha";
import { type ByteRange, PlatenError } from "../../../core/plugin-api/index.js";
import {
  newOutputKey,
  LocalFileStore,
  StoredLinks,
  ThumbnailLinks,
} from "../../../core/storage/files/index.js";
import { eachFileStore } from "../../support/each-file-store.js";
import { suiteFolder } from "../../support/store-folder.js";

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

const outside = [
  "../secret",
  "outputs/../../secret",
  "/etc/passwd",
  "outputs//a",
  "outputs",
  "",
  ".tmp/a",
  "outputs/.hidden",
  "outputs/a\0b",
  "outputs\\a",
  "outputs/A",
  `outputs/${"a".repeat(300)}`,
];

describe("a file key", () => {
  eachFileStore((files) => {
    for (const key of outside)
      it(`is rejected when it is ${JSON.stringify(key.slice(0, 30))}`, async () => {
        const error = await files()
          .size(key)
          .catch((thrown: unknown) => thrown);
        expect(error).to.have.property("code", "internal");
      });
  });
});

const base = "https://documents.example.com/platen";

const storedLinks = new StoredLinks(base, [
  "a secret of thirty-two characters",
]);

const now = new Date("2026-07-31T12:00:00Z");

const expiresAt = new Date("2026-07-31T12:00:01Z");

const target = { documentId: "doc_1-a", label: "pdf", expiresAt };

function create(filename: string): string {
  return storedLinks.create({ ...target, filename }).slice(base.length);
}

function createCode(address: string, at = now): string {
  try {
    storedLinks.read(address, at);
    return "good";
  } catch (error) {
    return error instanceof PlatenError ? error.code : String(error);
  }
}

describe("a download link", () => {
  const address = create("Invoice 7.pdf");

  it("identifies its document and label", () => {
    expect(storedLinks.read(address, now)).to.deep.equal({
      documentId: "doc_1-a",
      label: "pdf",
    });
  });

  it("is gone after its expiry", () => {
    expect(createCode(address, expiresAt)).to.equal("gone");
  });

  it("is not found with any character changed, added or removed", () => {
    for (let at = 0; at < address.length; at += 1)
      for (const other of ["A", "B", "7", "%41", ""]) {
        const changed = address.slice(0, at) + other + address.slice(at + 1);
        if (changed !== address)
          expect(createCode(changed), changed).to.equal("not_found");
      }
    expect(createCode(`${address}A`)).to.equal("not_found");
    expect(createCode(`${address}&a=1`)).to.equal("not_found");
  });

  it("is not found under another secret", () => {
    const others = new StoredLinks(base, ["another of thirty-two characters!"]);
    expect(() => others.read(address, now)).to.throw("File not found");
  });

  it("stays valid while the previous secret is configured", () => {
    const changed = new StoredLinks(base, [
      "another of thirty-two characters!",
      "a secret of thirty-two characters",
    ]);
    expect(changed.read(address, now).documentId).to.equal("doc_1-a");
    const fresh = changed.create({ ...target, filename: "a.pdf" });
    expect(createCode(fresh.slice(base.length))).to.equal("not_found");
  });

  it("contains an ASCII file name that nothing rewrites", () => {
    expect(create("Rechnung Nr. 7 – Müller.pdf")).to.contain(
      "/Rechnung-Nr.-7-Muller.pdf?",
    );
    expect(create("請求書.pdf")).to.contain("/document.pdf?");
    expect(createCode(create("a?b#c&d=e/f\\g.pdf"))).to.equal("good");
  });
});

describe("a thumbnail's link", () => {
  const links = new ThumbnailLinks("http://here", "a".repeat(32));
  const url = links.create("template", "hash");
  const key = /^http:\/\/here\/thumbnails\/template\/([\w-]{43})\.png$/.exec(
    url,
  )?.[1];

  it("is valid only for its template and definition", () => {
    expect(links.isKey("template", "hash", key ?? "")).to.equal(true);
    expect(links.isKey("template", "other", key ?? "")).to.equal(false);
    expect(links.isKey("other", "hash", key ?? "")).to.equal(false);
    expect(links.isKey("template", "hash", "")).to.equal(false);
  });
});
