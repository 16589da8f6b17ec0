import { z } from "zod";
import {
  PlatformError,
  platformErrorCode,
  type PlatformErrorCode,
  type PlatformReply,
} from "../../core/plugin-api/index.js";
import { scopes } from "./auth.js";
import type { HostFetch } from "./host-fetch.js";

/** What a request was about, for the words of its failure. */
export interface Asked {
  /** Such as `the sheet "Orders"`. */
  what: string;
  recordId?: string;
  fieldId?: string;
  /** Of the service account; null for a user. */
  account: string | null;
}

const apiError = z.object({
  error: z.object({
    message: z.string().default(""),
    status: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).default([]),
    details: z.array(z.object({ reason: z.string().optional() })).default([]),
  }),
});

const tokenError = z.object({
  error: z.string(),
  error_description: z.string().default(""),
});

/** Google's own words that say more than the status. */
const codes: Readonly<Record<string, PlatformErrorCode>> = {
  rateLimitExceeded: "rate_limited",
  userRateLimitExceeded: "rate_limited",
  RATE_LIMIT_EXCEEDED: "rate_limited",
  storageQuotaExceeded: "bad_config",
  accessNotConfigured: "bad_config",
  SERVICE_DISABLED: "bad_config",
};

/** What went wrong with a request, from what came back. */
export function googleFault(
  error: unknown,
  { reply, fault, wasForToken }: HostFetch,
  asked: Asked,
): unknown {
  if (error instanceof PlatformError) return error;
  if (fault !== null) return fault;
  if (reply === null) return error;
  const { recordId, fieldId } = asked;
  const told = toldBy(reply);
  const code = codeOf(reply.status, told, wasForToken);
  const wait = Number(reply.headers["retry-after"]) * 1000;
  return new PlatformError(code, wordsOf(code, told, asked), {
    cause: error,
    status: reply.status,
    ...(code === "rate_limited" && wait > 0 && { retryAfterMs: wait }),
    ...(recordId !== undefined && { recordId }),
    ...(fieldId !== undefined && { fieldId }),
  });
}

interface Told {
  message: string;
  reasons: readonly string[];
}

function toldBy({ body }: PlatformReply): Told {
  const value = parsed(body);
  const api = apiError.safeParse(value);
  if (api.success) {
    const { message, errors, details } = api.data.error;
    const reasons = [...errors, ...details].flatMap(
      ({ reason = [] }) => reason,
    );
    return { message: message.slice(0, 300), reasons };
  }
  const token = tokenError.safeParse(value);
  if (!token.success) return { message: "", reasons: [] };
  const { error, error_description: description } = token.data;
  return { message: `${error} ${description}`.trim(), reasons: [error] };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

function codeOf(
  status: number,
  { message, reasons }: Told,
  wasForToken: boolean,
): PlatformErrorCode {
  const named = reasons.flatMap((reason) => codes[reason] ?? []);
  if (named[0] !== undefined) return named[0];
  if (wasForToken && (status === 400 || status === 401)) return "auth";
  if (status < 300) return "unavailable";
  if (status === 400 && message.includes("Unable to parse range"))
    return "not_found";
  return platformErrorCode(status);
}

function wordsOf(
  code: PlatformErrorCode,
  { message, reasons }: Told,
  { what, account }: Asked,
): string {
  const said = message === "" ? "" : ` It says: ${message}`;
  const share = `Share it with ${account ?? "the user of the connection"}, as an editor.`;
  switch (code) {
    case "auth":
      return `the credentials are not accepted. Make a new key, or give the consent again, and save it in the connection.${said}`;
    case "forbidden":
      return isScope(reasons)
        ? `the consent is missing for ${scopes.join(" and ")}.`
        : `${what} may not be used. ${share}${said}`;
    case "not_found":
      return `${what} is not there. Check its id or name. ${share}`;
    case "rate_limited":
      return "it takes no more requests at the moment.";
    case "bad_config":
      return reasons.includes("storageQuotaExceeded")
        ? "there is no storage for files. A service account has none of its own: set folderId to a folder in a Shared Drive, or use the consent of a user."
        : `the project of the credentials may not use this.${said}`;
    default:
      return `it refused ${what}.${said}`;
  }
}

function isScope(reasons: readonly string[]): boolean {
  return ["ACCESS_TOKEN_SCOPE_INSUFFICIENT", "insufficientPermissions"].some(
    (one) => reasons.includes(one),
  );
}
