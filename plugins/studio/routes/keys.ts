import type { AppKeys, AppRoute } from "../../../core/plugin-api/index.js";
import { field, moment, texts } from "./field.js";
import { jsonRoute } from "./json-route.js";

/** The organization's API keys, for its owners. */
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
          name: field(body, "name"),
          scopes: texts(body, "scopes"),
          expiresAt: moment(body, "expiresAt"),
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
