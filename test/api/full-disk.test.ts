import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { errorOf, newCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { withSmallDisk } from "../support/store-folder.js";
import { publish } from "../support/store.js";

describe("a service whose disk for files is full", () => {
  const service = useService();

  it("says so, keeps no half file, and works again when there is room", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const request = { templateId, formats: ["pdf"] };
    const files = join(service.dataFolder, "files");
    await withSmallDisk(files, async (disk) => {
      mkdirSync(join(files, ".tmp"));
      disk.fill();
      const refused = await caller.post("/api/export", request);
      expect(refused.status).to.equal(503);
      expect(await errorOf(refused)).to.include("full");
      expect(readdirSync(join(files, ".tmp"))).to.deep.equal([]);
      disk.free();
      const response = await caller.post("/api/export", request);
      expect(response.status).to.equal(200);
    });
  });
});
