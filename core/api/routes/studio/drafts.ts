import { z } from "zod";
import { PRINT_FORMATS } from "../../../documents/index.js";
import {
  dataCollectionSchema,
  type FieldReference,
} from "../../../definition/index.js";
import type { PastedRows } from "../../../integrations/platforms/index.js";
import { DATE_ORDERS, DECIMAL_MARKS } from "../../../plugin-api/index.js";
import type {
  DraftService,
  FieldService,
} from "../../../templates/drafts/index.js";
import { validate } from "../../operation.js";
import type { AppRoute } from "./router.js";
import {
  parseFlag,
  parseNote,
  text,
  parseRevision,
  getValue,
  jsonRoute,
  parseChoice,
  parseOptionalString,
  parseWidth,
  getVisitor,
} from "./request.js";

/** A definition of up to 2 MiB and the other fields of the body. */
const maxBytes = 3 * 1024 * 1024;

const draftPath = "/api/drafts/:templateId";

/** A template's draft: viewers can read it, editors can change it. */
export function draftRoutes(drafts: DraftService): AppRoute[] {
  return [
    jsonRoute(
      "get",
      draftPath,
      "viewer",
      (visitor, { params: { templateId = "" } }) =>
        drafts.open(visitor, templateId),
    ),
    jsonRoute(
      "get",
      `${draftPath}/revision`,
      "viewer",
      (visitor, { params: { templateId = "" } }) =>
        drafts.pulse(visitor, templateId),
    ),
    jsonRoute(
      "get",
      `${draftPath}/payloads`,
      "editor",
      async (visitor, { params: { templateId = "" } }) => ({
        payloads: await drafts.recentPayloads(visitor, templateId),
      }),
    ),
    jsonRoute(
      "put",
      draftPath,
      "editor",
      async (visitor, { body, params: { templateId = "" } }) =>
        drafts.save(visitor, templateId, {
          definition: getValue(body, "definition"),
          expectedRevision: parseRevision(getValue(body, "expectedRevision")),
          base: text(body, "base"),
        }),
      { maxBytes },
    ),
    jsonRoute(
      "delete",
      draftPath,
      "editor",
      async (visitor, { query, params: { templateId = "" } }) => {
        const revision = parseRevision(query.get("expectedRevision"));
        return drafts.discard(visitor, templateId, revision);
      },
    ),
    jsonRoute(
      "post",
      `${draftPath}/publish`,
      "editor",
      async (visitor, { body, params: { templateId = "" } }) =>
        drafts.publish(visitor, templateId, {
          expectedRevision: parseRevision(getValue(body, "expectedRevision")),
          createVersion: parseFlag(body, "createVersion"),
          versionNote: parseNote(body, "versionNote"),
        }),
    ),
  ];
}

/** A definition of up to 2 MiB and a record. */
const maxDesignBytes = 8 * 1024 * 1024;

/** More than a person causes by typing. Programs use the API, which counts documents. */
const printsAMinute = 120;

/** Emails to oneself: nobody reads more. */
const testsAMinute = 6;

const TYPES = ["document", "email"] as const;

/** Checks and previews of definitions that need not be stored. */
export function designRoutes(drafts: DraftService): AppRoute[] {
  return [
    jsonRoute(
      "post",
      "/api/drafts/check",
      "viewer",
      async (visitor, { body }) =>
        drafts.check(visitor, {
          ...parseSource(body),
          templateId: parseOptionalString(body, "templateId") ?? undefined,
        }),
      { maxBytes: maxDesignBytes },
    ),
    {
      method: "post",
      path: "/api/drafts/print",
      access: "editor",
      maxBytes: maxDesignBytes,
      maxRequestsPerMinute: printsAMinute,
      handle: async (request) => {
        const { body, signal } = request;
        const order = {
          ...parseSource(body),
          data: getValue(body, "data"),
          format: parseChoice(body, "format", PRINT_FORMATS),
          widthPx: parseWidth(body, "widthPx"),
          isDark: parseFlag(body, "isDark"),
        };
        return { file: await drafts.print(getVisitor(request), order, signal) };
      },
    },
    {
      method: "post",
      path: "/api/drafts/send-test",
      access: "editor",
      maxBytes: maxDesignBytes,
      maxRequestsPerMinute: testsAMinute,
      handle: async (request) => {
        const { body } = request;
        const test = {
          definition: getValue(body, "definition"),
          data: getValue(body, "data"),
        };
        return { json: await drafts.sendTest(getVisitor(request), test) };
      },
    },
    jsonRoute("get", "/api/design", "viewer", (visitor) =>
      drafts.design(visitor),
    ),
    {
      method: "get",
      path: "/api/fonts/:file",
      access: "viewer",
      handle: async (request) => {
        const { file = "" } = request.params;
        return { file: await drafts.font(file) };
      },
    },
    jsonRoute("get", "/api/blueprints", "viewer", async () => ({
      blueprints: drafts.blueprints(),
    })),
    {
      method: "get",
      path: "/api/blueprints/:blueprintId/picture",
      access: "viewer",
      handle: async (request) => {
        const { blueprintId = "" } = request.params;
        const visitor = getVisitor(request);
        return { file: await drafts.blueprintPicture(visitor, blueprintId) };
      },
    },
  ];
}

function parseSource(body: unknown) {
  return {
    templateType: parseChoice(body, "templateType", TYPES) ?? "document",
    definition: getValue(body, "definition"),
  };
}

/** Uses and renames of a field in a definition that need not be stored. */
export function fieldRoutes(fields: FieldService): AppRoute[] {
  return [
    {
      method: "post",
      path: "/api/drafts/field-uses",
      access: "viewer",
      maxBytes,
      handle: async ({ body }) => ({
        json: { uses: fields.uses(parseFieldQuestion(body)) },
      }),
    },
    {
      method: "post",
      path: "/api/drafts/rename-field",
      access: "viewer",
      maxBytes,
      handle: async ({ body }) => ({
        json: {
          changes: fields.rename(parseFieldQuestion(body), text(body, "to")),
        },
      }),
    },
  ];
}

function parseFieldQuestion(body: unknown): FieldReference {
  return {
    definition: getValue(body, "definition"),
    collectionId: text(body, "collectionId"),
    name: text(body, "name"),
  };
}

/** Each starts a thread. */
const readsAMinute = 120;

const pastedSchema = z.strictObject({
  text: z.string(),
  schema: z.array(dataCollectionSchema),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .catch("USD"),
  target: z
    .union([
      z.enum(["record", "new"]),
      z.templateLiteral(["list:", z.string()]),
    ])
    .optional(),
  headerRow: z.int().min(0).optional(),
  decimal: z.enum(DECIMAL_MARKS).optional(),
  dateFormat: z.enum(DATE_ORDERS).optional(),
});

/** Rows that a person pastes as sample data. */
export function rowRoutes(rows: PastedRows): AppRoute[] {
  return [
    {
      method: "post",
      path: "/api/drafts/rows",
      access: "editor",
      maxBytes: maxDesignBytes,
      maxRequestsPerMinute: readsAMinute,
      handle: async ({ body }) => {
        const pasted = pastedSchema.parse(validate(pastedSchema, body, "body"));
        return { json: await rows.read(pasted) };
      },
    },
  ];
}
