import { expect } from "chai";
import { describe, it } from "mocha";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { StoredLinks } from "../../../core/storage/files/index.js";

const base = "https://documents.example.com/platen";
const links = new StoredLinks(base, ["a secret of thirty-two characters"]);
const now = new Date("2026-07-31T12:00:00Z");
const expiresAt = new Date("2026-07-31T12:00:01Z");
const target = { documentId: "doc_1-a", label: "pdf", expiresAt };

function create(filename: string): string {
  return links.create({ ...target, filename }).slice(base.length);
}

function createCode(address: string, at = now): string {
  try {
    links.read(address, at);
    return "good";
  } catch (error) {
    return error instanceof PlatenError ? error.code : String(error);
  }
}

describe("a download link", () => {
  const address = create("Invoice 7.pdf");

  it("identifies its document and label", () => {
    expect(links.read(address, now)).to.deep.equal({
      documentId: "doc_1-a",
      label: "pdf",
    });
  });

  it("is gone after its expiry", () => {
    expect(createCode(address, expiresAt)).to.equal("gone");
  });

  it("is not found with any character changed, added or removed", () => {
    for (let at = 0; at < address.length; at += 1)
      for (const other of ["A", "B", "7", "%41", ""]) {
        const changed = address.slice(0, at) + other + address.slice(at + 1);
        if (changed !== address)
          expect(createCode(changed), changed).to.equal("not_found");
      }
    expect(createCode(`${address}A`)).to.equal("not_found");
    expect(createCode(`${address}&a=1`)).to.equal("not_found");
  });

  it("is not found under another secret", () => {
    const others = new StoredLinks(base, ["another of thirty-two characters!"]);
    expect(() => others.read(address, now)).to.throw("File not found");
  });

  it("stays valid while the previous secret is configured", () => {
    const changed = new StoredLinks(base, [
      "another of thirty-two characters!",
      "a secret of thirty-two characters",
    ]);
    expect(changed.read(address, now).documentId).to.equal("doc_1-a");
    const fresh = changed.create({ ...target, filename: "a.pdf" });
    expect(createCode(fresh.slice(base.length))).to.equal("not_found");
  });

  it("contains an ASCII file name that nothing rewrites", () => {
    expect(create("Rechnung Nr. 7 – Müller.pdf")).to.contain(
      "/Rechnung-Nr.-7-Muller.pdf?",
    );
    expect(create("請求書.pdf")).to.contain("/document.pdf?");
    expect(createCode(create("a?b#c&d=e/f\\g.pdf"))).to.equal("good");
  });
});
