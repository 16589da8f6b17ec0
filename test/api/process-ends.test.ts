import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { living, getTree } from "../support/browser-processes.js";
import { until } from "../support/eventually.js";
import { profileFolders } from "../support/renderer.js";
import { startServiceProcess } from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";

describe("ending the service's process", () => {
  const folder = join(suiteFolder(), "data");

  it("with SIGTERM during its start leaves no process and no folder", async () => {
    const service = startServiceProcess({ PLATEN_DATA: folder });
    const tree = await until("a browser runs", async () => {
      const processes = await getTree(service.pid);
      return processes.length > 3 && processes;
    });
    service.kill("SIGTERM");
    expect((await service.ended).code).to.equal(0);
    expect(await living(tree)).to.deep.equal([]);
    expect(await profileFolders(service.pid)).to.deep.equal([]);
  });
});
