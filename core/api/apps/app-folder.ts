import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { type AppFiles, PlatenError } from "../../plugin-api/index.js";
import type { HttpContext } from "../context.js";

/** The smaller first. */
const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Own scripts, styles and fonts alone; nothing inline, and no page may frame it. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'";

/** The page, ready to be sent. */
interface Index {
  text: string;
  etag: string;
}

/** The files of an app. What is in its folder is looked at once: only what was found then is ever sent. */
export class AppFolder {
  #files: Promise<ReadonlyMap<string, number>> | null = null;
  #index: Promise<Index> | null = null;

  /** @param at the app's path as browsers know it, without a slash at the end. */
  constructor(
    private readonly app: AppFiles,
    private readonly at: string,
  ) {}

  /** @param name below the app's path. @throws PlatenError `not_found`. */
  async send(ctx: HttpContext, name: string): Promise<void> {
    const files = await this.#list();
    const isFile = name !== "index.html" && files.has(name);
    if (isFile) this.#sendFile(ctx, name, files);
    else if (isPage(name, this.app)) await this.#sendIndex(ctx);
    else
      throw new PlatenError(
        "not_found",
        `There is no ${ctx.method} ${ctx.path}.`,
      );
  }

  #sendFile(
    ctx: HttpContext,
    name: string,
    files: ReadonlyMap<string, number>,
  ): void {
    const hasHash = name.startsWith(`${this.app.hashed}/`);
    ctx.set(
      "cache-control",
      hasHash ? "public, max-age=31536000, immutable" : "public, no-cache",
    );
    ctx.vary("accept-encoding");
    const found = encodings.find(
      ([encoding, ending]) =>
        files.has(name + ending) && ctx.acceptsEncodings(encoding) !== false,
    );
    const [encoding, ending] = found ?? ["", ""];
    const sent = name + ending;
    if (encoding !== "") ctx.set("content-encoding", encoding);
    ctx.type = extname(name);
    ctx.body = createReadStream(join(this.app.folder, sent));
    ctx.length = files.get(sent) ?? 0;
  }

  async #sendIndex(ctx: HttpContext): Promise<void> {
    this.#index ??= this.#readIndex();
    const { text, etag } = await this.#index;
    ctx.set({
      "content-security-policy": policy,
      // Forms of ours are to say where they come from; other sites learn nothing.
      "referrer-policy": "same-origin",
      "cache-control": "no-cache",
    });
    ctx.status = 200;
    ctx.type = "text/html";
    ctx.etag = etag;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = text;
  }

  async #readIndex(): Promise<Index> {
    const file = join(this.app.folder, "index.html");
    const told = await readFile(file, "utf8");
    const text = told.replaceAll("/app-base/", `${this.at}/`);
    const etag = createHash("sha256").update(text).digest("hex").slice(0, 32);
    return { text, etag };
  }

  #list(): Promise<ReadonlyMap<string, number>> {
    this.#files ??= sizesBelow(this.app.folder).catch((cause: unknown) => {
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

/** Paths of pages have no ending; the app's own script tells them apart. */
function isPage(name: string, { hashed }: AppFiles): boolean {
  if (name === "index.html") return true;
  if (name.startsWith("api/") || name.startsWith(`${hashed}/`)) return false;
  return extname(name) === "";
}

async function sizesBelow(
  folder: string,
): Promise<ReadonlyMap<string, number>> {
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const below = relative(folder, path).split(sep).join("/");
      return [below, (await stat(path)).size] as const;
    });
  return new Map(await Promise.all(sizes));
}
