import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { readError, newCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { withSmallDisk } from "../support/store-folder.js";
import { publish } from "../support/store.js";

describe("a service with a full disk for files", () => {
  const service = useService();

  it("reports it, keeps no incomplete file, and works again when space is free", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const request = { templateId, formats: ["pdf"] };
    const files = join(service.dataFolder, "files");
    await withSmallDisk(files, async (disk) => {
      mkdirSync(join(files, ".tmp"));
      disk.fill();
      const rejected = await caller.post("/api/export", request);
      expect(rejected.status).to.equal(503);
      expect(await readError(rejected)).to.include("full");
      expect(readdirSync(join(files, ".tmp"))).to.deep.equal([]);
      disk.free();
      const response = await caller.post("/api/export", request);
      expect(response.status).to.equal(200);
    });
  });
});
