import { PlatenError } from "../../plugin-api/index.js";
import { LinkSigner } from "./link-signer.js";

export interface LinkTarget {
  documentId: string;
  label: string;
  /** The document's file name; the link carries an ASCII form of it, for people to read. */
  filename: string;
  expiresAt: Date;
}

const shape =
  /^(\/files\/([\w-]+)\/([\w-]+)\/[\w.-]+\?expires=(\d+))&signature=([\w-]+)$/;

/**
 * Download links that need no key: `<base>/files/<document>/<label>/<name>?expires=<ms>&signature=<text>`. The
 * signature covers every character before it, as written, so a changed link is no link of ours.
 */
export class StoredLinks {
  private readonly signer: LinkSigner;
  private readonly earlier: readonly LinkSigner[];

  /** @param earlierSecrets what the secret was before: links that were signed with one are good until they expire. */
  constructor(
    private readonly baseUrl: string,
    secret: string,
    earlierSecrets: readonly string[] = [],
  ) {
    this.signer = signerOf(secret);
    this.earlier = earlierSecrets.map(signerOf);
  }

  create(target: LinkTarget): string {
    const { documentId, label, filename, expiresAt } = target;
    const text = `/files/${documentId}/${label}/${asciiName(filename)}?expires=${expiresAt.getTime()}`;
    return `${this.baseUrl}${text}&signature=${this.signer.sign(text)}`;
  }

  /**
   * @param address path and query as they came, undecoded.
   * @throws PlatenError `not_found` for what we never signed, `gone` for what has expired.
   */
  read(address: string, now: Date): { documentId: string; label: string } {
    const [, text, documentId, label, expires, signature] =
      shape.exec(address) ?? [];
    if (!text || !documentId || !label || !signature) throw noSuchLink();
    const signers = [this.signer, ...this.earlier];
    if (!signers.some((signer) => signer.matches(text, signature)))
      throw noSuchLink();
    if (Number(expires) <= now.getTime()) throw expired(Number(expires));
    return { documentId, label };
  }
}

function signerOf(secret: string): LinkSigner {
  return new LinkSigner(secret, "platen/files/v1");
}

function noSuchLink(): PlatenError {
  return new PlatenError(
    "not_found",
    "There is no such file. Use the link exactly as it was given.",
  );
}

function expired(at: number): PlatenError {
  const when = new Date(at).toISOString();
  return new PlatenError(
    "gone",
    `This download link expired at ${when}. Render the document again for a new one.`,
  );
}

/** Letters, digits, `.`, `_` and `-` alone: nothing that a mail client or a proxy would write in another way. */
function asciiName(filename: string): string {
  const extension = /\.[a-z0-9]+$/i.exec(filename)?.[0] ?? "";
  const stem = filename
    .slice(0, filename.length - extension.length)
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return `${stem || "document"}${extension}`;
}
