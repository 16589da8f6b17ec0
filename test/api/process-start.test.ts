import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { startServiceProcess } from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";

describe("the service's process", () => {
  const folder = suiteFolder();

  it("exits with 1 and a clear message for an invalid configuration", async () => {
    const { ended } = startServiceProcess({
      PLATEN_DATA: folder,
      PLATEN_PORT: "many",
      PLATEN_LOG_LEVEL: "loud",
    });
    const { code, stderr } = await ended;
    expect(code).to.equal(1);
    expect(stderr).to.match(/^platen: .*\n.*PLATEN_PORT.*\n.*PLATEN_LOG_LEVEL/);
    expect(stderr).not.to.contain("    at ");
  });

  it("exits with 1 and a single line without a browser", async () => {
    const { ended } = startServiceProcess({
      PLATEN_DATA: join(folder, "no-browser"),
      PUPPETEER_EXECUTABLE_PATH: "/nowhere/chromium",
    });
    const { code, stderr } = await ended;
    expect(code).to.equal(1);
    expect(stderr).to.match(/^platen: .*\/nowhere\/chromium.*\n$/);
  });

  it("exits with 1 and a single line when its port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const { ended } = startServiceProcess({
      PLATEN_DATA: join(folder, "taken"),
      PLATEN_DEMO: "off",
      PLATEN_PORT: port,
    });
    const { code, stderr } = await ended;
    other.close();
    expect(code).to.equal(1);
    expect(stderr).to.match(
      new RegExp(`^platen: .*:${port}: another program uses it\\..*\\n$`),
    );
  });
});

describe("the first start", () => {
  const folder = join(suiteFolder(), "data");

  it("creates a demo with a key in a private file, which is shown once, and working requests", async () => {
    const first = startServiceProcess({ PLATEN_DATA: folder });
    const url = await first.url;
    const keyFile = join(folder, "demo-key.txt");
    const key = (await readFile(keyFile, "utf8")).trim();
    expect((await stat(keyFile)).mode & 0o777).to.equal(0o600);
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
    const response = await fetch(`${url}/api/export`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: await readFile(join(folder, "demo-invoice.json")),
    });
    expect(response.status).to.equal(200);
    expect(response.headers.get("x-render-warnings")).to.equal("0");
    const contract = await fetch(`${url}/api/export`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: await readFile(join(folder, "demo-contract.json")),
    });
    const [link = ""] =
      /http[^"]*\/esign\/[^"]*/.exec(await contract.text()) ?? [];
    expect(await (await fetch(link)).text()).to.contain("Sign the document");
    first.kill("SIGTERM");
    const { code, stderr } = await first.ended;
    expect(code).to.equal(0);
    expect(stderr).to.contain(`${url}/api/export -H 'x-api-key: ${key}'`);

    const second = startServiceProcess({ PLATEN_DATA: folder });
    await second.url;
    second.kill("SIGTERM");
    expect(await second.ended).to.deep.equal({ code: 0, stderr: "" });
    expect((await readFile(keyFile, "utf8")).trim()).to.equal(key);
  });
});
