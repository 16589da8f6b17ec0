import { expect } from "chai";
import { describe, it } from "mocha";
import { ThumbnailLinks } from "../../../core/storage/files/index.js";

describe("a thumbnail's link", () => {
  const links = new ThumbnailLinks("http://here", "a".repeat(32));
  const url = links.create("template", "hash");
  const key = /^http:\/\/here\/thumbnails\/template\/([\w-]{43})\.png$/.exec(
    url,
  )?.[1];

  it("is valid only for its template and definition", () => {
    expect(links.isKey("template", "hash", key ?? "")).to.equal(true);
    expect(links.isKey("template", "other", key ?? "")).to.equal(false);
    expect(links.isKey("other", "hash", key ?? "")).to.equal(false);
    expect(links.isKey("template", "hash", "")).to.equal(false);
  });
});
