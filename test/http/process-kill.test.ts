import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { replies } from "../support/replies.js";
import { startServiceProcess } from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";

const renders = 12;

describe("a kill -9 in the middle of renders", () => {
  const folder = join(suiteFolder(), "data");
  const demo = (name: string) => readFile(join(folder, name), "utf8");

  it("leaves a clean next start: each document has its whole file, and none is half-written", async () => {
    const first = startServiceProcess({ PLATEN_DATA: folder });
    const url = await first.url;
    const headers = {
      "x-api-key": (await demo("demo-key.txt")).trim(),
      "content-type": "application/json",
    };
    const body = await demo("demo-invoice.json");
    const answers = Array.from({ length: renders }, () =>
      fetch(`${url}/api/export`, { method: "POST", headers, body }),
    );
    await Promise.any(answers);
    first.kill("SIGKILL");
    const outcomes = await Promise.allSettled(answers);
    const answered = outcomes.filter(({ status }) => status === "fulfilled");
    expect(answered.length).to.be.within(1, renders - 1);
    await first.ended;

    const { port } = new URL(url);
    const second = startServiceProcess({
      PLATEN_DATA: folder,
      PLATEN_PORT: port,
    });
    await second.url;
    const list = await fetch(`${url}/api/documents`, { headers });
    const { data } = await replies.documents(list);
    expect(data.length).to.be.at.least(answered.length);
    for (const { status, outputs } of data) {
      expect(status).to.equal("succeeded");
      const file = await fetch(outputs[0]?.url ?? "");
      const bytes = Buffer.from(await file.arrayBuffer());
      const digest = createHash("sha256").update(bytes).digest("hex");
      expect(outputs[0]?.checksum).to.equal(`sha256:${digest}`);
    }
    expect(await readdir(join(folder, "files", ".tmp"))).to.deep.equal([]);
    second.kill("SIGTERM");
    expect((await second.ended).code).to.equal(0);
  });
});
