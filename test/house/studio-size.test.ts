import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { describe, it } from "mocha";

const folder = "dist/studio/assets";
/**
 * Fonts for other scripts are loaded by pages that have their letters; the viewer of PDFs (`.mjs`) when somebody asks
 * for a preview.
 */
const isLoaded = (name: string) =>
  /\.(?:js|css|svg)$|-latin-wght-.*\.woff2$/.test(name);

function sizeOf(name: string): number {
  const path = join(folder, name);
  if (name.endsWith(".woff2")) return statSync(path).size;
  return gzipSync(readFileSync(path), { level: 9 }).length;
}

describe("the studio", () => {
  it("is loaded within 300 kB, compressed", () => {
    const names = readdirSync(folder).filter(isLoaded);
    expect(names.filter((name) => name.endsWith(".js"))).to.have.length.above(
      0,
    );
    const bytes = names.reduce((sum, name) => sum + sizeOf(name), 0);
    expect(bytes).to.be.above(10_000).and.below(300_000);
  });
});
