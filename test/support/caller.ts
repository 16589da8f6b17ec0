import { expect } from "chai";
import { z } from "zod";
import { ApiKeys, operator, SCOPES } from "../../core/accounts/index.js";
import {
  documentSchema,
  documentListItemSchema,
} from "../../core/api/routes/documents.js";
import { exportResultSchema } from "../../core/api/routes/export.js";
import {
  templateSchema,
  templateListItemSchema,
  changedSettingsSchema,
  templateVersionSchema,
  templateVersionListItemSchema,
} from "../../core/api/routes/templates.js";
import { paginationSchema } from "../../core/api/schemas.js";
import * as tokens from "../../core/app/tokens.js";
import type { TestService } from "./service.js";
import { newOwner } from "./store.js";

/** Someone with a key, and the organization that it belongs to. */
export interface TestCaller extends Requests {
  organizationId: string;
  userId: string;
  key: string;
  keyId: string;
}

/** Requests with a key. */
export interface Requests {
  get(path: string): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
  put(path: string, body: unknown): Promise<Response>;
  patch(path: string, body: unknown): Promise<Response>;
  delete(path: string): Promise<Response>;
}

/** A new organization with a key. */
export async function newCaller(
  service: TestService,
  scopes: readonly string[] = SCOPES,
): Promise<TestCaller> {
  const owner = await newOwner(service.store);
  const keys = new ApiKeys(
    service.store,
    service.container.resolve(tokens.CALLER_CACHE),
  );
  const { key, id: keyId } = await keys.create(
    owner.organizationId,
    { scopes, userId: undefined },
    operator,
  );
  // The service's address is asked for late: a test may start it again at another.
  return { ...owner, key, keyId, ...requestsTo(() => service.url, key) };
}

/** Requests to a service wherever it runs. */
export function requestsTo(url: () => string, key: string): Requests {
  const send = (method: string, path: string, body?: unknown) =>
    fetch(url() + path, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    put: (path, body) => send("PUT", path, body),
    patch: (path, body) => send("PATCH", path, body),
    delete: (path) => send("DELETE", path),
  };
}

/** The `error` of an answer, which holds nothing else. */
export async function readError(response: Response): Promise<string> {
  const body: unknown = await response.json();
  if (isErrorBody(body)) return body.error;
  throw new Error(`no error body: ${JSON.stringify(body)}`);
}

function isErrorBody(body: unknown): body is { error: string } {
  return (
    typeof body === "object" &&
    body !== null &&
    Object.keys(body).join() === "error" &&
    "error" in body &&
    typeof body.error === "string"
  );
}

/** Reads a good answer of this form: an answer with a field more or less, or with another type, fails the test. */
export function reader<T extends z.ZodType>(schema: T) {
  return async (response: Response, status = 200): Promise<z.output<T>> => {
    const body: unknown = await response.json();
    expect(response.status, JSON.stringify(body)).to.equal(status);
    return schema.parse(body);
  };
}

export const replies = {
  templates: reader(
    z.strictObject({
      data: z.array(templateListItemSchema),
      pagination: paginationSchema,
    }),
  ),
  template: reader(templateSchema),
  templateSettings: reader(changedSettingsSchema),
  versions: reader(z.array(templateVersionListItemSchema)),
  version: reader(templateVersionSchema),
  documents: reader(
    z.strictObject({
      data: z.array(documentListItemSchema),
      pagination: paginationSchema,
    }),
  ),
  followingDocuments: reader(
    z.strictObject({
      data: z.array(documentListItemSchema),
      pagination: z.strictObject({
        pageSize: z.number(),
        next: z.string().nullable(),
      }),
    }),
  ),
  document: reader(documentSchema),
  exported: reader(exportResultSchema),
};

/** A complete document around some html. */
export function page(body: string, style = "", language = "en"): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><style>${style}</style></head><body>${body}</body></html>`;
}
