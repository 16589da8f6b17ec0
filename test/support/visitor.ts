import { operator, Users } from "../../core/accounts/index.js";
import type { AppRole } from "../../core/plugin-api/index.js";
import * as tokens from "../../core/app/tokens.js";
import type { TestService } from "./service.js";
import { newOwner } from "./store-templates.js";

/** Someone who is signed in. */
export interface TestVisitor {
  organizationId: string;
  userId: string;
  email: string;
  cookie: string;
  get(path: string): Promise<Response>;
  /** As our pages send it. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
}

export interface Person {
  organizationId: string;
  userId: string;
  email: string;
}

/** Someone with a role in an organization, by default a new one. */
export async function newPerson(
  service: TestService,
  role: AppRole = "owner",
  organizationId?: string,
): Promise<Person> {
  const place =
    organizationId ?? (await newOwner(service.store)).organizationId;
  const email = `${crypto.randomUUID()}@example.com`;
  const person = { name: "Ada", email, role };
  const users = new Users(service.store);
  const { id } = await users.create(place, person, operator);
  return { organizationId: place, userId: id, email };
}

/** A link that signs this person in. */
export async function linkFor(
  service: TestService,
  person: Person,
): Promise<string> {
  const links = service.container.resolve(tokens.LOGIN_LINKS);
  return (await links.issue(person, operator)).url;
}

/** Presses the button of a link's page. */
export function pressLink(url: string): Promise<Response> {
  return fetch(url, { method: "POST", redirect: "manual" });
}

/** The cookies that an answer sets, as the browser sends them back. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .join("; ");
}

/** Someone new with this role, signed in by a link. */
export async function newVisitor(
  service: TestService,
  role: AppRole = "owner",
  organizationId?: string,
): Promise<TestVisitor> {
  return signedIn(service, await newPerson(service, role, organizationId));
}

export async function signedIn(
  service: TestService,
  person: Person,
): Promise<TestVisitor> {
  const answer = await pressLink(await linkFor(service, person));
  const cookie = cookieOf(answer);
  return {
    ...person,
    cookie,
    get: (path) => fetch(service.url + path, { headers: { cookie } }),
    send: (method, path, body) =>
      fetch(service.url + path, {
        method,
        headers: {
          cookie,
          "x-platen-app": "studio",
          "content-type": "application/json",
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  };
}
