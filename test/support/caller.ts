import { ApiKeys, operator, SCOPES } from "../../core/accounts/index.js";
import * as tokens from "../../core/app/tokens.js";
import type { TestService } from "./service.js";
import { newOwner } from "./store-templates.js";

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
export async function errorOf(response: Response): Promise<string> {
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
