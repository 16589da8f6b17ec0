import {
  PlatformError,
  platformErrorCode,
  type PlatformErrorCode,
  type PlatformReply,
} from "../../core/plugin-api/index.js";
import type { Passage } from "./transport.js";

/** What a request was about, for the words of its failure. */
export interface Asked {
  /** The scope that the token needs for it. */
  needs: string;
  recordId?: string;
  fieldId?: string;
}

const penaltyMs = 30_000;

/** Where Airtable's own word says more than the status. */
const codes: Readonly<Record<string, PlatformErrorCode>> = {
  // It answers so for what is not there, too: it does not tell whether an id exists.
  INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND: "not_found",
  MODEL_ID_NOT_FOUND: "not_found",
  TABLE_NOT_FOUND: "not_found",
  ROW_DOES_NOT_EXIST: "not_found",
  RECORD_NOT_FOUND: "not_found",
  LIST_RECORDS_ITERATOR_NOT_AVAILABLE: "unavailable",
  REQUEST_BODY_TOO_LARGE: "too_large",
};

/** What went wrong with a request, from what came back. */
export function airtableFault(
  error: unknown,
  { reply, fault }: Passage,
  asked: Asked,
): unknown {
  if (error instanceof PlatformError) return error;
  if (fault !== undefined) return fault;
  if (!reply) return error;
  return refusal(reply, asked, error);
}

function refusal(
  reply: PlatformReply,
  asked: Asked,
  cause: unknown,
): PlatformError {
  const { status } = reply;
  const told = toldBy(reply);
  const code = codeOf(status, told.type);
  const wait = Number(reply.headers["retry-after"]) * 1000;
  const { recordId, fieldId } = asked;
  return new PlatformError(code, wordsOf(code, told, asked, status), {
    cause,
    status,
    ...(code === "rate_limited" && {
      retryAfterMs: Number.isNaN(wait) ? penaltyMs : wait,
    }),
    ...(recordId !== undefined && { recordId }),
    ...(fieldId !== undefined && { fieldId }),
  });
}

/** A 2xx comes here only when it was no JSON: a proxy or a login page answered. */
function codeOf(status: number, type: string): PlatformErrorCode {
  if (status < 300) return "unavailable";
  return codes[type] ?? platformErrorCode(status);
}

interface Told {
  type: string;
  message: string;
}

/** `{ error: { type, message } }`, or `{ error: "NOT_FOUND" }`, or `{ errors: [{ error, message }] }`, or no JSON. */
function toldBy({ body }: PlatformReply): Told {
  const { error, errors } = parsed(body);
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  const said = error ?? first;
  if (typeof said === "string") return { type: said, message: "" };
  const told = new Map(Object.entries(Object(said)));
  return {
    type: textOf(told.get("type") ?? told.get("error")),
    message: textOf(told.get("message")),
  };
}

function parsed(body: Uint8Array): { error?: unknown; errors?: unknown } {
  try {
    return Object(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return {};
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 300) : "";
}

function wordsOf(
  code: PlatformErrorCode,
  told: Told,
  { needs, recordId }: Asked,
  status: number,
): string {
  const said = told.message === "" ? "" : ` It says: ${told.message}`;
  switch (code) {
    case "auth":
      return "the token is not accepted. Make a new one at airtable.com/create/tokens and save it in the connection.";
    case "forbidden":
      return `the token may not do this. Give it the scope ${needs} and access to the base.${said}`;
    case "not_found":
      return recordId !== undefined && told.type !== accessOrId
        ? `there is no record ${recordId} in this table.`
        : `it shows no such base, table or record to this token. The id is wrong, or the token lacks the scope ${needs} or access to the base.`;
    case "rate_limited":
      return "it takes no more requests for 30 seconds.";
    case "too_large":
      return "the file is too large for it.";
    case "unavailable":
      return status < 300
        ? `it answered ${status} with something that is no JSON, as login pages and proxies do.`
        : `it answered ${status}. Try again later.`;
    default:
      return `it refused the request (${status}${told.type === "" ? "" : ` ${told.type}`}).${said}`;
  }
}

const accessOrId = "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND";
