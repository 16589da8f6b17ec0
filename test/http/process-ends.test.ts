import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { living, treeOf, until } from "../support/browser-processes.js";
import { profileFolders } from "../support/profile-folders.js";
import { startServiceProcess } from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";

describe("the end of the service's process", () => {
  const folder = join(suiteFolder(), "data");

  async function startedAndUsed() {
    const service = startServiceProcess({ PLATEN_DATA: folder });
    const url = await service.url;
    const key = await readFile(join(folder, "demo-key.txt"), "utf8");
    const headers = {
      "x-api-key": key.trim(),
      "content-type": "application/json",
    };
    const body = await readFile(join(folder, "demo-invoice.json"), "utf8");
    const request = { method: "POST", headers, body };
    const response = await fetch(`${url}/api/export`, request);
    expect(response.status).to.equal(200);
    const tree = await treeOf(service.pid);
    expect(tree.length).to.be.greaterThan(4);
    expect(await profileFolders(service.pid)).to.have.lengthOf(1);
    return { service, tree };
  }

  it("by SIGTERM leaves no process and no folder", async () => {
    const { service, tree } = await startedAndUsed();
    service.kill("SIGTERM");
    expect((await service.ended).code).to.equal(0);
    expect(await living(tree)).to.deep.equal([]);
    expect(await profileFolders(service.pid)).to.deep.equal([]);
  });

  it("by SIGKILL leaves no process, and the next start clears the folder", async () => {
    const { service, tree } = await startedAndUsed();
    service.kill("SIGKILL");
    await service.ended;
    const isGone = async () => (await living(tree)).length === 0;
    await until("no process is left", isGone);
    await startedAndUsed();
    expect(await profileFolders(service.pid)).to.deep.equal([]);
  });

  it("by SIGTERM during its start leaves no process and no folder either", async () => {
    const service = startServiceProcess({ PLATEN_DATA: folder });
    const tree = await until("a browser runs", async () => {
      const processes = await treeOf(service.pid);
      return processes.length > 3 && processes;
    });
    service.kill("SIGTERM");
    expect((await service.ended).code).to.equal(0);
    expect(await living(tree)).to.deep.equal([]);
    expect(await profileFolders(service.pid)).to.deep.equal([]);
  });
});
