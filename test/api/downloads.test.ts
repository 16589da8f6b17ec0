import { expect } from "chai";
import { FILE_STORE } from "../../core/lib/process-values.js";
import { StoredLinks } from "../../core/storage/files/index.js";
import { newId } from "../../core/storage/database/index.js";
import { download, useApi } from "../support/api.js";
import { refusal } from "../support/caller.js";

const bytesOf = async (response: Response) =>
  Buffer.from(await response.arrayBuffer());

describe("a download link", () => {
  const api = useApi({ template: { name: "Brief – Zoë" } });
  let url: string;
  let storageKey: string;
  let whole: Buffer;
  const ask = (headers: Record<string, string> = {}, method = "GET") =>
    fetch(url, { headers, method });
  before(async () => {
    const { document } = await api.render();
    ({ url, storageKey } = document.outputs[0] ?? expect.fail());
    whole = await download(url);
  });

  it("works without a key, with the file's name and type", async () => {
    const { status, headers } = await ask();
    expect(status).to.equal(200);
    expect(headers.get("content-type")).to.equal("text/html; charset=utf-8");
    expect(headers.get("content-length")).to.equal(String(whole.length));
    expect(headers.get("content-disposition")).to.match(
      /^inline; filename="[^"]+\.html"; filename\*=UTF-8''Brief%20%E2%80%93%20Zo%C3%AB\.html$/,
    );
    expect(headers.get("x-content-type-options")).to.equal("nosniff");
    expect(headers.get("cache-control")).to.match(/^private/);
  });

  it("returns html in a sandbox that can load and run nothing", async () => {
    const policy = (await ask()).headers.get("content-security-policy");
    expect(policy).to.match(/^sandbox;/);
    expect(policy).to.contain("default-src 'none'");
    expect(policy).not.to.contain("allow-");
  });

  it("answers HEAD with the same headers and no body", async () => {
    const response = await ask({}, "HEAD");
    expect(response.status).to.equal(200);
    expect(response.headers.get("content-length")).to.equal(
      String(whole.length),
    );
    expect(await bytesOf(response)).to.have.length(0);
  });

  it("returns 304 to clients that have the file", async () => {
    const etag = (await ask()).headers.get("etag") ?? "";
    expect(etag).to.match(/^"sha256:[0-9a-f]{64}"$/);
    const revalidate = { "cache-control": "max-age=0" };
    const has = (tag: string) => ask({ ...revalidate, "if-none-match": tag });
    expect((await has(etag)).status).to.equal(304);
    expect((await has('"other"')).status).to.equal(200);
  });

  for (const [range, start, end] of [
    ["bytes=0-9", 0, 9],
    ["bytes=10-", 10, -1],
    ["bytes=-5", -5, -1],
    ["bytes=20-999999999", 20, -1],
  ] as const)
    it(`returns the range ${range}`, async () => {
      const response = await ask({ range });
      const from = start < 0 ? whole.length + start : start;
      const to = end < 0 ? whole.length + end : end;
      expect(response.status).to.equal(206);
      expect(response.headers.get("content-range")).to.equal(
        `bytes ${from}-${to}/${whole.length}`,
      );
      expect(await bytesOf(response)).to.deep.equal(
        whole.subarray(from, to + 1),
      );
    });

  it("returns the whole file for several ranges, for no range, and for a range of an older file", async () => {
    for (const headers of [
      { range: "bytes=0-1,5-6" },
      { range: "lines=1-2" },
      { range: "bytes=a-b" },
      { range: "bytes=0-1", "if-range": '"older"' },
    ]) {
      const response = await ask(headers);
      expect(response.status).to.equal(200);
      expect(await bytesOf(response)).to.have.length(whole.length);
    }
  });

  it("returns 416 for a range outside of the file", async () => {
    const response = await ask({ range: `bytes=${whole.length}-` });
    expect(response.headers.get("content-type")).to.match(/^application\/json/);
    expect(response.headers.get("content-range")).to.equal(
      `bytes */${whole.length}`,
    );
    expect(await refusal(response))
      .to.match(/^416 /)
      .and.contain(`${whole.length} bytes`);
  });

  it("returns 404 with one changed character in its query or name", async () => {
    const last = url.endsWith("A") ? "B" : "A";
    for (const changed of [
      url.slice(0, -1) + last,
      url.replace("expires=1", "expires=2"),
      url.replace("/html/", "/pdf/"),
      url.replace(".html?", ".htm?"),
      url.replace("doc_", "doc-"),
      `${url}&download=1`,
      url.split("?")[0] ?? "",
    ]) {
      expect(await refusal(fetch(changed)), changed).to.match(
        /^404 .*File not found/,
      );
    }
  });

  it("returns 404 with an explanation when its file no longer exists", async () => {
    const files = api.service.container.resolve(FILE_STORE);
    await files.delete(storageKey);
    const response = await ask();
    await files.put(storageKey, whole);
    expect(response.headers.get("content-type")).to.match(/^application\/json/);
    expect(response.headers.get("content-disposition")).to.equal(null);
    expect(await refusal(response)).to.match(/^404 .*any more/);
  });

  it("returns 404 for a file that its document does not have", async () => {
    const links = api.service.container.resolve(StoredLinks);
    const expiresAt = new Date("2090-01-01T00:00:00Z");
    const [documentId = ""] = /doc_[\w-]+/.exec(url) ?? [];
    for (const id of [documentId, newId("doc")]) {
      const file = { label: "pdf", filename: "a.pdf", expiresAt };
      const link = links.create({ ...file, documentId: id });
      expect(await refusal(fetch(link))).to.equal(
        "404 This file no longer exists.",
      );
    }
  });

  it("returns 410 with the time of expiry once it has expired", async () => {
    const links = api.service.container.resolve(StoredLinks);
    const expired = links.create({
      documentId: /doc_[\w-]+/.exec(url)?.[0] ?? "",
      label: "html",
      filename: "a.html",
      expiresAt: new Date("2026-01-02T03:04:05Z"),
    });
    expect(await refusal(fetch(expired))).to.match(
      /^410 .*2026-01-02T03:04:05\.000Z/,
    );
  });
});
