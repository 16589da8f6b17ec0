import { z } from "zod";
import {
  type AuditLog,
  MEMBER_ROLES,
  AUDIT_ACTIONS,
} from "../../../accounts/index.js";
import type { Consent, Grants } from "../../../accounts/oauth/index.js";
import type { People, SessionKeys } from "../../../accounts/sessions/index.js";
import type { PluginCatalog } from "../../../integrations/host/index.js";
import type { AppRoute } from "./router.js";
import { jsonRoute, parsePage, parseQueryTime, textField } from "./request.js";

const personPath = "/api/people/:userId";
const roleSchema = z.object({ role: z.enum(MEMBER_ROLES) });
const personSchema = roleSchema.extend({ name: textField, email: textField });

export function peopleRoutes(people: People): AppRoute[] {
  return [
    jsonRoute("get", "/api/people", "owner", (visitor) => people.list(visitor)),
    jsonRoute(
      "post",
      "/api/people",
      "owner",
      (visitor, { body }) => people.invite(visitor, body),
      { status: 201, body: personSchema },
    ),
    jsonRoute(
      "post",
      `${personPath}/link`,
      "owner",
      (visitor, { params: { userId = "" } }) => people.link(visitor, userId),
      { status: 201 },
    ),
    jsonRoute(
      "patch",
      personPath,
      "owner",
      (visitor, { params: { userId = "" }, body }) =>
        people.changeRole(visitor, userId, body.role),
      { body: roleSchema },
    ),
    jsonRoute(
      "delete",
      personPath,
      "owner",
      (visitor, { params: { userId = "" } }) => people.remove(visitor, userId),
    ),
  ];
}

const keySchema = z.object({
  name: textField,
  scopes: z.array(z.string()),
  expiresAt: z.iso
    .datetime({ offset: true })
    .transform((time) => new Date(time))
    .nullable()
    .default(null),
  networks: z.array(z.string()).default([]),
});

export function keyRoutes(keys: SessionKeys): AppRoute[] {
  return [
    jsonRoute("get", "/api/keys", "owner", async (visitor) => ({
      keys: await keys.list(visitor),
      scopes: keys.scopes,
    })),
    jsonRoute(
      "post",
      "/api/keys",
      "owner",
      (visitor, { body }) => keys.create(visitor, body),
      { status: 201, body: keySchema },
    ),
    jsonRoute(
      "delete",
      "/api/keys/:keyId",
      "owner",
      (visitor, { params: { keyId = "" } }) => keys.revoke(visitor, keyId),
    ),
  ];
}

const consentSchema = z.object({
  query: textField,
  organizationId: z.string().nullable().default(null),
});

interface AssistantServices {
  consent: Consent;
  grants: Grants;
  /** The URL that people enter in an assistant. */
  address: string;
}

/** Assistants that connect by OAuth. Everyone may connect and disconnect their own; owners disconnect all. */
export function assistantRoutes({
  consent,
  grants,
  address,
}: AssistantServices): AppRoute[] {
  return [
    // Looking at a request may fetch the client's description from another host.
    jsonRoute(
      "get",
      "/api/consent",
      "viewer",
      (visitor, { query }) => consent.ask(visitor, query),
      { maxRequestsPerMinute: 60 },
    ),
    jsonRoute(
      "post",
      "/api/consent",
      "viewer",
      (visitor, { body: { query, organizationId } }) =>
        consent.answer(visitor, new URLSearchParams(query), { organizationId }),
      { maxRequestsPerMinute: 60, body: consentSchema },
    ),
    jsonRoute("get", "/api/assistants", "viewer", async (visitor) => ({
      address,
      assistants: await grants.listFor(visitor),
    })),
    jsonRoute(
      "delete",
      "/api/assistants/:assistantId",
      "viewer",
      (visitor, { params: { assistantId = "" } }) =>
        grants.revokeAs(visitor, assistantId),
    ),
  ];
}

/** The audit log. Invalid query parameters are ignored. */
export function auditRoutes(audit: AuditLog): AppRoute[] {
  return [
    jsonRoute("get", "/api/audit", "owner", (visitor, { query }) => {
      const action = AUDIT_ACTIONS.find(
        (auditAction) => auditAction === query.get("action"),
      );
      return audit.list(visitor.organizationId, {
        ...parsePage(query),
        action: action ?? null,
        userId: query.get("userId"),
        from: parseQueryTime(query.get("from")),
        until: parseQueryTime(query.get("until")),
      });
    }),
  ];
}

export function pluginRoutes(plugins: PluginCatalog): AppRoute[] {
  return [jsonRoute("get", "/api/plugins", "owner", () => plugins.list())];
}
