import {
  APP_ROLES,
  type AppPeople,
  type AppRole,
  type AppRoute,
  PlatenError,
} from "../../../core/contract/index.js";
import { field } from "./field.js";
import { visitorOf } from "./sessions.js";

const one = "/api/people/:userId";

/** Who is in the organization, for its owners. */
export function peopleRoutes(people: AppPeople): AppRoute[] {
  return [
    {
      method: "get",
      path: "/api/people",
      access: "owner",
      handle: async (request) => ({
        json: await people.list(visitorOf(request)),
      }),
    },
    {
      method: "post",
      path: "/api/people",
      access: "owner",
      handle: async (request) => ({
        status: 201,
        json: await people.invite(visitorOf(request), {
          name: field(request.body, "name"),
          email: field(request.body, "email"),
          role: roleIn(request.body),
        }),
      }),
    },
    ...changes(people),
  ];
}

function changes(people: AppPeople): AppRoute[] {
  return [
    {
      method: "post",
      path: `${one}/link`,
      access: "owner",
      handle: async (request) => ({
        status: 201,
        json: await people.link(
          visitorOf(request),
          request.params["userId"] ?? "",
        ),
      }),
    },
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
    {
      method: "delete",
      path: one,
      access: "owner",
      handle: async (request) => {
        const { userId = "" } = request.params;
        return { json: await people.remove(visitorOf(request), userId) };
      },
    },
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
