import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PlatformError } from "../../core/plugin-api/index.js";
import {
  type DemoRequest,
  type KeptAnswer,
  keptAnswer,
  type KeptRequest,
  keptRequest,
} from "./kept-request.js";

const plainId = /^demo_[0-9a-f]{32}$/;

/**
 * The requests of one connection, a folder each. A file is written once, whole, and never changed: so any number of
 * processes may look and write, and none can be ended in the middle.
 */
export class RequestFolder {
  constructor(private readonly folder: string) {}

  /** Does nothing when it is there already. */
  async add(request: KeptRequest, pdf: Uint8Array): Promise<void> {
    const draft = join(this.folder, `draft-${randomBytes(8).toString("hex")}`);
    await mkdir(draft);
    await writeFile(join(draft, "document.pdf"), pdf);
    await writeFile(join(draft, "request.json"), JSON.stringify(request));
    try {
      await rename(draft, this.placeOf(request.id));
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      if (!isThere(error)) throw error;
    }
  }

  /** Null: there is none with this id. */
  async read(id: string): Promise<DemoRequest | null> {
    if (!plainId.test(id)) return null;
    const text = await this.textOf(id, "request.json");
    if (text === null) return null;
    const request = keptRequest.parse(JSON.parse(text));
    const places = [...request.signers.keys()];
    const [answers, opened, canceled] = await Promise.all([
      Promise.all(places.map((place) => this.answerOf(id, place))),
      Promise.all(places.map((place) => this.textOf(id, `opened-${place}`))),
      this.has(id, "canceled"),
    ]);
    return { request, answers, opened, isCanceled: canceled };
  }

  /** @throws PlatformError `not_found`. */
  async require(id: string): Promise<DemoRequest> {
    const found = await this.read(id);
    if (found !== null) return found;
    throw new PlatformError("not_found", "there is no such demo request.");
  }

  async pdfOf(id: string): Promise<Uint8Array> {
    return readFile(join(this.placeOf(id), "document.pdf"));
  }

  /** @returns whether it is the first answer of this signer. */
  answer(id: string, place: number, answer: KeptAnswer): Promise<boolean> {
    return this.note(id, `answer-${place}.json`, JSON.stringify(answer));
  }

  async open(id: string, place: number): Promise<void> {
    await this.note(id, `opened-${place}`, new Date().toISOString());
  }

  async cancel(id: string): Promise<void> {
    await this.note(id, "canceled", "");
  }

  private placeOf(id: string): string {
    return join(this.folder, id);
  }

  private async answerOf(
    id: string,
    place: number,
  ): Promise<KeptAnswer | null> {
    const text = await this.textOf(id, `answer-${place}.json`);
    return text === null ? null : keptAnswer.parse(JSON.parse(text));
  }

  private async has(id: string, name: string): Promise<boolean> {
    return (await this.textOf(id, name)) !== null;
  }

  private async textOf(id: string, name: string): Promise<string | null> {
    try {
      return await readFile(join(this.placeOf(id), name), "utf8");
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    }
  }

  /** Writes beside and links: the file is there whole, or not at all, and whoever comes second does not overwrite it. */
  private async note(id: string, name: string, text: string): Promise<boolean> {
    const path = join(this.placeOf(id), name);
    const beside = `${path}.${randomBytes(8).toString("hex")}`;
    await writeFile(beside, text);
    try {
      await link(beside, path);
      return true;
    } catch (error) {
      if (isThere(error)) return false;
      throw error;
    } finally {
      await rm(beside, { force: true });
    }
  }
}

function isThere(error: unknown): boolean {
  return ["EEXIST", "ENOTEMPTY"].includes(String(codeOf(error)));
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
