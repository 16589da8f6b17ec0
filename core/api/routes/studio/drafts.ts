import { z } from "zod";
import { PRINT_FORMATS } from "../../../documents/index.js";
import {
  dataCollectionSchema,
  TEMPLATE_TYPES,
} from "../../../definition/index.js";
import type { PastedRows } from "../../../integrations/platforms/index.js";
import { DATE_ORDERS, DECIMAL_MARKS } from "../../../plugin-api/index.js";
import type {
  DraftService,
  FieldService,
} from "../../../templates/drafts/index.js";
import { validate } from "../../operation.js";
import type { AppRoute } from "./router.js";
import { editor, memberRoute, parseRevision, viewer } from "./request.js";

/** A definition of up to 2 MiB and the other fields of the body. */
const maxBytes = 3 * 1024 * 1024;

const draftPath = "/api/drafts/:templateId";

/** Read by the service, which says what is missing. */
const anyValue = z.unknown().default(undefined);
const revisionField = anyValue.transform(parseRevision);

const draftSchema = z.object({
  definition: anyValue,
  expectedRevision: revisionField,
  base: z.string(),
});

const publicationSchema = z.object({
  expectedRevision: revisionField,
  createVersion: z.boolean().default(false),
  versionNote: z
    .string()
    .max(10_000, "must be at most 10000 characters long")
    .nullable()
    .default(null),
});

/** A template's draft: viewers can read it, editors can change it. */
export function draftRoutes(drafts: DraftService): AppRoute[] {
  return [
    viewer.get(draftPath, (visitor, { params: { templateId = "" } }) =>
      drafts.open(visitor, templateId),
    ),
    viewer.get(
      `${draftPath}/revision`,
      (visitor, { params: { templateId = "" } }) =>
        drafts.pulse(visitor, templateId),
    ),
    editor.get(
      `${draftPath}/payloads`,
      async (visitor, { params: { templateId = "" } }) => ({
        payloads: await drafts.recentPayloads(visitor, templateId),
      }),
    ),
    editor.put(
      draftPath,
      (visitor, { body, params: { templateId = "" } }) =>
        drafts.save(visitor, templateId, body),
      { maxBytes, body: draftSchema },
    ),
    editor.delete(
      draftPath,
      async (visitor, { query, params: { templateId = "" } }) => {
        const revision = parseRevision(query.get("expectedRevision"));
        return drafts.discard(visitor, templateId, revision);
      },
    ),
    editor.post(
      `${draftPath}/publish`,
      (visitor, { body, params: { templateId = "" } }) =>
        drafts.publish(visitor, templateId, body),
      { body: publicationSchema },
    ),
  ];
}

/** A definition of up to 2 MiB and a record. */
const maxDesignBytes = 8 * 1024 * 1024;

/** More than a person causes by typing. Programs use the API, which counts documents. */
const printsAMinute = 120;

/** Emails to oneself: nobody reads more. */
const testsAMinute = 6;

const sourceSchema = z.object({
  templateType: z.enum(TEMPLATE_TYPES).default("document"),
  definition: anyValue,
});

const checkSchema = sourceSchema.extend({
  templateId: z
    .string()
    .nullish()
    .transform((id) => id ?? undefined),
});

const printSchema = sourceSchema.extend({
  data: anyValue,
  format: z.enum(PRINT_FORMATS).optional(),
  widthPx: z.number().min(200).max(2000).transform(Math.round).optional(),
  isDark: z.boolean().default(false),
});

const testSchema = z.object({ definition: anyValue, data: anyValue });

/** Checks and previews of definitions that need not be stored. */
export function designRoutes(drafts: DraftService): AppRoute[] {
  return [
    viewer.post(
      "/api/drafts/check",
      (visitor, { body }) => drafts.check(visitor, body),
      { maxBytes: maxDesignBytes, body: checkSchema },
    ),
    memberRoute(
      "post",
      "/api/drafts/print",
      "editor",
      async (visitor, { body, signal }) => ({
        file: await drafts.print(visitor, body, signal),
      }),
      {
        maxBytes: maxDesignBytes,
        maxRequestsPerMinute: printsAMinute,
        body: printSchema,
      },
    ),
    editor.post(
      "/api/drafts/send-test",
      (visitor, { body }) => drafts.sendTest(visitor, body),
      {
        maxBytes: maxDesignBytes,
        maxRequestsPerMinute: testsAMinute,
        body: testSchema,
      },
    ),
    viewer.get("/api/design", (visitor) => drafts.design(visitor)),
    memberRoute(
      "get",
      "/api/fonts/:file",
      "viewer",
      async (_visitor, { params: { file = "" } }) => ({
        file: await drafts.font(file),
      }),
    ),
    viewer.get("/api/blueprints", async () => ({
      blueprints: drafts.blueprints(),
    })),
    memberRoute(
      "get",
      "/api/blueprints/:blueprintId/picture",
      "viewer",
      async (visitor, { params: { blueprintId = "" } }) => ({
        file: await drafts.blueprintPicture(visitor, blueprintId),
      }),
    ),
  ];
}

const fieldSchema = z.object({
  definition: anyValue,
  collectionId: z.string(),
  name: z.string(),
});
const renameSchema = fieldSchema.extend({ to: z.string() });

/** Uses and renames of a field in a definition that need not be stored. */
export function fieldRoutes(fields: FieldService): AppRoute[] {
  return [
    viewer.post(
      "/api/drafts/field-uses",
      async (_visitor, { body }) => ({ uses: fields.uses(body) }),
      { maxBytes, body: fieldSchema },
    ),
    viewer.post(
      "/api/drafts/rename-field",
      async (_visitor, { body: { to, ...field } }) => ({
        changes: fields.rename(field, to),
      }),
      { maxBytes, body: renameSchema },
    ),
  ];
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
