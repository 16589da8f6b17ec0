import * as z from "zod";
import {
  type PlatformContext,
  PlatformError,
  getPlatformErrorCode,
  type PlatformErrorCode,
  type PlatformJsonRequest,
} from "../../core/plugin-api/index.js";
import {
  encodeForm,
  parseJson,
  readReply,
  type ReplyErrors,
} from "../lib/http-api.js";

export interface NocodbCredentials {
  /** The server's address, without a path. */
  url: string;
  token: string;
}

export const credentialsSchema = {
  type: "object",
  required: ["url", "token"],
  additionalProperties: false,
  properties: {
    url: {
      type: "string",
      format: "uri",
      title: "Address",
      description:
        "The address of your NocoDB, such as https://app.nocodb.com.",
    },
    token: {
      type: "string",
      minLength: 1,
      title: "API token",
      description:
        "In NocoDB: your picture, Account settings, Tokens, Add new API token.",
      writeOnly: true,
    },
  },
};

export type NocodbContext = PlatformContext<NocodbCredentials>;

export function toUrl({ credentials }: NocodbContext, path: string): string {
  const { url } = credentials;
  return new URL(path, url.endsWith("/") ? url : `${url}/`).href;
}

/** Sends a request to the API. @throws PlatformError. */
export async function sendRequest<T>(
  context: NocodbContext,
  path: string,
  schema: z.ZodType<T>,
  request: PlatformJsonRequest = {},
): Promise<T> {
  const reply = await context.json(toUrl(context, path), {
    ...request,
    headers: { "xc-token": context.credentials.token },
  });
  return readReply(reply, schema, replyErrors);
}

const uploadsSchema = z
  .array(z.looseObject({ path: z.string().optional() }))
  .min(1);
export type Upload = z.infer<typeof uploadsSchema>[number];

/** Uploads a file under its own name. @returns the item to put into a cell. */
export async function uploadFile(
  context: NocodbContext,
  file: { filename: string; contentType: string; bytes: Uint8Array },
): Promise<Upload[]> {
  const form = new FormData();
  const blob = new Blob([Buffer.from(file.bytes)], { type: file.contentType });
  form.append("file", blob, file.filename);
  const { headers, ...request } = await encodeForm(form);
  const { status, body } = await context.http(
    toUrl(context, "api/v2/storage/upload"),
    {
      ...request,
      headers: { ...headers, "xc-token": context.credentials.token },
    },
  );
  const reply = { status, body: parseJson(body) };
  return readReply(reply, uploadsSchema, replyErrors).slice(0, 1);
}

/** NocoDB's names of errors. It reports unknown tables and bases with 422 or 404, by the version of the path. */
const codes: Readonly<Record<string, PlatformErrorCode>> = {
  ERR_AUTHENTICATION_REQUIRED: "auth",
  ERR_FORBIDDEN: "forbidden",
  ERR_BASE_NOT_FOUND: "not_found",
  ERR_TABLE_NOT_FOUND: "not_found",
  ERR_RECORD_NOT_FOUND: "not_found",
  ERR_FIELD_NOT_FOUND: "invalid_field",
};
const errorReply = z.object({ error: z.string(), message: z.string() });

const replyErrors: ReplyErrors = {
  refused: (status, body) => {
    const { data } = errorReply.safeParse(body);
    return new PlatformError(
      (data && codes[data.error]) ?? getPlatformErrorCode(status),
      data
        ? `NocoDB refused the request: ${data.message}.`
        : `NocoDB answered with status ${status}.`,
      { status },
    );
  },
  unexpected:
    "NocoDB sent an unexpected response. Check that the address is that of a NocoDB server of version 0.260 or later.",
};
