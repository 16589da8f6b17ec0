import type { AppRoute, AppSessions } from "../../../core/plugin-api/index.js";
import { field } from "./field.js";
import { jsonRoute } from "./json-route.js";
import { visitorOf } from "./visitor-of.js";

/** Who is signed in, where, and how to end it. */
export function sessionRoutes(sessions: AppSessions): AppRoute[] {
  return [
    jsonRoute({
      method: "get",
      path: "/api/me",
      access: "viewer",
      answer: (visitor) => sessions.profile(visitor),
    }),
    {
      method: "post",
      path: "/api/me/organization",
      access: "viewer",
      handle: async (request) => {
        const id = field(request.body, "organizationId");
        await sessions.enter(visitorOf(request), id);
        return {};
      },
    },
    {
      method: "post",
      path: "/api/sign-out",
      access: "viewer",
      handle: async (request) => {
        const visitor = visitorOf(request);
        await sessions.end(visitor, visitor.sessionId);
        return { session: null };
      },
    },
    ...listed(sessions),
  ];
}

function listed(sessions: AppSessions): AppRoute[] {
  return [
    jsonRoute({
      method: "get",
      path: "/api/sessions",
      access: "viewer",
      answer: (visitor) => sessions.list(visitor),
    }),
    {
      method: "delete",
      path: "/api/sessions/:sessionId",
      access: "viewer",
      handle: async (request) => {
        const { sessionId = "" } = request.params;
        await sessions.end(visitorOf(request), sessionId);
        return {};
      },
    },
    {
      method: "delete",
      path: "/api/sessions",
      access: "viewer",
      handle: async (request) => {
        await sessions.endOthers(visitorOf(request));
        return {};
      },
    },
  ];
}
