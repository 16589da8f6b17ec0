import { join } from "node:path";
import { expect } from "chai";
import type { FileStore } from "../../../core/plugin-api/index.js";
import {
  Document,
  insertRows,
  KeptFile,
  newId,
  type Store,
} from "../../../core/storage/database/index.js";
import {
  type CleanupTask,
  createText,
  deleteExpiredOutputs,
  deleteOrphanedOutputs,
  deleteOrphans,
  FileCleanup,
  FilesAndTexts,
  insertTexts,
  LocalFileStore,
  newOutputKey,
} from "../../../core/storage/files/index.js";
import { useManualClock } from "../../support/clock.js";
import { recordingLog } from "../../support/recording-log.js";
import { eachDatabase, newOwner, publish } from "../../support/store.js";
import { suiteFolder } from "../../support/store-folder.js";

const hourMs = 60 * 60_000;
const now = new Date();
const inHours = (hours: number) => new Date(now.getTime() + hours * hourMs);

eachDatabase((open) => {
  describe("the cleanup of files", () => {
    const clock = useManualClock(now.getTime());
    const folder = suiteFolder();
    let store: Store;
    let files: FilesAndTexts;
    let template: Pick<
      Document,
      "organizationId" | "templateId" | "createdById"
    >;

    before(async () => {
      store = await open();
      const { organizationId, userId } = await newOwner(store);
      const owner = { organizationId, userId };
      const templateId = await publish(store, owner);
      template = { organizationId, templateId, createdById: userId };
    });

    beforeEach(async () => {
      const local = new LocalFileStore(join(folder, newId()));
      files = new FilesAndTexts(local, store);
      await files.prepare();
      await store.unitOfWork.run(async (tx) => {
        await tx.deleteAll(Document);
        await tx.deleteAll(KeptFile);
      });
    });

    function newDocument(purgeAt: Date | null, keys: string[] = []): Document {
      const outputs = keys.map((storageKey) => ({
        label: "html" as const,
        storageKey,
        url: "",
        mimeType: "text/plain",
        sizeBytes: 4,
        checksum: "sha256:0",
      }));
      return {
        ...template,
        id: newId("doc"),
        templateVersion: 1,
        definitionHash: "0",
        status: "succeeded",
        formats: ["html"],
        locale: null,
        imageType: "png",
        isTest: false,
        outputs,
        metadata: null,
        fileName: null,
        error: null,
        attempts: 1,
        interruptions: 0,
        isRetrying: false,
        batchId: null,
        batchIndex: null,
        lockToken: null,
        lockedUntil: null,
        expiresAt: now,
        purgeAt,
        completedAt: now,
        createdAt: now,
        updatedAt: now,
      };
    }
    const insert = (documents: Document[], kept: KeptFile[] = []) =>
      store.unitOfWork.run(async (tx) => {
        await insertRows(tx, Document, documents);
        await insertRows(tx, KeptFile, kept);
      });
    const put = async (key: string) => {
      await files.put(key, Buffer.from("file"));
      return key;
    };
    const existing = async (keys: readonly string[]) => {
      const sizes = await Promise.all(keys.map((key) => files.size(key)));
      return keys.filter((_, index) => sizes[index] !== null);
    };

    const earlier = inHours(-1);
    const soon = new Date(now.getTime() + 1);
    /** When its files are due, how long its two files are kept, when they are due afterwards, and how many are left. */
    const cases: [string, Date, (Date | null)[], [Date | null, number]][] = [
      ["just due", now, [], [null, 0]],
      ["not due", soon, [], [soon, 2]],
      ["both kept until now", earlier, [now, earlier], [null, 0]],
      ["one kept for good", earlier, [null], [null, 1]],
      ["one kept longer", earlier, [inHours(2), inHours(1)], [inHours(1), 2]],
      ["one for some time", earlier, [null, inHours(3)], [inHours(3), 2]],
    ];

    it("deletes the files of documents that are due, but for those that are kept", async () => {
      const ids = new Map<string, { id: string; keys: string[] }>();
      for (const [name, purgeAt, keep] of cases) {
        const row = newDocument(purgeAt);
        const keys = [newOutputKey(row.id, "a"), newOutputKey(row.id, "b")];
        row.outputs = newDocument(null, keys).outputs;
        for (const key of keys) await put(key);
        const kept = keep.map((keepUntil, index) => {
          const storageKey = keys[index] ?? "";
          return { storageKey, documentId: row.id, keepUntil };
        });
        await insert([row], kept);
        ids.set(name, { id: row.id, keys });
      }
      expect(await deleteExpiredOutputs(store, files, now)).to.equal(5);
      for (const [name, , , expected] of cases) {
        const { id = "", keys = [] } = ids.get(name) ?? {};
        const row = await store.read.findOneByOrFail(Document, { id });
        const left = (await existing(keys)).length;
        expect([row.purgeAt, left], name).to.deep.equal(expected);
        expect(row.outputs, name).to.have.length(2);
      }
      const kept = await store.read.find(KeptFile);
      expect(kept.map(({ keepUntil }) => keepUntil)).to.have.deep.members([
        null,
        null,
        inHours(1),
        inHours(2),
        inHours(3),
      ]);
      expect(await deleteExpiredOutputs(store, files, now)).to.equal(0);
    });

    it("deletes texts that are rows as it deletes files, of any number of documents", async () => {
      const documents = Array.from({ length: 205 }, () => newDocument(now));
      const texts = documents
        .slice(0, 2)
        .flatMap(({ id }) => createText(id, "html", Buffer.from("text")) ?? []);
      for (const [index, { storageKey }] of texts.entries())
        documents[index] = newDocument(now, [storageKey]);
      const [last] = documents.slice(-1);
      const key = await put(newOutputKey(last?.id ?? "", "pdf"));
      documents[204] = newDocument(now, [key]);
      await insert(documents);
      await store.unitOfWork.run((tx) => insertTexts(tx, texts, now));
      const keys = [...texts.map(({ storageKey }) => storageKey), key];
      expect(await existing(keys)).to.deep.equal(keys);
      expect(await deleteExpiredOutputs(store, files, now)).to.equal(205);
      expect(await existing(keys)).to.deep.equal([]);
    });

    it("deletes old files of outputs that neither a document nor a kept file names", async () => {
      const row = newDocument(null);
      const named = await put(newOutputKey(row.id, "pdf"));
      const earlierAttempt = await put(newOutputKey(row.id, "html"));
      const kept = await put(newOutputKey(newId("doc"), "pdf"));
      const orphan = await put(newOutputKey(newId("doc"), "pdf"));
      const stranger = await put("outputs/aa/stranger");
      const elsewhere = await put("assets/aa/one.png");
      row.outputs = newDocument(null, [named]).outputs;
      await insert(
        [row],
        [{ storageKey: kept, documentId: row.id, keepUntil: null }],
      );
      const all = [named, kept, stranger, elsewhere, earlierAttempt, orphan];
      const { read } = store;
      expect(await deleteOrphanedOutputs(read, files, inHours(1))).to.equal(0);
      expect(await existing(all)).to.deep.equal(all);
      expect(await deleteOrphanedOutputs(read, files, inHours(2))).to.equal(2);
      expect(await existing(all)).to.deep.equal(all.slice(0, 4));
    });

    it("runs at the start and every hour, in turn with its tasks, until it is stopped", async () => {
      const { log, text } = recordingLog();
      const times: number[] = [];
      let endHour: (() => void) | undefined;
      const nextHour = async () => {
        const ended = new Promise<void>((resolve) => {
          endHour = resolve;
        });
        await clock.advance(hourMs);
        await ended;
      };
      const tasks: CleanupTask[] = [
        () => Promise.reject(new Error("no disk")),
        async (time) => {
          times.push(time.getTime() - now.getTime());
          endHour?.();
        },
      ];
      const cleanup = new FileCleanup(store, files, log, tasks);
      await put(newOutputKey(newId("doc"), "pdf"));
      await insert([newDocument(now), newDocument(inHours(2))]);
      cleanup.start();
      await nextHour();
      await nextHour();
      await put(newOutputKey(newId("doc"), "pdf"));
      await nextHour();
      await cleanup.stop();
      await clock.advance(hourMs);
      expect(times).to.deep.equal([hourMs, 2 * hourMs, 3 * hourMs]);
      const lines = text()
        .trim()
        .split("\n")
        .map((line) => {
          const { msg, documents, files: count, err } = JSON.parse(line);
          return [msg, documents ?? count ?? err.message].join(" ");
        });
      const failed = "deleting expired files failed no disk";
      expect(lines).to.deep.equal([
        "expired files deleted 1",
        failed,
        "expired files deleted 1",
        "orphaned files deleted 1",
        failed,
        "orphaned files deleted 1",
        failed,
      ]);
    });
  });
});

describe("the search for orphans", () => {
  it("looks up candidates in groups, and deletes those that are an hour old", async () => {
    const lookups: (readonly string[])[] = [];
    const deleted: [string, Date][] = [];
    const files: FileStore = Object({
      async *keys(folder: string) {
        for (const name of "abcxdefg") yield `${folder}/${name}`;
      },
      deleteIfOlder: async (key: string, time: Date) => {
        deleted.push([key, time]);
        return key !== "some/g";
      },
    });
    const search = {
      folder: "some",
      isCandidate: (key: string) => !key.endsWith("x"),
      findReferenced: async (keys: readonly string[]) => {
        lookups.push(keys);
        return new Set(["some/b", "some/f", "other"]);
      },
      chunkSize: 3,
    };
    expect(await deleteOrphans(files, search, now)).to.equal(4);
    expect(lookups.map((keys) => keys.join())).to.deep.equal([
      "some/a,some/b,some/c",
      "some/d,some/e,some/f",
      "some/g",
    ]);
    expect(deleted).to.deep.equal(
      ["a", "c", "d", "e", "g"].map((name) => [`some/${name}`, inHours(-1)]),
    );
  });
});
