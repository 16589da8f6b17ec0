import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import type { AssetView } from "../../core/assets/index.js";
import { formatError } from "../../core/plugin-api/index.js";
import * as tokens from "../../core/app/tokens.js";
import { newCaller, type TestCaller } from "../support/caller.js";
import { plain } from "../support/image-gallery.js";
import { useService } from "../support/service.js";

describe("a file path on a local server", () => {
  const service = useService();
  let root: string;
  let caller: TestCaller;

  before(async () => {
    caller = await newCaller(service);
    const png = await plain("teal").png().toBuffer();
    const outside = join(service.dataFolder, "outside");
    root = join(service.dataFolder, "root");
    for (const folder of [outside, root, join(root, "inner")])
      await mkdir(folder);
    await writeFile(join(outside, "a.png"), png);
    await writeFile(`${root}-beside.png`, png);
    await writeFile(join(root, "inner", "a.png"), png);
    await symlink(join(root, "inner"), join(root, "within"));
    await symlink(outside, join(root, "out"));
    await symlink(join(outside, "a.png"), join(root, "a.png"));
    execFileSync("mkfifo", [join(root, "pipe")]);
  });

  const read = (filePath: string): Promise<AssetView> =>
    service.container
      .resolve(tokens.ASSETS)
      .upload(caller, { name: "a", filePath }, { actor: operator, root });

  it("reads files inside the folder, whatever their names are", async () => {
    for (const path of [
      "inner/a.png",
      "./inner/../inner/a.png",
      join(root, "inner/a.png"),
      "within/a.png",
    ])
      expect(await read(path), path).to.include({ mimeType: "image/png" });
  });

  for (const path of [
    "../outside/a.png",
    "/etc/passwd",
    "out/a.png",
    "a.png",
    "../root-beside.png",
    "inner",
    ".",
    "pipe",
    "none.png",
    "inner/a.png\0.txt",
  ])
    it(`rejects paths outside, links and anything that is not a file: ${JSON.stringify(path)}`, async () => {
      const rejected = await read(path).catch((error: unknown) => error);
      expect(formatError(rejected)).to.contain(
        "$.filePath: is not a readable file in the",
      );
    });
});
