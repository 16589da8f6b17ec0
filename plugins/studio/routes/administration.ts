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
} from "../../../core/plugin-api/index.js";
import {
  parseText,
  jsonRoute,
  getVisitor,
  parseTime,
  parseTextArray,
  parsePage,
} from "./request.js";

const one = "/api/people/:userId";

/** The members of the organization. */
export function peopleRoutes(people: AppPeople): AppRoute[] {
  return [
    jsonRoute({
      method: "get",
      path: "/api/people",
      access: "owner",
      answer: (visitor) => people.list(visitor),
    }),
    jsonRoute({
      method: "post",
      path: "/api/people",
      access: "owner",
      status: 201,
      answer: async (visitor, { body }) =>
        people.invite(visitor, {
          name: parseText(body, "name"),
          email: parseText(body, "email"),
          role: parseRole(body),
        }),
    }),
    ...personRoutes(people),
  ];
}

function personRoutes(people: AppPeople): AppRoute[] {
  return [
    jsonRoute({
      method: "post",
      path: `${one}/link`,
      access: "owner",
      status: 201,
      answer: (visitor, { params: { userId = "" } }) =>
        people.link(visitor, userId),
    }),
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
    jsonRoute({
      method: "delete",
      path: one,
      access: "owner",
      answer: (visitor, { params: { userId = "" } }) =>
        people.remove(visitor, userId),
    }),
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
    jsonRoute({
      method: "get",
      path: "/api/keys",
      access: "owner",
      answer: async (visitor) => ({
        keys: await keys.list(visitor),
        scopes: keys.scopes,
      }),
    }),
    jsonRoute({
      method: "post",
      path: "/api/keys",
      access: "owner",
      status: 201,
      answer: async (visitor, { body }) =>
        keys.create(visitor, {
          name: parseText(body, "name"),
          scopes: parseTextArray(body, "scopes"),
          expiresAt: parseTime(body, "expiresAt"),
        }),
    }),
    jsonRoute({
      method: "delete",
      path: "/api/keys/:keyId",
      access: "owner",
      answer: (visitor, { params: { keyId = "" } }) =>
        keys.revoke(visitor, keyId),
    }),
  ];
}

/** The audit log. Invalid query parameters are ignored. */
export function auditRoutes(audit: AppAudit): AppRoute[] {
  return [
    jsonRoute({
      method: "get",
      path: "/api/audit",
      access: "owner",
      answer: (visitor, { query }) => {
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
      },
    }),
  ];
}

function parseQueryTime(said: string | null): Date | null {
  const time = new Date(said ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}

/** The installed plugins. */
export function pluginRoutes(plugins: AppPlugins): AppRoute[] {
  return [
    jsonRoute({
      method: "get",
      path: "/api/plugins",
      access: "owner",
      answer: (visitor) => plugins.list(visitor),
    }),
  ];
}
