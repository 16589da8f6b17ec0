import {
  APP_ROLES,
  type AppPeople,
  type AppRole,
  type AppRoute,
  PlatenError,
} from "../../../core/plugin-api/index.js";
import { field } from "./field.js";
import { jsonRoute } from "./json-route.js";
import { visitorOf } from "./visitor-of.js";

const one = "/api/people/:userId";

/** Who is in the organization, for its owners. */
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
          name: field(body, "name"),
          email: field(body, "email"),
          role: roleIn(body),
        }),
    }),
    ...changes(people),
  ];
}

function changes(people: AppPeople): AppRoute[] {
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
        const role = roleIn(request.body);
        await people.changeRole(visitorOf(request), userId, role);
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

function roleIn(body: unknown): AppRole {
  const said = field(body, "role");
  const role = APP_ROLES.find((known) => known === said);
  if (role) return role;
  throw new PlatenError(
    "invalid_request",
    `$.role: must be one of ${APP_ROLES.join(", ")}.`,
  );
}
