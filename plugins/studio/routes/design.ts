import {
  type AppDrafts,
  type AppRoute,
  PRINT_FORMATS,
} from "../../../core/plugin-api/index.js";
import { choice, optional, width } from "./draft-fields.js";
import { valueOf } from "./field.js";
import { jsonRoute } from "./json-route.js";
import { visitorOf } from "./visitor-of.js";

/** A definition of 2 MiB, and a record that is tried with it. */
const maxBytes = 8 * 1024 * 1024;

/** More than a person brings about by typing; a program has the API, which counts what it makes. */
const printsAMinute = 120;

const TYPES = ["document", "email"] as const;

/** What an editor asks about definitions that need not be stored. */
export function designRoutes(drafts: AppDrafts): AppRoute[] {
  return [
    checkRoute(drafts),
    printRoute(drafts),
    designRoute(drafts),
    fontRoute(drafts),
    ...blueprintRoutes(drafts),
  ];
}

function checkRoute(drafts: AppDrafts): AppRoute {
  return jsonRoute({
    method: "post",
    path: "/api/drafts/check",
    access: "viewer",
    maxBytes,
    answer: async (visitor, { body }) =>
      drafts.check(visitor, {
        ...sourceOf(body),
        templateId: optional(body, "templateId") ?? undefined,
      }),
  });
}

function printRoute(drafts: AppDrafts): AppRoute {
  return {
    method: "post",
    path: "/api/drafts/print",
    access: "editor",
    maxBytes,
    mostAMinute: printsAMinute,
    handle: async (request) => {
      const { body, signal } = request;
      const order = {
        ...sourceOf(body),
        data: valueOf(body, "data"),
        format: choice(body, "format", PRINT_FORMATS),
        widthPx: width(body, "widthPx"),
      };
      return { file: await drafts.print(visitorOf(request), order, signal) };
    },
  };
}

function sourceOf(body: unknown) {
  return {
    templateType: choice(body, "templateType", TYPES) ?? "document",
    definition: valueOf(body, "definition"),
  };
}

function designRoute(drafts: AppDrafts): AppRoute {
  return jsonRoute({
    method: "get",
    path: "/api/design",
    access: "viewer",
    answer: (visitor) => drafts.design(visitor),
  });
}

function fontRoute(drafts: AppDrafts): AppRoute {
  return {
    method: "get",
    path: "/api/fonts/:file",
    access: "viewer",
    handle: async (request) => {
      const { file = "" } = request.params;
      return { file: await drafts.font(file) };
    },
  };
}

function blueprintRoutes(drafts: AppDrafts): AppRoute[] {
  return [
    jsonRoute({
      method: "get",
      path: "/api/blueprints",
      access: "viewer",
      answer: async () => ({ blueprints: drafts.blueprints() }),
    }),
    {
      method: "get",
      path: "/api/blueprints/:blueprintId/picture",
      access: "viewer",
      handle: async (request) => {
        const { blueprintId = "" } = request.params;
        const visitor = visitorOf(request);
        return { file: await drafts.blueprintPicture(visitor, blueprintId) };
      },
    },
  ];
}
