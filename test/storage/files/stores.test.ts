import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect } from "chai";
import { type ByteRange, PlatenError } from "../../../core/plugin-api/index.js";
import {
  newOutputKey,
  LocalFileStore,
  StoredLinks,
  ThumbnailLinks,
} from "../../../core/storage/files/index.js";
import { eachFileStore } from "../../support/each-file-store.js";
import { getRefusal, getRejection } from "../../support/store.js";
import { suiteFolder } from "../../support/store-folder.js";

const bytes = randomBytes(300_000);

const hourMs = 3_600_000;

const newKey = () => newOutputKey("doc_a", "pdf");

/** Larger than what is written at once. */
const large = Buffer.concat(Array.from({ length: 9 }, () => bytes));

const bodies = {
  bytes: { body: () => bytes, content: bytes },
  "many bytes": { body: () => large, content: large },
  "a stream": {
    body: () => Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]),
    content: bytes,
  },
  "a stream that is longer than its buffers": {
    body: () => Readable.from(Array.from({ length: 4 }, () => large)),
    content: Buffer.concat(Array.from({ length: 4 }, () => large)),
  },
};

async function listAll(keys: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const key of keys) found.push(key);
  return found.toSorted();
}

describe("a file store", () => {
  eachFileStore((files) => {
    const read = async (key: string, range?: ByteRange) => {
      const file = await files().open(key, range);
      return file && [file.sizeBytes, await buffer(file.stream)];
    };

    for (const [name, { body, content }] of Object.entries(bodies))
      it(`stores ${name}, and reads all or a range with both its ends`, async () => {
        const key = newKey();
        const sizeBytes = content.length;
        expect(await files().put(key, body())).to.deep.equal({
          sizeBytes,
          checksum: `sha256:${createHash("sha256").update(content).digest("hex")}`,
        });
        expect(await read(key)).to.deep.equal([sizeBytes, content]);
        expect(await files().size(key)).to.equal(sizeBytes);
        const range = { start: sizeBytes - 19, end: sizeBytes - 10 };
        const part = content.subarray(-19, -9);
        expect(await read(key, range)).to.deep.equal([sizeBytes, part]);
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
      const error = await getRejection(files().put(key, body));
      expect(error).to.have.property("code", "unavailable");
      expect(await files().size(key)).to.equal(null);
    });

    it("lists the keys of one folder", async () => {
      const keys = ["listed/aa/one.pdf", "listed/bb/two.pdf"];
      for (const key of [...keys, "listed-not/aa/three.pdf"])
        await files().put(key, bytes);
      expect(await listAll(files().keys("listed"))).to.deep.equal(keys);
      expect(await listAll(files().keys("empty"))).to.deep.equal([]);
    });

    it("deletes only what is older", async () => {
      const key = "swept/aa/one.pdf";
      await files().put(key, bytes);
      const earlier = new Date(Date.now() - hourMs);
      const inAnHour = new Date(Date.now() + hourMs);
      expect(await files().deleteIfOlder(key, earlier)).to.equal(false);
      expect(await files().deleteIfOlder(key, inAnHour)).to.equal(true);
      expect(await files().deleteIfOlder(key, inAnHour)).to.equal(false);
      expect(await files().size(key)).to.equal(null);
    });

    it("refuses keys that are no keys", async () => {
      for (const key of outside)
        expect(await getRefusal(files().size(key)), key).to.equal(
          "internal The key of a stored file is invalid.",
        );
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

  it("is removed at the start when its process is dead, or cannot be asked for an hour", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    const left = [
      `${child.pid}.aa.${hostname()}`,
      `${process.pid}.bb.${hostname()}`,
      "1.cc.another-host",
    ];
    const kept = [`${process.ppid}.dd.${hostname()}`, "1.ee.another-host"];
    const ages = { "1.cc.another-host": 1.1, "1.ee.another-host": 0.9 };
    for (const name of [...left, ...kept])
      await writeFile(join(folder, ".tmp", name), "half");
    for (const [name, hours] of Object.entries(ages)) {
      const time = new Date(Date.now() - hours * hourMs);
      await utimes(join(folder, ".tmp", name), time, time);
    }
    await files.prepare();
    expect((await temporary()).toSorted()).to.deep.equal(kept.toSorted());
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

const withCode = (code: string) => Object.assign(new Error(code), { code });

describe("a local file store", () => {
  const folder = suiteFolder();
  const files = new LocalFileStore(folder);
  before(() => files.prepare());
  const putBroken = (error: Error) =>
    getRefusal(
      files.put(
        newKey(),
        Readable.from(
          (function* () {
            yield bytes;
            throw error;
          })(),
        ),
      ),
    );

  it("says why a file cannot be stored or read", async () => {
    const unavailable =
      "unavailable The file store cannot be read or written at the moment.";
    const full =
      "unavailable The file store is full. Free some space, then try again.";
    expect([
      await putBroken(withCode("EIO")),
      await putBroken(withCode("ENOSPC")),
      await putBroken(withCode("EDQUOT")),
      await putBroken(new PlatenError("not_found", "Too long.")),
    ]).to.deep.equal([unavailable, full, full, "not_found Too long."]);
    await files.put("outputs/aa/one.pdf", bytes);
    for (const act of [
      files.size("outputs/aa/one.pdf/two"),
      files.open("outputs/aa/one.pdf/two"),
      files.put("outputs/aa/one.pdf/two", bytes),
    ])
      expect(await getRefusal(act)).to.equal(unavailable);
  });

  it("deletes a file that was written before a time, not at it", async () => {
    const key = "swept/aa/one.pdf";
    await files.put(key, bytes);
    const time = new Date("2026-01-01T00:00:00.000Z");
    await utimes(join(folder, key), time, time);
    expect(await files.deleteIfOlder(key, time)).to.equal(false);
    const later = new Date(time.getTime() + 1);
    expect(await files.deleteIfOlder(key, later)).to.equal(true);
  });
});

const base = "https://documents.example.com/platen";

const storedLinks = new StoredLinks(base, [
  "a secret of thirty-two characters",
]);

const now = new Date("2026-07-31T12:00:00Z");

const expiresAt = new Date("2026-07-31T12:00:01Z");

const target = { documentId: "doc_1-a", label: "pdf", expiresAt };

const create = (filename: string, links = storedLinks) =>
  links.create({ ...target, filename }).slice(base.length);

function readLink(address: string, at = now, links = storedLinks): string {
  try {
    return Object.values(links.read(address, at)).join(" ");
  } catch (error) {
    return error instanceof PlatenError
      ? `${error.code} ${error.message}`
      : String(error);
  }
}

const notFound =
  "not_found File not found. Use the download link exactly as you received it.";

describe("a download link", () => {
  // Written out, because links stay valid when Platen is updated.
  const address =
    "/files/doc_1-a/pdf/Invoice-7.pdf?expires=1785499201000&signature=p3O-KycC-oqV_3X8Koo-XMA0OjspGTyHINgyAcaPzcs";

  it("identifies its document and label until it expires", () => {
    expect(create("Invoice 7.pdf")).to.equal(address);
    expect(readLink(address)).to.equal("doc_1-a pdf");
    expect(readLink(address, expiresAt)).to.equal(
      "gone This download link expired at 2026-07-31T12:00:01.000Z. Render the document again for a new one.",
    );
  });

  it("is not found with any character changed, added or removed", () => {
    for (let at = 0; at < address.length; at += 1)
      for (const other of ["A", "B", "7", "%41", ""]) {
        const changed = address.slice(0, at) + other + address.slice(at + 1);
        if (changed !== address)
          expect(readLink(changed), changed).to.equal(notFound);
      }
    for (const longer of [`${address}A`, `${address}&a=1`, `/a${address}`])
      expect(readLink(longer)).to.equal(notFound);
  });

  it("is valid under the secret that signed it, also while that is a previous one", () => {
    const secrets = ["another of thirty-two characters!"] as const;
    const others = new StoredLinks(base, secrets);
    expect(readLink(address, now, others)).to.equal(notFound);
    const changed = new StoredLinks(base, [
      ...secrets,
      "a secret of thirty-two characters",
    ]);
    expect(readLink(address, now, changed)).to.equal("doc_1-a pdf");
    const fresh = create("a.pdf", changed);
    expect(readLink(fresh)).to.equal(notFound);
    expect(readLink(fresh, now, others)).to.equal("doc_1-a pdf");
  });

  it("contains an ASCII file name that nothing rewrites", () => {
    for (const [filename, name] of Object.entries({
      "Rechnung Nr. 7 – Müller.pdf": "Rechnung-Nr.-7-Muller.pdf",
      "請求書.pdf": "document.pdf",
      "a?b#c&d=e/f\\g.pdf": "a-b-c-d-e-f-g.pdf",
      "..hidden-.PDF": "hidden.PDF",
      "no extension": "no-extension",
      "-a.b.tar.gz": "a.b.tar.gz",
      "x.p-f": "x.p-f",
    })) {
      expect(create(filename).split(/[/?]/)[4], filename).to.equal(name);
      expect(readLink(create(filename)), filename).to.equal("doc_1-a pdf");
    }
  });
});

describe("a thumbnail's link", () => {
  it("is valid only for its template and definition", () => {
    const links = new ThumbnailLinks("http://here", "a".repeat(32));
    const key = "F5Ktgi4t0gbqgy8iPmxNnA0zmLjrUSMXWiZCQMzx9m0";
    expect(links.create("template", "hash")).to.equal(
      `http://here/thumbnails/template/${key}.png`,
    );
    expect(links.isKey("template", "hash", key)).to.equal(true);
    expect(links.isKey("template", "other", key)).to.equal(false);
    expect(links.isKey("other", "hash", key)).to.equal(false);
    expect(links.isKey("template", "hash", "")).to.equal(false);
  });
});
