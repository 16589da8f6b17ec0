import {
  type AppRequest,
  type AppRoute,
  type AppSessions,
  type AppVisitor,
  PlatenError,
} from "../../../core/contract/index.js";
import { field } from "./field.js";

/** Who is signed in, where, and how to end it. */
export function sessionRoutes(sessions: AppSessions): AppRoute[] {
  return [
    {
      method: "get",
      path: "/api/me",
      access: "viewer",
      handle: async (request) => ({
        json: await sessions.profile(visitorOf(request)),
      }),
    },
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
    {
      method: "get",
      path: "/api/sessions",
      access: "viewer",
      handle: async (request) => ({
        json: await sessions.list(visitorOf(request)),
      }),
    },
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

/** Of a route that lets nobody else pass. */
export function visitorOf({ visitor }: AppRequest): AppVisitor {
  if (visitor) return visitor;
  throw new PlatenError("unauthorized", "You are not signed in.");
}
