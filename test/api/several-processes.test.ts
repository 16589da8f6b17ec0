import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { getTree, living } from "../support/browser-processes.js";
import { requestsTo } from "../support/caller.js";
import { until } from "../support/eventually.js";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";

async function members({ pid }: ServiceProcess): Promise<number[]> {
  const path = `/proc/${pid}/task/${pid}/children`;
  const children = await readFile(path, "utf8");
  return children.trim().split(" ").filter(Boolean).map(Number);
}

describe("a service of several processes", () => {
  const folder = join(suiteFolder(), "data");
  const start = () =>
    startServiceProcess({ PLATEN_DATA: folder }, "start", "--processes", "2");
  /** Each request has a connection of its own, and members get connections in turn. */
  async function render(url: string, count: number): Promise<number[]> {
    const key = (await readFile(join(folder, "demo-key.txt"), "utf8")).trim();
    const invoice: object = JSON.parse(
      await readFile(join(folder, "demo-invoice.json"), "utf8"),
    );
    const caller = requestsTo(() => url, key);
    const body = { ...invoice, formats: ["html"] };
    const all = Array.from({ length: count }, () =>
      caller.post("/api/export", body),
    );
    return (await Promise.all(all)).map(({ status }) => status);
  }

  it("answers at one address, replaces a process that was killed, and ends with all of them", async () => {
    const service = start();
    const url = await service.url;
    expect(await members(service)).to.have.length(2);
    expect(new Set(await render(url, 20))).to.eql(new Set([200]));

    const [killed = 0] = await members(service);
    process.kill(killed, "SIGKILL");
    await until("there is another one", async () => {
      const now = await members(service);
      return now.length === 2 && !now.includes(killed);
    });
    const messages = service.log.map(({ msg }) => msg);
    expect(messages.join("\n")).to.include("another one is started");
    expect(new Set(await render(url, 20))).to.eql(new Set([200]));

    const tree = await getTree(service.pid);
    service.kill("SIGTERM");
    expect(await service.ended).to.include({ code: 0 });
    expect(await living(tree)).to.eql([]);
  });

  it("ends when the process that started the others is killed", async () => {
    const service = start();
    await service.url;
    const tree = await getTree(service.pid);
    service.kill("SIGKILL");
    await service.ended;
    await until(
      "no process is left",
      async () => (await living(tree)).length === 0,
    );
  });

  it("says why it cannot start, once", async () => {
    const env = { PLATEN_DATA: folder, PLATEN_FILE_STORE: "tape://drive" };
    const service = startServiceProcess(env, "serve", "--processes", "2");
    const { code, stderr } = await service.ended;
    expect(code).to.equal(1);
    expect(stderr.match(/PLATEN_FILE_STORE begins with/g)).to.have.length(1);
  });

  it("is refused for a number of processes that is none", async () => {
    const env = { PLATEN_DATA: folder };
    const service = startServiceProcess(env, "serve", "--processes", "0");
    const { code, stderr } = await service.ended;
    expect(code).to.not.equal(0);
    expect(stderr).to.include("a whole number from 1 to 256");
  });
});
