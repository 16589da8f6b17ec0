import {
  type AuditLog,
  MEMBER_ROLES,
  type MemberRole,
  AUDIT_ACTIONS,
} from "../../../accounts/index.js";
import type { Consent, Grants } from "../../../accounts/oauth/index.js";
import type { People, SessionKeys } from "../../../accounts/sessions/index.js";
import type { PluginCatalog } from "../../../integrations/host/index.js";
import { PlatenError } from "../../../plugin-api/index.js";
import type { AppRoute } from "./router.js";
import {
  parseText,
  jsonRoute,
  getVisitor,
  parseTime,
  parseTextArray,
  parseOptionalString,
  parsePage,
  parseQueryTime,
} from "./request.js";

const personPath = "/api/people/:userId";

export function peopleRoutes(people: People): AppRoute[] {
  return [
    jsonRoute("get", "/api/people", "owner", (visitor) => people.list(visitor)),
    jsonRoute(
      "post",
      "/api/people",
      "owner",
      async (visitor, { body }) =>
        people.invite(visitor, {
          name: parseText(body, "name"),
          email: parseText(body, "email"),
          role: parseRole(body),
        }),
      { status: 201 },
    ),
    jsonRoute(
      "post",
      `${personPath}/link`,
      "owner",
      (visitor, { params: { userId = "" } }) => people.link(visitor, userId),
      { status: 201 },
    ),
    {
      method: "patch",
      path: personPath,
      access: "owner",
      handle: async (request) => {
        const { userId = "" } = request.params;
        const role = parseRole(request.body);
        await people.changeRole(getVisitor(request), userId, role);
        return {};
      },
    },
    jsonRoute(
      "delete",
      personPath,
      "owner",
      (visitor, { params: { userId = "" } }) => people.remove(visitor, userId),
    ),
  ];
}

function parseRole(body: unknown): MemberRole {
  const said = parseText(body, "role");
  const role = MEMBER_ROLES.find((memberRole) => memberRole === said);
  if (role) return role;
  throw new PlatenError(
    "invalid_request",
    `$.role: must be one of ${MEMBER_ROLES.join(", ")}.`,
  );
}

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
      async (visitor, { body }) =>
        keys.create(visitor, {
          name: parseText(body, "name"),
          scopes: parseTextArray(body, "scopes"),
          expiresAt: parseTime(body, "expiresAt"),
          networks:
            Object(body).networks === undefined
              ? []
              : parseTextArray(body, "networks"),
        }),
      { status: 201 },
    ),
    jsonRoute(
      "delete",
      "/api/keys/:keyId",
      "owner",
      (visitor, { params: { keyId = "" } }) => keys.revoke(visitor, keyId),
    ),
  ];
}

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
    {
      // Looking at a request may fetch the client's description from another host.
      ...jsonRoute("get", "/api/consent", "viewer", (visitor, { query }) =>
        consent.ask(visitor, query),
      ),
      maxRequestsPerMinute: 60,
    },
    {
      ...jsonRoute("post", "/api/consent", "viewer", (visitor, { body }) => {
        const query = new URLSearchParams(parseText(body, "query"));
        const organizationId = parseOptionalString(body, "organizationId");
        return consent.answer(visitor, query, { organizationId });
      }),
      maxRequestsPerMinute: 60,
    },
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
