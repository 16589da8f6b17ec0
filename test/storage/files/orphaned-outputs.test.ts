import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import {
  deleteOrphanedOutputs,
  newOutputKey,
} from "../../../core/storage/files/index.js";
import * as tokens from "../../../core/app/tokens.js";
import { newId } from "../../../core/storage/database/index.js";
import { newCaller } from "../../support/caller.js";
import { exported, useService } from "../../support/service.js";
import { publish } from "../../support/store.js";

describe("files of outputs that no document references", () => {
  const service = useService();
  const files = () => service.container.resolve(tokens.FILE_STORE);
  const getPath = (key: string) => join(service.dataFolder, "files", key);
  const age = (key: string) => utimes(getPath(key), 0, 0);
  const sweep = () =>
    deleteOrphanedOutputs(service.store.read, files(), new Date());

  it("are deleted when they are old, while new files and files of documents stay", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const { document } = await exported(caller, {
      templateId,
      formats: ["pdf"],
    });
    const named = document.outputs[0]?.storageKey ?? "";
    const orphanKey = newOutputKey(newId("doc"), "pdf");
    const earlierAttemptKey = newOutputKey(document.id, "html");
    const young = newOutputKey(newId("doc"), "pdf");
    for (const key of [orphanKey, earlierAttemptKey, young])
      await files().put(key, Buffer.from("left"));
    for (const key of [named, orphanKey, earlierAttemptKey]) await age(key);
    await writeFile(getPath("outputs/stranger"), "not ours");

    expect(await sweep()).to.equal(2);
    expect(await files().size(named)).to.be.above(0);
    expect(await files().size(young)).to.equal(4);
    expect(await files().size(orphanKey)).to.equal(null);
    expect(await files().size(earlierAttemptKey)).to.equal(null);
    expect(await sweep()).to.equal(0);
  });
});
