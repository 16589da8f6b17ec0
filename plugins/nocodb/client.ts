import * as z from "zod";
import {
  type PlatformContext,
  PlatformError,
  platformErrorCode,
  type PlatformErrorCode,
  type PlatformJsonRequest,
} from "../../core/plugin-api/index.js";
import type { NocodbCredentials } from "./credentials.js";

export type NocodbContext = PlatformContext<NocodbCredentials>;

/** NocoDB's own names of errors; it sends unknown tables and bases with 422 or 404, by the version of the path. */
const codes: Readonly<Record<string, PlatformErrorCode>> = {
  ERR_AUTHENTICATION_REQUIRED: "auth",
  ERR_FORBIDDEN: "forbidden",
  ERR_BASE_NOT_FOUND: "not_found",
  ERR_TABLE_NOT_FOUND: "not_found",
  ERR_RECORD_NOT_FOUND: "not_found",
  ERR_FIELD_NOT_FOUND: "invalid_field",
};
const refusal = z.object({ error: z.string(), message: z.string() });

/** Asks NocoDB. Rejects with PlatformError: a refusal by its code, a reply of another form as `unavailable`. */
export async function ask<T>(
  context: NocodbContext,
  path: string,
  schema: z.ZodType<T>,
  request: PlatformJsonRequest = {},
): Promise<T> {
  const { url, token } = context.credentials;
  const { status, body } = await context.json(addressOf(url, path), {
    ...request,
    headers: { "xc-token": token },
  });
  return understood(status, body, schema);
}

const uploads = z.array(z.looseObject({ path: z.string().optional() }));
export type Upload = z.infer<typeof uploads>[number];

/** Uploads a file under its own name. @returns what a cell takes for it. */
export async function upload(
  context: NocodbContext,
  file: { filename: string; contentType: string; bytes: Uint8Array },
): Promise<Upload> {
  const form = new FormData();
  const blob = new Blob([Buffer.from(file.bytes)], { type: file.contentType });
  form.append("file", blob, file.filename);
  const packed = new Response(form);
  const { url, token } = context.credentials;
  const reply = await context.http(addressOf(url, "api/v2/storage/upload"), {
    method: "POST",
    headers: {
      "xc-token": token,
      "content-type": packed.headers.get("content-type") ?? "",
    },
    body: new Uint8Array(await packed.arrayBuffer()),
  });
  const [first] = understood(reply.status, parsed(reply.body), uploads);
  if (!first) throw strange(reply.status);
  return first;
}

export function addressOf(url: string, path: string): string {
  return new URL(path, url.endsWith("/") ? url : `${url}/`).href;
}

function understood<T>(status: number, body: unknown, schema: z.ZodType<T>): T {
  if (status < 200 || status > 299) throw refused(status, body);
  const result = schema.safeParse(body);
  if (!result.success) throw strange(status, result.error);
  return result.data;
}

function refused(status: number, body: unknown): PlatformError {
  const { success, data } = refusal.safeParse(body);
  const code =
    (success ? codes[data.error] : undefined) ?? platformErrorCode(status);
  const words = success ? data.message : `it answered with status ${status}`;
  return new PlatformError(code, `NocoDB refused: ${words}.`, { status });
}

function strange(status: number, cause?: unknown): PlatformError {
  return new PlatformError(
    "unavailable",
    "NocoDB answered in a form that it does not have. Check that the address is that of a NocoDB of version 0.260 or later.",
    { status, cause },
  );
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8")) as unknown;
  } catch {
    return null;
  }
}
