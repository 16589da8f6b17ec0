import {
  APP_ROLES,
  type AppPeople,
  type AppRole,
  type AppRoute,
  PlatenError,
  type AppKeys,
  type AppAudit,
  AUDIT_ACTIONS,
  type AppPlugins,
  type AppAssistants,
} from "../../../core/plugin-api/index.js";
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

const one = "/api/people/:userId";

/** The members of the organization. */
export function peopleRoutes(people: AppPeople): AppRoute[] {
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
      `${one}/link`,
      "owner",
      (visitor, { params: { userId = "" } }) => people.link(visitor, userId),
      { status: 201 },
    ),
    {
      method: "patch",
      path: one,
      access: "owner",
      handle: async (request) => {
        const { userId = "" } = request.params;
        const role = parseRole(request.body);
        await people.changeRole(getVisitor(request), userId, role);
        return {};
      },
    },
    jsonRoute("delete", one, "owner", (visitor, { params: { userId = "" } }) =>
      people.remove(visitor, userId),
    ),
  ];
}

function parseRole(body: unknown): AppRole {
  const said = parseText(body, "role");
  const role = APP_ROLES.find((known) => known === said);
  if (role) return role;
  throw new PlatenError(
    "invalid_request",
    `$.role: must be one of ${APP_ROLES.join(", ")}.`,
  );
}

/** The organization's API keys. */
export function keyRoutes(keys: AppKeys): AppRoute[] {
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

/** Assistants that connect by OAuth. Everyone may connect and disconnect their own; owners disconnect all. */
export function assistantRoutes(assistants: AppAssistants): AppRoute[] {
  return [
    {
      // Looking at a request may fetch the client's description from another host.
      ...jsonRoute("get", "/api/consent", "viewer", (visitor, { query }) =>
        assistants.ask(visitor, query),
      ),
      maxRequestsPerMinute: 60,
    },
    {
      ...jsonRoute("post", "/api/consent", "viewer", (visitor, { body }) => {
        const query = new URLSearchParams(parseText(body, "query"));
        const organizationId = parseOptionalString(body, "organizationId");
        return assistants.answer(visitor, query, { organizationId });
      }),
      maxRequestsPerMinute: 60,
    },
    jsonRoute("get", "/api/assistants", "viewer", async (visitor) => ({
      address: assistants.address,
      assistants: await assistants.list(visitor),
    })),
    jsonRoute(
      "delete",
      "/api/assistants/:assistantId",
      "viewer",
      (visitor, { params: { assistantId = "" } }) =>
        assistants.revoke(visitor, assistantId),
    ),
  ];
}

/** The audit log. Invalid query parameters are ignored. */
export function auditRoutes(audit: AppAudit): AppRoute[] {
  return [
    jsonRoute("get", "/api/audit", "owner", (visitor, { query }) => {
      const action = AUDIT_ACTIONS.find(
        (known) => known === query.get("action"),
      );
      return audit.list(visitor, {
        ...parsePage(query),
        action: action ?? null,
        userId: query.get("userId"),
        from: parseQueryTime(query.get("from")),
        until: parseQueryTime(query.get("until")),
      });
    }),
  ];
}

/** The installed plugins. */
export function pluginRoutes(plugins: AppPlugins): AppRoute[] {
  return [
    jsonRoute("get", "/api/plugins", "owner", (visitor) =>
      plugins.list(visitor),
    ),
  ];
}
