// @ts-check
/** @typedef {{ url: string, token: string }} Credentials */
/** @typedef {import("platen/contract").PlatformContext<Credentials>} Context */
/** @typedef {import("platen/contract").PlatformErrorCode} Code */

/** The service knows it by its name and code, so a plugin needs nothing of Platen when it runs. */
export class PlatformError extends Error {
  name = "PlatformError";

  /**
   * @param {Code} code
   * @param {string} message shown to users: what is wrong, and how to mend it
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @type {Record<number, Code>} */
const codes = {
  400: "invalid_field",
  401: "auth",
  403: "forbidden",
  404: "not_found",
  413: "too_large",
  429: "rate_limited",
};

/**
 * Asks Directus for what stands under `data`.
 * @param {Context} context
 * @param {string} path
 * @param {{ method?: string, json?: unknown }} [request]
 * @returns {Promise<any>}
 */
export async function ask(context, path, request = {}) {
  const { url, token } = context.credentials;
  const { status, body } = await context.json(new URL(path, url).href, {
    ...request,
    headers: { authorization: `Bearer ${token}` },
  });
  return dataOf(status, body);
}

/**
 * @param {Context} context
 * @param {import("platen/contract").OutFile} file
 * @returns {Promise<string>} the id of the new file
 */
export async function upload(context, file) {
  const form = new FormData();
  const bytes = Buffer.from(await file.bytes());
  form.append(
    "file",
    new Blob([bytes], { type: file.contentType }),
    file.filename,
  );
  const packed = new Response(form);
  const { url, token } = context.credentials;
  const reply = await context.http(new URL("files", url).href, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": packed.headers.get("content-type") ?? "",
    },
    body: new Uint8Array(await packed.arrayBuffer()),
  });
  const text = Buffer.from(reply.body).toString();
  return dataOf(reply.status, parsed(text)).id;
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * @param {number} status
 * @param {any} body
 */
function dataOf(status, body) {
  if (status === 204) return null;
  const words = body?.errors?.[0]?.message ?? `it answered with ${status}`;
  if (status >= 300)
    throw new PlatformError(
      codes[status] ?? "unavailable",
      `Directus refused: ${words}`,
    );
  if (body?.data === undefined)
    throw new PlatformError(
      "unavailable",
      "This is not how Directus answers. Check the address.",
    );
  return body.data;
}
