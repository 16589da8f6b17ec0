import * as z from "zod";
import { PlatformError, type SignedFile } from "../../core/plugin-api/index.js";
import { ask, type DocusealContext } from "./client.js";
import { submission } from "./submission.js";

const documents = z.looseObject({
  documents: z.array(z.looseObject({ url: z.string() })),
});

/**
 * The signed PDF and its audit trail. Links to them live for 40 minutes, so each is asked for just before it is fetched.
 * @throws PlatformError `unavailable` while DocuSeal is still making them.
 */
export async function download(
  context: DocusealContext,
  id: string,
): Promise<SignedFile[]> {
  const path = `/submissions/${encodeURIComponent(id)}`;
  const merged = `${path}/documents?merge=true`;
  const [first] = (await ask(context, merged, documents)).documents;
  if (!first) throw unfinished("has not made the signed PDF yet.");
  const signed = await fetchPdf(context, first.url);
  const files: SignedFile[] = [fileOf("signed", signed)];
  const { audit_log_url: audit } = await ask(context, path, submission);
  if (audit) files.push(fileOf("audit", await fetchPdf(context, audit)));
  return files;
}

function fileOf(label: SignedFile["label"], bytes: Uint8Array): SignedFile {
  return { label, mimeType: "application/pdf", bytes };
}

/** Without the key: the file may lie with somebody else, to whom DocuSeal then leads. */
async function fetchPdf(
  context: DocusealContext,
  url: string,
  hops = 3,
): Promise<Uint8Array> {
  const { status, headers, body } = await context.http(url);
  const next = nextAddress(status, headers["location"], url);
  if (next !== null && hops > 0) return fetchPdf(context, next, hops - 1);
  if (status !== 200)
    throw unfinished(`answered with status ${status} for a signed file.`);
  if (Buffer.from(body.subarray(0, 5)).toString("latin1") !== "%PDF-")
    throw unfinished("sent something else in place of a signed PDF.");
  return body;
}

function nextAddress(
  status: number,
  location: string | undefined,
  base: string,
): string | null {
  const isElsewhere = status >= 300 && status <= 399 && location !== undefined;
  return isElsewhere && URL.canParse(location, base)
    ? new URL(location, base).href
    : null;
}

function unfinished(what: string): PlatformError {
  return new PlatformError("unavailable", `it ${what} Try again.`);
}
