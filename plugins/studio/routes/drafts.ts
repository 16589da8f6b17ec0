import {
  type AppDrafts,
  type AppRoute,
  PRINT_FORMATS,
  type AppFields,
  type FieldQuestion,
} from "../../../core/plugin-api/index.js";
import {
  flag,
  note,
  text,
  whole,
  valueOf,
  jsonRoute,
  choice,
  optional,
  width,
  visitorOf,
} from "./request.js";

/** A definition of 2 MiB, and what stands around it. */
const maxBytes = 3 * 1024 * 1024;

const one = "/api/drafts/:templateId";

/** A template's draft: whoever may look at templates sees it, whoever may write them changes it. */
export function draftRoutes(drafts: AppDrafts): AppRoute[] {
  return [...readRoutes(drafts), saveRoute(drafts), ...endRoutes(drafts)];
}

function readRoutes(drafts: AppDrafts): AppRoute[] {
  return [
    jsonRoute({
      method: "get",
      path: one,
      access: "viewer",
      answer: (visitor, { params: { templateId = "" } }) =>
        drafts.open(visitor, templateId),
    }),
    jsonRoute({
      method: "get",
      path: `${one}/revision`,
      access: "viewer",
      answer: (visitor, { params: { templateId = "" } }) =>
        drafts.pulse(visitor, templateId),
    }),
    jsonRoute({
      method: "get",
      path: `${one}/payloads`,
      access: "editor",
      answer: async (visitor, { params: { templateId = "" } }) => ({
        payloads: await drafts.recentPayloads(visitor, templateId),
      }),
    }),
  ];
}

function saveRoute(drafts: AppDrafts): AppRoute {
  return jsonRoute({
    method: "put",
    path: one,
    access: "editor",
    maxBytes,
    answer: async (visitor, { body, params: { templateId = "" } }) =>
      drafts.save(visitor, templateId, {
        definition: valueOf(body, "definition"),
        expectedRevision: whole(valueOf(body, "expectedRevision")),
        base: text(body, "base"),
      }),
  });
}

function endRoutes(drafts: AppDrafts): AppRoute[] {
  return [
    jsonRoute({
      method: "delete",
      path: one,
      access: "editor",
      answer: async (visitor, { query, params: { templateId = "" } }) => {
        const revision = whole(query.get("expectedRevision"));
        return drafts.discard(visitor, templateId, revision);
      },
    }),
    jsonRoute({
      method: "post",
      path: `${one}/publish`,
      access: "editor",
      answer: async (visitor, { body, params: { templateId = "" } }) =>
        drafts.publish(visitor, templateId, {
          expectedRevision: whole(valueOf(body, "expectedRevision")),
          createVersion: flag(body, "createVersion"),
          versionNote: note(body, "versionNote"),
        }),
    }),
  ];
}

/** A definition of 2 MiB, and a record that is tried with it. */
const maxDesignBytes = 8 * 1024 * 1024;

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
    maxBytes: maxDesignBytes,
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
    maxBytes: maxDesignBytes,
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

/** What an editor asks about the fields of a definition that need not be stored. */
export function fieldRoutes(fields: AppFields): AppRoute[] {
  return [
    {
      method: "post",
      path: "/api/drafts/field-uses",
      access: "viewer",
      maxBytes,
      handle: async ({ body }) => ({
        json: { uses: fields.uses(questionOf(body)) },
      }),
    },
    {
      method: "post",
      path: "/api/drafts/rename-field",
      access: "viewer",
      maxBytes,
      handle: async ({ body }) => ({
        json: { changes: fields.rename(questionOf(body), text(body, "to")) },
      }),
    },
  ];
}

function questionOf(body: unknown): FieldQuestion {
  return {
    definition: valueOf(body, "definition"),
    collectionId: text(body, "collectionId"),
    name: text(body, "name"),
  };
}
