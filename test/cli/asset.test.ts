import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import sharp from "sharp";
import { greatVibes } from "../support/assets.js";
import { cliOn, json } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";

describe("platen asset", () => {
  const folder = suiteFolder();
  const cli = cliOn(folder);

  it("detects a picture by its content and rejects other files", async () => {
    const acme = ["--name", "Acme", "--plan", "free"];
    const org = (await json(cli, "org", "create", ...acme)).id ?? "";
    const file = join(folder, "logo.jpeg");
    await sharp({
      create: { width: 30, height: 20, channels: 3, background: "teal" },
    })
      .png()
      .toFile(file);
    const added = await json(cli, "asset", "add", file, "--org", org);
    expect(added).to.include({
      name: "logo.jpeg",
      assetType: "image",
      mimeType: "image/png",
      width: 30,
      height: 20,
    });
    const list = await cli("asset", "list", "--org", org, "--search", "LOGO");
    expect(list.stdout).to.match(/logo\.jpeg +image\/png/);
    const rejected = await cli("asset", "add", "package.json", "--org", org);
    expect(rejected.code).to.equal(1);
    expect(rejected.stderr).to.include("Use png, jpg, webp, gif");
  });

  it("stores a font and prints the family name that styles use", async () => {
    const fonts = ["--name", "Fonts", "--plan", "free"];
    const org = (await json(cli, "org", "create", ...fonts)).id ?? "";
    const file = join(folder, "hand.ttf");
    await writeFile(file, await greatVibes());
    const added = await cli("asset", "add", file, "--org", org);
    expect(added.stdout).to.contain('font-family: "Great Vibes"');
    const torn = (await greatVibes()).subarray(0, 400);
    await writeFile(file, torn);
    const rejected = await cli("asset", "add", file, "--org", org);
    expect(rejected.code).to.equal(1);
    expect(rejected.stderr).to.include("The font is damaged");
  });
});
