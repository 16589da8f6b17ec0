import { get } from "node:http";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect } from "chai";
import { freePort } from "../support/free-port.js";
import { listWords } from "../support/rows.js";
import { TestService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";

/** As it comes over the wire: fetch would unpack it. */
async function readAnswer(url: string, headers: Record<string, string>) {
  const request = get(url, { headers });
  const [response]: IncomingMessage[] = await once(request, "response");
  response?.resume();
  return { status: response?.statusCode, headers: response?.headers ?? {} };
}

describe("the studio's files", () => {
  const folder = suiteFolder();
  let service: TestService;
  before(async () => {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}/platen`;
    service = new TestService(folder, { config: { port, baseUrl } });
    await service.start();
  });
  after(() => service.stop());

  it("are referenced by a page that is revalidated on each request, at any path below the base URL", async () => {
    for (const path of ["/studio", "/studio/", "/studio/templates/1"]) {
      const page = await fetch(service.url + path);
      expect(page.status).to.equal(200);
      expect(page.headers.get("cache-control")).to.equal("no-cache");
      expect(await page.text()).to.include('<base href="/platen/studio/"');
      const etag = page.headers.get("etag") ?? "";
      const again = await readAnswer(service.url + path, {
        "if-none-match": etag,
      });
      expect(again.status).to.equal(304);
    }
  });

  it("have their content's hash in their names, are cached permanently, and are compressed", async () => {
    const page = await (await fetch(`${service.url}/studio/`)).text();
    const [, script = ""] = /src="\.\/(assets\/[^"]+\.js)"/.exec(page) ?? [];
    const url = `${service.url}/studio/${script}`;
    for (const [asked, got] of [
      ["gzip, br", "br"],
      ["gzip", "gzip"],
      ["identity", undefined],
    ] as const) {
      const { headers } = await readAnswer(url, { "accept-encoding": asked });
      expect(headers["content-encoding"]).to.equal(got);
      expect(headers["cache-control"]).to.include("immutable");
      expect(headers["content-type"]).to.include("javascript");
      expect(headers.vary).to.match(/accept-encoding/i);
    }
  });

  it("include no other file and no parent folder", async () => {
    for (const path of listWords(`
      /studio/assets/none.js /studio/studio.stamp /studio/..%2f..%2fpackage.json /studio/%2e%2e/%2e%2e/package.json
      /studio/api/none /studio/%ff
    `))
      expect((await fetch(service.url + path)).status).to.be.oneOf([400, 404]);
  });

  it("may load nothing from other hosts and run nothing inline", async () => {
    const page = await fetch(`${service.url}/studio/`);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).to.include("default-src 'none'");
    expect(policy).to.include("script-src 'self'");
    expect(policy).to.include("frame-ancestors 'none'");
    expect(policy).to.not.match(/unsafe|\*|https?:/);
    expect(await page.text()).to.not.match(
      /<script(?![^>]*\ssrc=)|<style|\sstyle=/,
    );
  });
});
