import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "mocha";

/** A new empty folder for the suite that calls this, removed with all that is in it at the suite's end. */
export function suiteFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "platen-test-"));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
