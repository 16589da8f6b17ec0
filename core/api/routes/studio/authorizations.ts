import type {
  Authorizations,
  AuthorizationTarget,
} from "../../../integrations/connections/index.js";
import { PlatenError } from "../../../plugin-api/index.js";
import type { AppRoute } from "./router.js";
import {
  getValue,
  jsonRoute,
  parseOptionalString,
  parseText,
} from "./request.js";

/** Connections that a person authorizes on a page of the other side. */
export function authorizationRoutes(
  authorizations: Authorizations,
): AppRoute[] {
  return [
    jsonRoute("get", "/api/authorizations", "viewer", () =>
      authorizations.offers(),
    ),
    {
      ...jsonRoute(
        "post",
        "/api/authorizations",
        "owner",
        async (visitor, { body }) =>
          authorizations.begin(visitor, parseTarget(body)),
      ),
      maxRequestsPerMinute: 60,
    },
    {
      ...jsonRoute(
        "post",
        "/api/authorizations/finish",
        "owner",
        async (visitor, { body }) => {
          const answer = new URLSearchParams(parseText(body, "query"));
          return authorizations.finish(visitor, answer);
        },
      ),
      maxRequestsPerMinute: 60,
    },
  ];
}

function parseTarget(body: unknown): AuthorizationTarget {
  const connectionId = parseOptionalString(body, "connectionId");
  if (connectionId !== null)
    return { connectionId, credentials: parseCredentials(body) };
  const delivery = parseOptionalString(body, "delivery");
  return {
    ...(delivery === null
      ? { platform: parseText(body, "platform") }
      : { delivery }),
    name: parseText(body, "name"),
    credentials: parseCredentials(body) ?? {},
  };
}

function parseCredentials(body: unknown): object | null {
  const value = getValue(body, "credentials") ?? null;
  if (typeof value === "object" && !Array.isArray(value)) return value;
  throw new PlatenError(
    "invalid_request",
    "$.credentials: must be an object, or null.",
  );
}
