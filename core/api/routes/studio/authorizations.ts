import { z } from "zod";
import type { Authorizations } from "../../../integrations/connections/index.js";
import type { AppRoute } from "./router.js";
import { owner, textField, viewer } from "./request.js";

const credentialsField = z.record(z.string(), z.unknown());
const newConnectionFields = {
  name: z.string().trim(),
  credentials: credentialsField.default({}),
};

const targetSchema = z.union([
  z.object({
    connectionId: z.string(),
    credentials: credentialsField.nullable().default(null),
  }),
  z.object({ delivery: z.string(), ...newConnectionFields }),
  z.object({ platform: z.string(), ...newConnectionFields }),
]);

/** Connections that a person authorizes on a page of the other side. */
export function authorizationRoutes(
  authorizations: Authorizations,
): AppRoute[] {
  return [
    viewer.get("/api/authorizations", () => authorizations.offers()),
    owner.post(
      "/api/authorizations",
      (visitor, { body }) => authorizations.begin(visitor, body),
      { maxRequestsPerMinute: 60, body: targetSchema },
    ),
    owner.post(
      "/api/authorizations/finish",
      (visitor, { body: { query } }) =>
        authorizations.finish(visitor, new URLSearchParams(query)),
      { maxRequestsPerMinute: 60, body: z.object({ query: textField }) },
    ),
  ];
}
