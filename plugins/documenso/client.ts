import * as z from "zod";
import {
  type EsignContext,
  PlatformError,
  platformErrorCode,
} from "../../core/plugin-api/index.js";
import { type DocumensoCredentials, serverOf } from "./credentials.js";

export type DocumensoContext = EsignContext<DocumensoCredentials>;

const refusal = z.looseObject({ message: z.string() });

/** Asks for JSON. Rejects with PlatformError: a refusal by its code, a reply of another form as `unavailable`. */
export async function ask<T>(
  context: DocumensoContext,
  path: string,
  schema: z.ZodType<T>,
  json?: unknown,
): Promise<T> {
  const { status, body } = await context.json(addressOf(context, path), {
    headers: { authorization: context.credentials.apiKey },
    ...(json !== undefined && { json }),
  });
  return understood(status, body, schema);
}

/** Sends a form with a file. */
export async function sendForm<T>(
  context: DocumensoContext,
  path: string,
  schema: z.ZodType<T>,
  form: FormData,
): Promise<T> {
  const packed = new Response(form);
  const { status, body } = await context.http(addressOf(context, path), {
    method: "POST",
    headers: {
      authorization: context.credentials.apiKey,
      accept: "application/json",
      "content-type": packed.headers.get("content-type") ?? "",
    },
    body: new Uint8Array(await packed.arrayBuffer()),
  });
  return understood(status, parsed(body), schema);
}

/** @throws PlatformError `unavailable` for what is no PDF. */
export async function fetchPdf(
  context: DocumensoContext,
  path: string,
): Promise<Uint8Array> {
  const { status, body } = await context.http(addressOf(context, path), {
    headers: { authorization: context.credentials.apiKey },
  });
  if (status !== 200) throw refused(status, parsed(body));
  if (Buffer.from(body.subarray(0, 5)).toString("latin1") === "%PDF-")
    return body;
  throw strange(status);
}

function addressOf({ credentials }: DocumensoContext, path: string): string {
  return `${serverOf(credentials)}/api/v2${path}`;
}

function understood<T>(status: number, body: unknown, schema: z.ZodType<T>): T {
  if (status < 200 || status > 299) throw refused(status, body);
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  throw strange(status, error);
}

function refused(status: number, body: unknown): PlatformError {
  const said = refusal.safeParse(body).data?.message;
  const words = said === undefined ? "" : ` It says: ${said}`;
  const code = status === 408 ? "unavailable" : platformErrorCode(status);
  return new PlatformError(code, `${meaningOf(status)}${words}`, { status });
}

function meaningOf(status: number): string {
  if (status === 401)
    return "the API token is not known. Make a new one in the team's settings.";
  if (status === 403)
    return "the API token may not do this. Use one of a member who may manage documents.";
  if (status === 404) return "there is no such thing there (any more).";
  return `it answered with status ${status}.`;
}

function strange(status: number, cause?: unknown): PlatformError {
  return new PlatformError(
    "unavailable",
    "Documenso answered in a form that it does not have. Check that the address is that of a Documenso of version 2.",
    { status, cause },
  );
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
