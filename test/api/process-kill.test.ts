import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { living, getTree } from "../support/browser-processes.js";
import { until } from "../support/eventually.js";
import { profileFolders } from "../support/renderer.js";
import { replies } from "../support/caller.js";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";

const AT_ONCE = 4;

describe("a kill -9 during renders", () => {
  const folder = join(suiteFolder(), "data");
  const answered: string[] = [];
  const killed = { pid: 0, tree: [] as number[] };
  let headers: Record<string, string>;
  let body: string;
  let service: ServiceProcess;

  async function render(url: string): Promise<string> {
    const request = { method: "POST", headers, body };
    const { headers: responseHeaders } = await fetch(
      `${url}/api/export`,
      request,
    );
    return responseHeaders.get("x-document-id") ?? "";
  }

  /** One after the other, until nobody answers. */
  async function renderOn(url: string): Promise<void> {
    for (;;) {
      const id = await render(url).catch(() => null);
      if (id === null) return;
      answered.push(id);
    }
  }

  before(async () => {
    const first = startServiceProcess({ PLATEN_DATA: folder });
    const url = await first.url;
    const key = await readFile(join(folder, "demo-key.txt"), "utf8");
    headers = { "x-api-key": key.trim(), "content-type": "application/json" };
    body = await readFile(join(folder, "demo-invoice.json"), "utf8");
    Object.assign(killed, { pid: first.pid, tree: await getTree(first.pid) });
    const renders = Array.from({ length: AT_ONCE }, () => renderOn(url));
    await until("one is answered", () => answered.length > 0);
    first.kill("SIGKILL");
    await Promise.all([first.ended, ...renders]);
  });

  it("leaves no process", async () => {
    expect(killed.tree.length).to.be.greaterThan(4);
    const isGone = async () => (await living(killed.tree)).length === 0;
    await until("no process is left", isGone);
  });

  it("is followed by a clean start, where each document has its complete file and none is partial", async () => {
    service = startServiceProcess({ PLATEN_DATA: folder });
    const url = await service.url;
    const list = await fetch(`${url}/api/documents?pageSize=100`, { headers });
    const { data } = await replies.documents(list);
    expect(data.map(({ id }) => id)).to.include.members(answered);
    for (const { status, outputs } of data) {
      expect(status).to.equal("succeeded");
      const { pathname, search } = new URL(outputs[0]?.url ?? "");
      const file = await fetch(url + pathname + search);
      const bytes = Buffer.from(await file.arrayBuffer());
      const digest = createHash("sha256").update(bytes).digest("hex");
      expect(outputs[0]?.checksum).to.equal(`sha256:${digest}`);
    }
    expect(await readdir(join(folder, "files", ".tmp"))).to.deep.equal([]);
    expect(await profileFolders(killed.pid)).to.deep.equal([]);
  });

  it("is followed by a SIGTERM that leaves no process and no folder", async () => {
    expect(await render(await service.url)).to.match(/^doc_/);
    const tree = await getTree(service.pid);
    expect(tree.length).to.be.greaterThan(4);
    expect(await profileFolders(service.pid)).to.have.lengthOf(1);
    service.kill("SIGTERM");
    expect((await service.ended).code).to.equal(0);
    expect(await living(tree)).to.deep.equal([]);
    expect(await profileFolders(service.pid)).to.deep.equal([]);
  });
});
