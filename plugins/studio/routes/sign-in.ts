import {
  type AppReply,
  type AppRoute,
  type AppServices,
  type Log,
  PlatenError,
  type AppSessions,
} from "../../../core/plugin-api/index.js";
import { field, jsonRoute, visitorOf } from "./request.js";

/**
 * Coming in. GET of a link shows a page with a button and changes nothing, so that whatever looks into mails does not
 * use it up; the button's POST signs in. What goes wrong leads back to the page, which says what to do.
 */
export function signInRoutes(services: AppServices): AppRoute[] {
  const { signIn } = services;
  return [
    {
      method: "get",
      path: "/api/sign-in",
      access: "anyone",
      handle: async () => ({ json: signIn.offers() }),
    },
    byLink(services),
    byMail(services),
    toOpenId(services),
    fromOpenId(services),
  ];
}

function byLink({ signIn, log }: AppServices): AppRoute {
  return {
    method: "post",
    path: "/sign-in/:token",
    access: "anyone",
    isSignIn: true,
    handle: ({ params: { token = "" }, userAgent }) =>
      orBack("link", log, async () => ({
        session: await signIn.byLink(token, userAgent),
        redirect: "",
      })),
  };
}

function byMail({ signIn }: AppServices): AppRoute {
  return {
    method: "post",
    path: "/api/sign-in/mail",
    access: "anyone",
    isSignIn: true,
    handle: async ({ body }) => {
      await signIn.mailLink(field(body, "email"));
      return { status: 202 };
    },
  };
}

function toOpenId({ signIn, log }: AppServices): AppRoute {
  return {
    method: "get",
    path: "/sign-in/openid",
    access: "anyone",
    isSignIn: true,
    handle: () =>
      orBack("openid", log, async () => {
        const { url, flow } = await signIn.beginOpenId();
        return { redirect: url, flow };
      }),
  };
}

function fromOpenId({ signIn, log }: AppServices): AppRoute {
  return {
    method: "get",
    path: "/sign-in/openid/return",
    access: "anyone",
    isSignIn: true,
    handle: ({ query, flow, userAgent }) =>
      orBack("openid", log, async () => ({
        session: await signIn.finishOpenId(query, flow, userAgent),
        flow: null,
        redirect: "",
      })),
  };
}

/** To the sign-in page, with a word for what went wrong. */
async function orBack(
  way: "link" | "openid",
  log: Log,
  attempt: () => Promise<AppReply>,
): Promise<AppReply> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof PlatenError) || error.code === "internal")
      throw error;
    log.info({ way, code: error.code, err: error.cause }, error.message);
    const problem = new URLSearchParams({ way, problem: error.code });
    return {
      redirect: `sign-in?${problem.toString()}`,
      ...(way === "openid" && { flow: null }),
    };
  }
}

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
