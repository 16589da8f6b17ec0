import type { AppKeys, AppRoute } from "../../../core/contract/index.js";
import { field, moment, texts } from "./field.js";
import { visitorOf } from "./sessions.js";

/** The organization's API keys, for its owners. */
export function keyRoutes(keys: AppKeys): AppRoute[] {
  return [
    {
      method: "get",
      path: "/api/keys",
      access: "owner",
      handle: async (request) => ({
        json: {
          keys: await keys.list(visitorOf(request)),
          scopes: keys.scopes,
        },
      }),
    },
    {
      method: "post",
      path: "/api/keys",
      access: "owner",
      handle: async (request) => ({
        status: 201,
        json: await keys.create(visitorOf(request), {
          name: field(request.body, "name"),
          scopes: texts(request.body, "scopes"),
          expiresAt: moment(request.body, "expiresAt"),
        }),
      }),
    },
    {
      method: "delete",
      path: "/api/keys/:keyId",
      access: "owner",
      handle: async (request) => {
        const { keyId = "" } = request.params;
        return { json: await keys.revoke(visitorOf(request), keyId) };
      },
    },
  ];
}
