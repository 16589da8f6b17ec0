import { expect } from "chai";
import { living, getTree } from "../support/browser-processes.js";
import {
  profileFolders,
  ample,
  page,
  startRenderer,
} from "../support/renderer.js";

describe("a renderer that stops", () => {
  it("waits for its running job, leaves no process and no folder, and rejects new jobs", async () => {
    const before = await profileFolders(process.pid);
    const renderer = await startRenderer({ pages: 1 });
    const tree = await getTree(renderer.health().browser?.pid ?? 0);
    const job = renderer.pdf({ html: page("x"), deadline: ample() });
    await renderer.stop();
    expect((await job).pages).to.equal(1);
    expect(tree.length).to.be.greaterThan(3);
    expect(await living(tree)).to.deep.equal([]);
    expect(await profileFolders(process.pid)).to.have.members(before);
    const error = await renderer
      .pdf({ html: page("x"), deadline: ample() })
      .catch((reason: unknown) => reason);
    expect(error).to.have.property("code", "unavailable");
    expect(renderer.health()).to.include({ ready: false });
  });
});
