import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { suiteFolder } from "../support/store-folder.js";

const script = "scripts/supply-chain.mjs";
const folder = suiteFolder();

interface Package {
  license?: string;
  dev?: boolean;
}

/** Runs the check of licenses on a clone with these packages, some of which are bundled. */
async function readLicenses(
  packages: Record<string, Package>,
  bundled: readonly string[] = [],
): Promise<{ code: unknown; output: string }> {
  const clone = join(folder, String(Math.random()).slice(2));
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(clone, name)), { recursive: true });
    await writeFile(join(clone, name), text);
  };
  const lock = Object.fromEntries(
    Object.entries(packages).map(([name, one]) => [
      `node_modules/${name}`,
      { version: "1.0.0", ...one },
    ]),
  );
  await write("package-lock.json", JSON.stringify({ packages: lock }));
  const rule = `\n${"-".repeat(80)}\n\n`;
  const notices = bundled.map((name) => `${name} 1.0.0 (MIT)\n\nText\n`);
  await write("dist/THIRD-PARTY-LICENSES.txt", notices.join(rule));
  await write("dist/studio/THIRD-PARTY-LICENSES.txt", "");
  return new Promise((resolve) => {
    const args = [script, "licenses", clone];
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

describe("the check of licenses", () => {
  it("lists all shipped packages by their license", async () => {
    const { code, output } = await readLicenses({
      one: { license: "MIT" },
      "@scope/two": { license: "(GPL-3.0-only OR (MIT AND ISC))" },
      "@img/sharp-libvips-linux-x64": { license: "LGPL-3.0-or-later" },
      tool: { license: "GPL-3.0-only", dev: true },
    });
    expect(code, output).to.equal(0);
    expect(output).to.contain("one@1.0.0").and.contain("@scope/two@1.0.0");
    expect(output).to.contain("3 packages").and.not.contain("tool");
  });

  for (const [description, license] of [
    ["forbidden", "GPL-3.0-only"],
    ["forbidden in part", "MIT AND AGPL-3.0-only"],
    ["unknown", "SEE LICENSE IN LICENSE.txt"],
    ["broken", "(MIT"],
    ["missing", undefined],
    ["allowed for other packages only", "LGPL-3.0-or-later"],
  ] as const)
    it(`fails for a license that is ${description}, and names the package`, async () => {
      const { code, output } = await readLicenses({
        fine: { license: "MIT" },
        "@scope/bad": { ...(license && { license }) },
      });
      expect(code).to.equal(1);
      expect(output).to.match(/not allowed[^]*@scope\/bad@1\.0\.0/);
    });

  it("fails for a package that is needed for development only, but bundled", async () => {
    const packages = { bad: { license: "GPL-3.0-only", dev: true } };
    expect((await readLicenses(packages)).code).to.equal(0);
    expect((await readLicenses(packages, ["bad"])).code).to.equal(1);
  });
});

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
      integrity: z.string().optional(),
    }),
  ),
});

describe("the lock file", () => {
  it("has a checksum for each package, and none under dependencies with an install script", async () => {
    const text = await readFile("package-lock.json", "utf8");
    const { packages } = lockSchema.parse(JSON.parse(text));
    const { "": _platen, ...others } = packages;
    const entries = Object.entries(others);
    expect(entries.filter(([, { integrity }]) => !integrity)).to.eql([]);
    const scripts = entries.filter(
      ([, { hasInstallScript, dev, devOptional }]) =>
        hasInstallScript && !dev && !devOptional,
    );
    expect(scripts.map(([path]) => path)).to.eql([]);
  });
});
