import { deflateRawSync } from "node:zlib";
import { buffer } from "node:stream/consumers";
import { expect } from "chai";
import {
  DocumentText,
  newId,
  type Store,
} from "../../../core/storage/database/index.js";
import {
  createText,
  FilesAndTexts,
  insertTexts,
  LocalFileStore,
} from "../../../core/storage/files/index.js";
import { anyDatabase } from "../../support/store.js";
import { suiteFolder } from "../../support/store-folder.js";

anyDatabase((open) => {
  describe("the text of a document", () => {
    const local = new LocalFileStore(suiteFolder());
    let store: Store;
    let files: FilesAndTexts;
    before(async () => {
      store = await open();
      files = new FilesAndTexts(local, store);
      await files.prepare();
    });
    const documentId = newId("doc");
    const key = `texts/${documentId}.html`;
    const text = Buffer.from("<p>Zoë & Ada</p>".repeat(9));
    const read = async (range?: { start: number; end: number }) => {
      const file = await files.open(key, range);
      return file && [file.sizeBytes, String(await buffer(file.stream))];
    };

    it("is a row up to 256 KiB, and a file when it is longer", () => {
      const longest = Buffer.alloc(256 * 1024, "x");
      const made = createText(documentId, "html", longest);
      expect(made).to.include({
        storageKey: key,
        sizeBytes: 262_144,
        checksum:
          "sha256:d509bff642a353f88582e8a846ecae041c333b79c57a7a24ff310fbdb7e914e9",
      });
      const longer = Buffer.concat([longest, Buffer.from("x")]);
      expect(createText(documentId, "html", longer)).to.equal(null);
    });

    it("is read whole or in part by its key, and deleted", async () => {
      const made = createText(documentId, "html", text);
      const file = { storageKey: "outputs/aa/one.pdf" };
      await store.unitOfWork.run((tx) =>
        insertTexts(tx, made ? [file, made] : [], new Date()),
      );
      expect(await read()).to.deep.equal([text.length, text.toString()]);
      const part = text.subarray(3, 8).toString();
      expect(await read({ start: 3, end: 7 })).to.deep.equal([
        text.length,
        part,
      ]);
      expect(await files.size(key)).to.equal(text.length);
      await files.delete(key);
      expect(await read()).to.equal(null);
      expect(await files.size(key)).to.equal(null);
    });

    it("is read as an earlier version compressed it, with deflate", async () => {
      const content = deflateRawSync(text);
      const row = { documentId, format: "html", content };
      await store.unitOfWork.run((tx) =>
        tx.insert(DocumentText, { ...row, createdAt: new Date() }),
      );
      expect(await read()).to.deep.equal([text.length, text.toString()]);
    });

    it("has no direct URL, which files have where their store has them", async () => {
      expect(files.directUrl).to.equal(undefined);
      const remote = Object.assign(new LocalFileStore("unused"), {
        directUrl: async (one: string) => `https://files.example/${one}`,
      });
      const { directUrl } = new FilesAndTexts(remote, store);
      const options = { filename: "a", mimeType: "text/html" };
      expect([
        await directUrl?.(key, options, 60),
        await directUrl?.("outputs/aa/one.pdf", options, 60),
      ]).to.deep.equal([null, "https://files.example/outputs/aa/one.pdf"]);
    });
  });
});
