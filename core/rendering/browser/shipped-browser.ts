import { createReadStream, createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import tar from "tar-fs";

const require = createRequire(import.meta.url);
const PACKAGE = "@sparticuz/chromium";

/** Name of the shipped browser's folder, or null where its binary cannot run. */
export async function shippedVersion(): Promise<string | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const text = await readFile(join(packageFolder(), "package.json"), "utf8");
  const { version }: { version: string } = JSON.parse(text);
  return version;
}

/** Unpacks the headless shell and the shared libraries that slim systems lack. */
export async function unpackShippedBrowser(folder: string): Promise<void> {
  const packed = join(packageFolder(), "bin");
  await Promise.all([
    pipeline(
      createReadStream(join(packed, "chromium.br")),
      createBrotliDecompress(),
      createWriteStream(join(folder, "chromium"), { mode: 0o755 }),
    ),
    pipeline(
      createReadStream(join(packed, "al2023.tar.br")),
      createBrotliDecompress(),
      tar.extract(folder),
    ),
  ]);
}

/** Found from its main file, `build/index.js`: the package exports nothing else. */
function packageFolder(): string {
  return join(dirname(require.resolve(PACKAGE)), "..");
}
