import * as z from "zod";
import {
  type EsignContext,
  PlatformError,
  platformErrorCode,
  type PlatformJsonRequest,
} from "../../core/plugin-api/index.js";
import { apiOf, type DocusealCredentials } from "./credentials.js";

export type DocusealContext = EsignContext<DocusealCredentials>;

const refusal = z.object({ error: z.string() });
/** What the free edition answers to calls that it has not. */
const missingEdition = z.object({
  status: z.unknown(),
  message: z.string().regex(/\bPro\b/i),
});

/** Asks DocuSeal. Rejects with PlatformError: a refusal by its code, a reply of another form as `unavailable`. */
export async function ask<T>(
  context: DocusealContext,
  path: string,
  schema: z.ZodType<T>,
  request: PlatformJsonRequest = {},
): Promise<T> {
  const { credentials } = context;
  const { status, body } = await context.json(apiOf(credentials) + path, {
    ...request,
    headers: { "x-auth-token": credentials.apiKey },
  });
  if (status < 200 || status > 299) throw refused(status, body);
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  throw new PlatformError(
    "unavailable",
    "DocuSeal answered in a form that it does not have. Check that the address is that of a DocuSeal's API.",
    { status, cause: error },
  );
}

function refused(status: number, body: unknown): PlatformError {
  const edition = missingEdition.safeParse(body).data;
  if (status === 404 && edition)
    return new PlatformError(
      "unsupported",
      `this DocuSeal is the free edition, which takes no PDFs over its API: that needs its Pro Edition, or DocuSeal's cloud. It says: ${edition.message}`,
      { status },
    );
  const said = refusal.safeParse(body).data?.error;
  return new PlatformError(codeOf(status), wordsOf(status, said), { status });
}

/** A request that took too long may have done its work. */
function codeOf(status: number) {
  return status === 408 ? "unavailable" : platformErrorCode(status);
}

function wordsOf(status: number, said: string | undefined): string {
  const words = said === undefined ? "" : ` It says: ${said}`;
  if (status === 401)
    return `the API key is not known. Copy it anew from DocuSeal's API settings.${words}`;
  if (status === 403)
    return `the API key may not do this. Use the key of an administrator.${words}`;
  if (status === 404) return `there is no such thing there (any more).${words}`;
  return `it answered with status ${status}.${words}`;
}
