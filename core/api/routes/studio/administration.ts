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
import {
  owner,
  parsePage,
  parseQueryTime,
  textField,
  viewer,
} from "./request.js";

const personPath = "/api/people/:userId";
const roleSchema = z.object({ role: z.enum(MEMBER_ROLES) });
const personSchema = roleSchema.extend({ name: textField, email: textField });

export function peopleRoutes(people: People): AppRoute[] {
  return [
    owner.get("/api/people", (visitor) => people.list(visitor)),
    owner.post(
      "/api/people",
      (visitor, { body }) => people.invite(visitor, body),
      { status: 201, body: personSchema },
    ),
    owner.post(
      `${personPath}/link`,
      (visitor, { params: { userId = "" } }) => people.link(visitor, userId),
      { status: 201 },
    ),
    owner.patch(
      personPath,
      (visitor, { params: { userId = "" }, body }) =>
        people.changeRole(visitor, userId, body.role),
      { body: roleSchema },
    ),
    owner.delete(personPath, (visitor, { params: { userId = "" } }) =>
      people.remove(visitor, userId),
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
    owner.get("/api/keys", async (visitor) => ({
      keys: await keys.list(visitor),
      scopes: keys.scopes,
    })),
    owner.post("/api/keys", (visitor, { body }) => keys.create(visitor, body), {
      status: 201,
      body: keySchema,
    }),
    owner.delete("/api/keys/:keyId", (visitor, { params: { keyId = "" } }) =>
      keys.revoke(visitor, keyId),
    ),
  ];
}

const consentSchema = z.object({
  query: textField,
  organizationId: z.string().nullable().default(null),
});

/**
 * Assistants that connect by OAuth. Everyone may connect and disconnect their own; owners disconnect all.
 * @param address the URL that people enter in an assistant
 */
export function assistantRoutes(
  consent: Consent,
  grants: Grants,
  address: string,
): AppRoute[] {
  return [
    // Looking at a request may fetch the client's description from another host.
    viewer.get(
      "/api/consent",
      (visitor, { query }) => consent.ask(visitor, query),
      { maxRequestsPerMinute: 60 },
    ),
    viewer.post(
      "/api/consent",
      (visitor, { body: { query, organizationId } }) =>
        consent.answer(visitor, new URLSearchParams(query), { organizationId }),
      { maxRequestsPerMinute: 60, body: consentSchema },
    ),
    viewer.get("/api/assistants", async (visitor) => ({
      address,
      assistants: await grants.listFor(visitor),
    })),
    viewer.delete(
      "/api/assistants/:assistantId",
      (visitor, { params: { assistantId = "" } }) =>
        grants.revokeAs(visitor, assistantId),
    ),
  ];
}

/** The audit log. Invalid query parameters are ignored. */
export function auditRoutes(audit: AuditLog): AppRoute[] {
  return [
    owner.get("/api/audit", (visitor, { query }) => {
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
  return [owner.get("/api/plugins", () => plugins.list())];
}
