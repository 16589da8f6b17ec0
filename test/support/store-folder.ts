import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set<string>();

/** A new empty folder for the suite that calls this, removed with all that is in it at the end of the suite or run. */
export function suiteFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "platen-test-"));
  folders.add(folder);
  after(async () => {
    // Retried: a request whose caller has hung up, such as a closed browser, may still write its last file.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    folders.delete(folder);
  });
  return folder;
}

/** After a run that was interrupted. */
export function removeFolders(): void {
  for (const folder of folders)
    rmSync(folder, { recursive: true, force: true });
}

const sizeKb = 4096;

interface SmallDisk {
  /** Takes the last byte of it. */
  fill(): void;
  free(): void;
}

/** Works with a small disk in place of a folder. Only root may mount one: anybody else has nothing to try it with. */
export async function withSmallDisk(
  folder: string,
  work: (disk: SmallDisk) => Promise<void>,
): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const size = `size=${sizeKb}k`;
  execFileSync("mount", ["-t", "tmpfs", "-o", size, "none", folder]);
  const ballast = join(folder, "ballast");
  const disk = { fill: () => fill(ballast), free: () => rmSync(ballast) };
  await work(disk).finally(() => execFileSync("umount", ["--lazy", folder]));
}

function fill(file: string): void {
  try {
    writeFileSync(file, Buffer.alloc(2 * sizeKb * 1024));
  } catch {
    // It is full, as wanted.
  }
}
