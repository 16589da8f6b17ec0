import { readFileSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { loadSecret } from "../../config/index.js";
import { suiteFolder } from "../support/store-folder.js";

const load = (dataFolder: string) => loadSecret({ secret: null, dataFolder });

describe("loadSecret", () => {
  const folder = suiteFolder();

  it("creates a secret that only the owner can read, and returns the same one later", async () => {
    const data = join(folder, "first");
    const secret = await load(data);
    expect(secret).to.have.length.of.at.least(64);
    expect(statSync(join(data, "secret")).mode & 0o777).to.equal(0o600);
    expect(await load(data)).to.equal(secret);
  });

  it("returns the same secret to processes that start together", async () => {
    const data = join(folder, "many");
    const secrets = await Promise.all(
      Array.from({ length: 20 }, () => load(data)),
    );
    expect(new Set(secrets).size).to.equal(1);
    expect(await readdir(data)).to.deep.equal(["secret"]);
    expect(readFileSync(join(data, "secret"), "utf8").trim()).to.equal(
      secrets[0],
    );
  });

  it("rejects a damaged secret, since replacing it would invalidate all links", async () => {
    writeFileSync(join(folder, "secret"), "short");
    const error = await load(folder).catch((reason: unknown) => reason);
    expect(error).to.be.an("error").with.property("message");
    expect(String(error)).to.include("Restore it from a backup");
  });

  it("returns the configured secret instead", async () => {
    const secret = "s".repeat(32);
    expect(await loadSecret({ secret, dataFolder: folder })).to.equal(secret);
  });
});
