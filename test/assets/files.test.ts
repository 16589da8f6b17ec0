import { execFileSync } from "node:child_process";
import { utimes, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect } from "chai";
import { operator } from "../../core/accounts/index.js";
import { type AssetView, Assets } from "../../core/assets/index.js";
import { PdfChecks } from "../../core/assets/pdfs.js";
import { formatError, PlatenError } from "../../core/plugin-api/index.js";
import { Asset } from "../../core/storage/database/index.js";
import { FILE_STORE } from "../../core/lib/process-values.js";
import { uploadBytes, useAssetLibrary } from "../support/assets.js";
import { newCaller, type TestCaller } from "../support/caller.js";
import { eachFileStore } from "../support/each-file-store.js";
import { createVideo, plain } from "../support/image-gallery.js";
import { useService } from "../support/service.js";
import { onSqlite } from "../support/store.js";

const dayMs = 24 * 60 * 60_000;

describe("a file of an asset", () => {
  const service = useService();

  it("is deleted after an hour without a row that references it", async () => {
    const caller = await newCaller(service);
    const files = service.container.resolve(FILE_STORE);
    const assets = service.container.resolve(Assets);
    const videos = [
      await uploadBytes(caller, "kept", await createVideo("mp4")),
      await uploadBytes(caller, "lost", await createVideo("webm")),
    ];
    await caller.delete(`/api/assets/${videos[0]?.id}`);
    const rows = await service.store.read.find(Asset, {
      order: { name: "ASC" },
    });
    const keys = rows.map(({ storageKey, posterKey }) => [
      storageKey,
      posterKey ?? "",
    ]);
    const sizes = () => Promise.all(keys.flat().map((key) => files.size(key)));
    await service.store.unitOfWork.run(async (tx) => {
      await tx.delete(Asset, { name: "lost" });
    });
    await assets.sweep(new Date());
    expect(await sizes(), "all are young").not.to.include(null);
    const old = new Date(Date.now() - dayMs);
    for (const key of keys.flat())
      await utimes(join(service.dataFolder, "files", key), old, old);
    await assets.sweep(new Date());
    const [kept, poster, ...lost] = await sizes();
    expect([kept, poster], "one in the trash too").not.to.include(null);
    expect(lost).to.deep.equal([null, null]);
    const again = await uploadBytes(caller, "lost", await createVideo("webm"));
    expect((await fetch(again.url)).status).to.equal(200);
  });
});

describe("an asset's file", () => {
  eachFileStore((files) => {
    onSqlite((open) => {
      const library = useAssetLibrary(open, files);

      for (const [kind, bytes] of [
        ["an image", () => plain("teal").png().toBuffer()],
        ["a video", () => createVideo("webm", { bytesPerFrame: 20_000 })],
      ] as const)
        it(`can be downloaded from its URL, completely and in ranges: ${kind}`, async () => {
          const { assets, publicFiles, owner } = library.now;
          const file = { name: kind, actor: operator, bytes: await bytes() };
          const { url } = await assets.uploads.fromBytes(owner, file);
          const found = await publicFiles.find(
            url.slice(url.lastIndexOf("/") + 1),
          );
          const whole = await found.open();
          const part = await found.open({ start: 10, end: 19 });
          if (!whole || !part) throw new Error("the file is not there");
          expect((await buffer(whole.stream)).equals(file.bytes)).to.equal(
            true,
          );
          const expected = file.bytes.subarray(10, 20);
          expect((await buffer(part.stream)).equals(expected)).to.equal(true);
          expect(found.sizeBytes).to.equal(file.bytes.length);
        });
    });
  });
});

describe("a file path on a local server", () => {
  const service = useService();
  let root: string;
  let caller: TestCaller;

  before(async () => {
    caller = await newCaller(service);
    const png = await plain("teal").png().toBuffer();
    const outside = join(service.dataFolder, "outside");
    root = join(service.dataFolder, "root");
    for (const folder of [outside, root, join(root, "inner")])
      await mkdir(folder);
    await writeFile(join(outside, "a.png"), png);
    await writeFile(`${root}-beside.png`, png);
    await writeFile(join(root, "inner", "a.png"), png);
    await symlink(join(root, "inner"), join(root, "within"));
    await symlink(outside, join(root, "out"));
    await symlink(join(outside, "a.png"), join(root, "a.png"));
    execFileSync("mkfifo", [join(root, "pipe")]);
  });

  const read = (filePath: string): Promise<AssetView> =>
    service.container
      .resolve(Assets)
      .upload(caller, { name: "a", filePath }, { actor: operator, root });

  it("reads files inside the folder, whatever their names are", async () => {
    for (const path of [
      "inner/a.png",
      "./inner/../inner/a.png",
      join(root, "inner/a.png"),
      "within/a.png",
    ])
      expect(await read(path), path).to.include({ mimeType: "image/png" });
  });

  for (const path of [
    "../outside/a.png",
    "/etc/passwd",
    "out/a.png",
    "a.png",
    "../root-beside.png",
    "inner",
    ".",
    "pipe",
    "none.png",
    "inner/a.png\0.txt",
  ])
    it(`rejects paths outside, links and anything that is not a file: ${JSON.stringify(path)}`, async () => {
      const rejected = await read(path).catch((error: unknown) => error);
      expect(formatError(rejected)).to.contain(
        "$.filePath: is not a readable file in the",
      );
    });
});

const pdf = (name: string) => Buffer.from(`%PDF-1.7 ${name} %%EOF`);

/** Opens PDFs when the test releases them, and records the order. */
class SlowEditor {
  readonly opened: string[] = [];
  #waiting: (() => void)[] = [];
  isFast = false;

  async check(bytes: Uint8Array): Promise<void> {
    const [, name = ""] = Buffer.from(bytes).toString().split(" ");
    this.opened.push(name);
    if (!this.isFast)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    this.isFast = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

describe("the checks of uploaded PDFs", () => {
  it("take organizations in turns, however many PDFs one sends", async () => {
    const editor = new SlowEditor();
    const checks = new PdfChecks(editor);
    const many = Array.from({ length: 10 }, (_, at) =>
      checks.readKind(pdf(`many${at}`), "one"),
    );
    const few = checks.readKind(pdf("few"), "other");
    await new Promise((resolve) => setImmediate(resolve));
    expect(editor.opened).to.eql(["many0"]);
    editor.release();
    await Promise.all([...many, few]);
    expect(editor.opened.indexOf("few")).to.equal(1);
    expect(editor.opened).to.have.length(11);
  });

  it("answer busy to an organization that has too many waiting, and to no other", async () => {
    const editor = new SlowEditor();
    const checks = new PdfChecks(editor);
    const codes = Array.from({ length: 30 }, () =>
      checks.readKind(pdf("x"), "one").then(
        () => "stored",
        (error: unknown) =>
          error instanceof PlatenError ? error.code : String(error),
      ),
    );
    const other = checks.readKind(pdf("other"), "other");
    editor.release();
    expect((await other).assetType).to.equal("pdf");
    const all = await Promise.all(codes);
    expect(all.filter((code) => code === "busy")).to.have.length.above(0);
    expect(all.filter((code) => code === "stored")).to.have.length.above(10);
  });
});
