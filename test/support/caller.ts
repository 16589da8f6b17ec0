import {
  exportResultSchema,
  documentSchema,
  documentListItemSchema,
} from "../../core/documents/index.js";
import { expect } from "chai";
import { z } from "zod";
import { ApiKeys, operator, SCOPES } from "../../core/accounts/index.js";
import {
  templateSchema,
  templateListItemSchema,
  templateVersionSchema,
  templateVersionListItemSchema,
  Templates,
} from "../../core/templates/index.js";
import type { Plan } from "../../core/storage/database/index.js";
import type { TestService } from "./service.js";
import { definition, newOwner } from "./store.js";
import { paginationSchema } from "../../core/lib/schemas.js";

/** Someone with a key, and the organization that it belongs to. */
export interface TestCaller extends Requests {
  organizationId: string;
  userId: string;
  key: string;
  keyId: string;
  /** Creates a template, by default a letter, whatever the scopes of the key. @returns its id */
  publish(template?: object): Promise<string>;
}

type HeaderFields = Readonly<Record<string, string>>;

/** Requests with a key. */
export interface Requests {
  get(path: string): Promise<Response>;
  post(path: string, body: unknown, headers?: HeaderFields): Promise<Response>;
  put(path: string, body: unknown): Promise<Response>;
  patch(path: string, body: unknown): Promise<Response>;
  delete(path: string): Promise<Response>;
}

/** A new organization with a key. */
export async function newCaller(
  service: TestService,
  scopes: readonly string[] = SCOPES,
  plan?: Plan,
): Promise<TestCaller> {
  const owner = await newOwner(service.store, plan);
  const { key, id } = await getKeys(service).create(
    owner.organizationId,
    { scopes, userId: undefined },
    operator,
  );
  return {
    ...owner,
    key,
    keyId: id,
    publish: async (template) => {
      const templates = service.container.resolve(Templates);
      const input = { name: "Letter", definition, ...template };
      return (await templates.publish(owner, input, operator)).id;
    },
    // The service's address is asked for late: a test may start it again at another.
    ...requestsTo(() => service.url, key),
  };
}

/** The API keys of a service. */
export function getKeys({ container }: TestService): ApiKeys {
  return container.resolve(ApiKeys);
}

/** Requests to a service wherever it runs. */
export function requestsTo(url: () => string, key: string): Requests {
  const common = { "x-api-key": key, "content-type": "application/json" };
  const send = (
    method: string,
    path: string,
    body?: unknown,
    more?: HeaderFields,
  ) =>
    fetch(url() + path, {
      method,
      headers: { ...common, ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    get: (path) => send("GET", path),
    post: (path, body, headers) => send("POST", path, body, headers),
    put: (path, body) => send("PUT", path, body),
    patch: (path, body) => send("PATCH", path, body),
    delete: (path) => send("DELETE", path),
  };
}

/** The `error` of an answer, which holds nothing else. */
export async function readError(response: Response): Promise<string> {
  const body: unknown = await response.json();
  if (isErrorBody(body)) return body.error;
  throw new Error(`no error from ${response.url}: ${JSON.stringify(body)}`);
}

/** The status and the `error` of an answer: `404 There is no such template.` */
export async function refusal(
  answer: Response | Promise<Response>,
): Promise<string> {
  const response = await answer;
  return `${response.status} ${await readError(response)}`;
}

/** The JSON of a good answer, whose form the caller states. */
export async function json<T = Record<string, unknown>>(
  answer: Response | Promise<Response>,
  status = 200,
): Promise<T> {
  const response = await answer;
  const text = await response.text();
  expect(response.status, text).to.equal(status);
  const body: T = JSON.parse(text);
  return body;
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
