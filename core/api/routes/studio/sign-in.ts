import { z } from "zod";
import { GUIDES } from "../../../accounts/index.js";
import type { Sessions, SignIn } from "../../../accounts/sessions/index.js";
import type { PersonFirstSteps } from "../../../templates/drafts/index.js";
import { type Log, PlatenError } from "../../../plugin-api/index.js";
import { parsePart } from "../../operation.js";
import type { AppReply, AppRoute } from "./router.js";
import { editor, memberRoute, textField, viewer } from "./request.js";

const mailSchema = z.object({ email: textField });
const guideSchema = z.object({ guide: z.enum(GUIDES) });
const organizationSchema = z.object({ organizationId: textField });

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
        const { email } = parsePart(mailSchema, body, "body");
        await signIn.mailLink(email);
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
    editor.get("/api/me/first-steps", (visitor) => firstSteps.get(visitor)),
    viewer.post(
      "/api/me/ended-guides",
      async (visitor, { body }) => {
        await sessions.endGuide(visitor, body.guide);
        return {};
      },
      { body: guideSchema },
    ),
    viewer.get("/api/me", (visitor) => sessions.profile(visitor)),
    viewer.post(
      "/api/me/organization",
      (visitor, { body }) => sessions.enter(visitor, body.organizationId),
      { body: organizationSchema },
    ),
    memberRoute("post", "/api/sign-out", "viewer", async (visitor) => {
      await sessions.end(visitor, visitor.sessionId);
      return { session: null };
    }),
    viewer.get("/api/sessions", (visitor) => sessions.list(visitor)),
    viewer.delete(
      "/api/sessions/:sessionId",
      (visitor, { params: { sessionId = "" } }) =>
        sessions.end(visitor, sessionId),
    ),
    viewer.delete("/api/sessions", (visitor) => sessions.endOthers(visitor)),
  ];
}
