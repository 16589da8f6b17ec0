import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { systemCode } from "./system-code.js";

// Names are `<process id>.<random>.<host>`: a sweep can tell what a dead process left from what a live one writes.
const foreignAgeMs = 60 * 60_000;

/** The folder in which files are written before they are renamed into their place, on the same file system. */
export class TemporaryFiles {
  constructor(private readonly folder: string) {}

  /** A path that nobody else uses. */
  newPath(): string {
    const random = randomBytes(12).toString("hex");
    return join(this.folder, `${process.pid}.${random}.${hostname()}`);
  }

  /** Makes the folder and removes what dead processes left in it. Call before the first write. */
  async sweep(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.folder))
      if (await this.isLeftover(name))
        await rm(join(this.folder, name), { force: true });
  }

  /** Another host's process cannot be asked, so its files must be old. Our own id is a former life's. */
  private async isLeftover(name: string): Promise<boolean> {
    const [pid, , ...host] = name.split(".");
    if (host.join(".") === hostname()) return !isAlive(Number(pid));
    const found = await stat(join(this.folder, name)).catch(() => null);
    return found !== null && Date.now() - found.mtimeMs > foreignAgeMs;
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}
