import { z } from "zod";
import { googleErrors } from "./google-errors.js";

export interface DriveFile {
  id: string;
  name: string;
  mimeType: string;
  parents: readonly string[];
  bytes: Uint8Array;
  owner: string;
}

const metadata = z.object({
  name: z.string(),
  mimeType: z.string(),
  parents: z.array(z.string()).default([]),
});
type Metadata = z.infer<typeof metadata>;

/** Files and folders. */
export class FakeDrive {
  readonly files = new Map<string, DriveFile>();
  readonly sharedFolders = new Set<string>();
  readonly sessions = new Map<string, { owner: string; about: Metadata }>();

  /** @returns the id of a folder in a Shared Drive. */
  addSharedFolder(): string {
    const id = `folder-${this.sharedFolders.size}-shared`;
    this.sharedFolders.add(id);
    return id;
  }

  /** The two parts of `multipart/related`: what it is, and its bytes. */
  createMultipart(
    owner: string,
    isServiceAccount: boolean,
    type: string,
    body: Uint8Array,
  ): DriveFile {
    const boundary = /boundary=(.+)$/.exec(type)?.[1] ?? "";
    const text = Buffer.from(body).toString("latin1");
    const [, first = "", second = ""] = text.split(`--${boundary}`);
    const about: unknown = JSON.parse(utf8(contentOf(first)));
    const bytes = Buffer.from(contentOf(second), "latin1");
    return this.keep(owner, isServiceAccount, metadata.parse(about), bytes);
  }

  /** @returns the id of an upload that tells its bytes next. */
  startResumable(owner: string, body: Uint8Array): string {
    const id = `session-${this.sessions.size}`;
    const about: unknown = JSON.parse(new TextDecoder().decode(body));
    this.sessions.set(id, { owner, about: metadata.parse(about) });
    return id;
  }

  finishResumable(
    id: string,
    isServiceAccount: (owner: string) => boolean,
    bytes: Uint8Array,
  ): DriveFile {
    const session = this.sessions.get(id);
    if (!session) throw googleErrors.notFound();
    const { owner, about } = session;
    return this.keep(owner, isServiceAccount(owner), about, bytes);
  }

  private keep(
    owner: string,
    isServiceAccount: boolean,
    about: Metadata,
    bytes: Uint8Array,
  ): DriveFile {
    const isShared = about.parents.some((id) => this.sharedFolders.has(id));
    if (about.parents.length > 0 && !isShared) throw googleErrors.notFound();
    if (isServiceAccount && !isShared) throw googleErrors.storage();
    const id = `file-${String(this.files.size).padStart(20, "0")}`;
    const file = { id, ...about, bytes, owner };
    this.files.set(id, file);
    return file;
  }
}

function contentOf(part: string): string {
  const at = part.indexOf("\r\n\r\n");
  return part.slice(at + 4).replace(/\r\n$/, "");
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8");
}
