import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import {
  clock,
  PlatformError,
  type RequestState,
  SIGN_FIELD_TYPES,
  type Signer,
} from "../../core/plugin-api/index.js";

/** Appears on everything that this provider creates. */
export const demoNotice = "DEMO, not legally binding";

const fieldSchema = z.object({
  name: z.string(),
  role: z.string(),
  type: z.enum(SIGN_FIELD_TYPES),
  required: z.boolean(),
  options: z.array(z.string()).default([]),
  page: z.number(),
  x: z.number(),
  y: z.number(),
  w: z.number(),
  h: z.number(),
});
export type StoredField = z.infer<typeof fieldSchema>;

const signerSchema = z.object({
  role: z.string(),
  email: z.string(),
  name: z.string(),
  order: z.number(),
  values: z.record(z.string(), z.unknown()),
  /** Part of the address of the signer's page. */
  token: z.string(),
});
export type StoredSigner = z.infer<typeof signerSchema>;

/** The content of `request.json`, which never changes. */
const requestSchema = z.object({
  id: z.string(),
  title: z.string(),
  expiresAt: z.iso.datetime().nullable(),
  message: z.string(),
  /** Requests of earlier versions have none. */
  redirectUrl: z.string().nullable().default(null),
  pages: z.number(),
  sizeBytes: z.number(),
  /** Of the document to sign, in hex. */
  sha256: z.string(),
  fields: z.array(fieldSchema),
  signers: z.array(signerSchema),
});
export type StoredRequest = z.infer<typeof requestSchema>;

/** A signer's first answer, which counts. */
const answerSchema = z.object({
  kind: z.enum(["signed", "declined"]),
  at: z.iso.datetime(),
  reason: z.string().default(""),
  values: z.record(z.string(), z.string()).default({}),
});
export type StoredAnswer = z.infer<typeof answerSchema>;

/** A request and what has happened to it. Lists are in the order of the signers. */
export interface DemoRequest {
  request: StoredRequest;
  /** null: the signer has not answered yet. */
  answers: readonly (StoredAnswer | null)[];
  /** When each signer first opened the page, in ISO 8601; null: not yet. */
  opened: readonly (string | null)[];
  isCanceled: boolean;
}

export function getRequestStatus(
  { request, answers, isCanceled }: DemoRequest,
  now: Date,
): RequestState["status"] {
  if (answers.every((answer) => answer?.kind === "signed")) return "completed";
  if (answers.some((answer) => answer?.kind === "declined")) return "declined";
  if (isCanceled) return "canceled";
  const { expiresAt } = request;
  return expiresAt !== null && new Date(expiresAt) <= now
    ? "expired"
    : "pending";
}

/** Whether all signers of the earlier groups have signed. */
export function canSignNow(
  { request: { signers }, answers }: DemoRequest,
  signer: number,
): boolean {
  const order = signers[signer]?.order ?? 0;
  return signers.every(
    (other, at) => other.order >= order || answers[at]?.kind === "signed",
  );
}

export function getSignerStatus(
  demo: DemoRequest,
  signer: number,
): Signer["status"] {
  const answer = demo.answers[signer];
  if (answer) return answer.kind === "signed" ? "completed" : "declined";
  if (!canSignNow(demo, signer)) return "waiting";
  return demo.opened[signer] ? "opened" : "sent";
}

const idPattern = /^demo_[0-9a-f]{32}$/;

/**
 * The requests of one connection, one folder each. Files are written once, atomically, and never changed, so any number
 * of processes may read and write them, and a crash leaves no partial file.
 */
export class RequestStore {
  constructor(private readonly folder: string) {}

  /** Does nothing when the request exists. */
  async add(request: StoredRequest, pdf: Uint8Array): Promise<void> {
    const draft = join(this.folder, `draft-${randomBytes(8).toString("hex")}`);
    await mkdir(draft, { mode: 0o700 });
    const isPrivate = { mode: 0o600 };
    await writeFile(join(draft, "document.pdf"), pdf, isPrivate);
    const text = JSON.stringify(request);
    await writeFile(join(draft, "request.json"), text, isPrivate);
    try {
      await rename(draft, join(this.folder, request.id));
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      if (!isExistsError(error)) throw error;
    }
  }

  /** Returns null for an unknown id. */
  async find(id: string): Promise<DemoRequest | null> {
    if (!idPattern.test(id)) return null;
    const text = await this.readText(id, "request.json");
    if (text === null) return null;
    const request = requestSchema.parse(JSON.parse(text));
    const signers = [...request.signers.keys()];
    const [answers, opened, canceled] = await Promise.all([
      Promise.all(
        signers.map(async (signer) => {
          const answer = await this.readText(id, `answer-${signer}.json`);
          return answer === null
            ? null
            : answerSchema.parse(JSON.parse(answer));
        }),
      ),
      Promise.all(
        signers.map((signer) => this.readText(id, `opened-${signer}`)),
      ),
      this.readText(id, "canceled"),
    ]);
    return { request, answers, opened, isCanceled: canceled !== null };
  }

  /** @throws PlatformError `not_found`. */
  async get(id: string): Promise<DemoRequest> {
    const demo = await this.find(id);
    if (demo !== null) return demo;
    throw new PlatformError("not_found", "The demo request does not exist.");
  }

  readPdf(id: string): Promise<Uint8Array> {
    return readFile(join(this.folder, id, "document.pdf"));
  }

  /** Keeps the signer's first answer. */
  async answer(
    id: string,
    signer: number,
    answer: StoredAnswer,
  ): Promise<void> {
    await this.writeOnce(id, `answer-${signer}.json`, JSON.stringify(answer));
  }

  async markOpened(id: string, signer: number): Promise<void> {
    await this.writeOnce(id, `opened-${signer}`, clock.date().toISOString());
  }

  async cancel(id: string): Promise<void> {
    await this.writeOnce(id, "canceled", "");
  }

  private async readText(id: string, name: string): Promise<string | null> {
    try {
      return await readFile(join(this.folder, id, name), "utf8");
    } catch (error) {
      if (getCode(error) === "ENOENT") return null;
      throw error;
    }
  }

  /** Writes a temporary file and links it: the file appears whole, and an existing one is kept. */
  private async writeOnce(id: string, name: string, text: string) {
    const path = join(this.folder, id, name);
    const temporary = `${path}.${randomBytes(8).toString("hex")}`;
    await writeFile(temporary, text, { mode: 0o600 });
    try {
      await link(temporary, path);
    } catch (error) {
      if (!isExistsError(error)) throw error;
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

function isExistsError(error: unknown): boolean {
  return ["EEXIST", "ENOTEMPTY"].includes(String(getCode(error)));
}

function getCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

const timeFormat = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

/** Formats an ISO 8601 time as "21 November 2026 at 19:10 UTC". */
export function formatTime(iso: string): string {
  return `${timeFormat.format(new Date(iso))} UTC`;
}

/** "1 page", "2 pages". */
export function formatPages(pages: number): string {
  return pages === 1 ? "1 page" : `${pages} pages`;
}
