import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { PlatenError } from "../plugin-api/index.js";
import type { HttpContext } from "./middleware.js";

/** The smaller first. */
const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

interface FileFacts {
  size: number;
  etag: string;
}

/** Serves a folder that the build has written. The folder is listed once: only files that it had then are ever sent. */
export class StaticFiles {
  #files: Promise<ReadonlyMap<string, FileFacts>> | null = null;

  constructor(private readonly folder: string) {}

  /** @param name below the folder. @throws PlatenError `unavailable` when the folder was not built. */
  async has(name: string): Promise<boolean> {
    return (await this.#list()).has(name);
  }

  /** Sends a file for which `has` is true, compressed if the browser accepts that; 304 if the browser has it already. */
  async send(
    ctx: HttpContext,
    name: string,
    cacheControl: string,
    status = 200,
  ): Promise<void> {
    const files = await this.#list();
    const match = encodings.find(
      ([encoding, ending]) =>
        files.has(name + ending) && ctx.acceptsEncodings(encoding) !== false,
    );
    const [encoding, ending] = match ?? ["", ""];
    const { size, etag } = files.get(name + ending) ?? { size: 0, etag: "" };
    ctx.set("cache-control", cacheControl);
    ctx.vary("accept-encoding");
    if (encoding !== "") ctx.set("content-encoding", encoding);
    ctx.status = status;
    ctx.type = extname(name);
    ctx.etag = etag;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.body = createReadStream(join(this.folder, name + ending));
    ctx.length = size;
  }

  #list(): Promise<ReadonlyMap<string, FileFacts>> {
    this.#files ??= listFiles(this.folder).catch((cause: unknown) => {
      this.#files = null;
      throw new PlatenError(
        "unavailable",
        "These pages were not built. Run `npm run build`, then load the page again.",
        { cause },
      );
    });
    return this.#files;
  }
}

async function listFiles(
  folder: string,
): Promise<ReadonlyMap<string, FileFacts>> {
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  });
  const facts = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { size, mtimeMs } = await stat(path);
      const etag = `${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}`;
      return [
        relative(folder, path).split(sep).join("/"),
        { size, etag },
      ] as const;
    });
  return new Map(await Promise.all(facts));
}
