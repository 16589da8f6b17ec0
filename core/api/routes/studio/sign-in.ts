import { GUIDES } from "../../../accounts/index.js";
import type { Sessions, SignIn } from "../../../accounts/sessions/index.js";
import type { PersonFirstSteps } from "../../../templates/drafts/index.js";
import { type Log, PlatenError } from "../../../plugin-api/index.js";
import type { AppReply, AppRoute } from "./router.js";
import { parseText, jsonRoute, getVisitor } from "./request.js";

/**
 * Sign-in by link and by OpenID Connect. GET of a link shows a page with a button and changes nothing, so that mail scanners do not consume the link; the button's POST signs in. Errors redirect to the sign-in page, which explains them.
 */
export function signInRoutes(signIn: SignIn, log: Log): AppRoute[] {
  return [
    {
      method: "get",
      path: "/api/sign-in",
      access: "anyone",
      handle: async () => ({ json: signIn.offers() }),
    },
    {
      method: "post",
      path: "/sign-in/:token",
      access: "anyone",
      isSignIn: true,
      handle: ({ params: { token = "" }, userAgent }) =>
        redirectOnError("link", log, async () => ({
          session: await signIn.byLink(token, userAgent),
          redirect: "",
        })),
    },
    {
      method: "post",
      path: "/api/sign-in/mail",
      access: "anyone",
      isSignIn: true,
      handle: async ({ body }) => {
        await signIn.mailLink(parseText(body, "email"));
        return { status: 202 };
      },
    },
    {
      method: "get",
      path: "/sign-in/openid",
      access: "anyone",
      isSignIn: true,
      handle: () =>
        redirectOnError("openid", log, async () => {
          const { url, flow } = await signIn.beginOpenId();
          return { redirect: url, flow };
        }),
    },
    {
      method: "get",
      path: "/sign-in/openid/return",
      access: "anyone",
      isSignIn: true,
      handle: ({ query, flow, userAgent }) =>
        redirectOnError("openid", log, async () => ({
          session: await signIn.finishOpenId(query, flow, userAgent),
          flow: null,
          redirect: "",
        })),
    },
  ];
}

/** Redirects to the sign-in page with the error code if the attempt fails. */
async function redirectOnError(
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

/** The profile and sessions of the signed-in person, and how far they have come. */
export function sessionRoutes(
  sessions: Sessions,
  firstSteps: PersonFirstSteps,
): AppRoute[] {
  return [
    jsonRoute("get", "/api/me/first-steps", "editor", (visitor) =>
      firstSteps.get(visitor),
    ),
    jsonRoute(
      "post",
      "/api/me/ended-guides",
      "viewer",
      async (visitor, { body }) => {
        const name = parseText(body, "guide");
        const guide = GUIDES.find((candidate) => candidate === name);
        if (guide === undefined)
          throw new PlatenError(
            "invalid_request",
            `$.guide: must be ${GUIDES.join(" or ")}.`,
          );
        await sessions.endGuide(visitor, guide);
        return {};
      },
    ),
    jsonRoute("get", "/api/me", "viewer", (visitor) =>
      sessions.profile(visitor),
    ),
    {
      method: "post",
      path: "/api/me/organization",
      access: "viewer",
      handle: async (request) => {
        const id = parseText(request.body, "organizationId");
        await sessions.enter(getVisitor(request), id);
        return {};
      },
    },
    {
      method: "post",
      path: "/api/sign-out",
      access: "viewer",
      handle: async (request) => {
        const visitor = getVisitor(request);
        await sessions.end(visitor, visitor.sessionId);
        return { session: null };
      },
    },
    jsonRoute("get", "/api/sessions", "viewer", (visitor) =>
      sessions.list(visitor),
    ),
    {
      method: "delete",
      path: "/api/sessions/:sessionId",
      access: "viewer",
      handle: async (request) => {
        const { sessionId = "" } = request.params;
        await sessions.end(getVisitor(request), sessionId);
        return {};
      },
    },
    {
      method: "delete",
      path: "/api/sessions",
      access: "viewer",
      handle: async (request) => {
        await sessions.endOthers(getVisitor(request));
        return {};
      },
    },
  ];
}
