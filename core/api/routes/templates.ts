import { Router } from "@koa/router";
import { z } from "zod";
import { normalizeId } from "../../lib/ids.js";
import { PAGE_SIZES, TEMPLATE_TYPES } from "../../definition/index.js";
import {
  type DataValidation,
  listRecords,
  type Thumbnails,
} from "../../documents/index.js";
import {
  type TemplateEditor,
  templateListItemSchema,
  type Templates,
  templateSchema,
  templateSettingsSchema,
  templateVersionListItemSchema,
  templateVersionSchema,
} from "../../templates/index.js";
import { getActor, type HttpState } from "../middleware.js";
import { createDefinition, type Operation } from "../operation.js";
import {
  pageSchema,
  booleanWord,
  pageOf,
  pageQuery,
  unknownFieldsSchema,
} from "../schemas.js";
import { batchItemSchema } from "./batches.js";
import { sendFile } from "../send-file.js";
import { definitionSchema, deliverField, idInput } from "../../lib/schemas.js";

const batchNoticeFields = {
  batchVersion: z
    .number()
    .int()
    .exactOptional()
    .meta({
      description:
        "The version that batches use by default. Present only if the definition has changed since that version, and so is used " +
        "by single renders only.",
    }),
  notice: z.string().exactOptional().meta({
    description: "The same as a sentence, and how to make it a version.",
    example:
      "POST /api/export renders this definition, but batches still use version 3. Set createVersion to true to make it a version, which batches then use.",
  }),
};

const templateTypeOnlySchema = z
  .strictObject({
    id: templateSchema.shape.id,
    templateType: templateSchema.shape.templateType,
  })
  .meta({ id: "TemplateTypeOnly" });

const templatePatchSchema = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(255, "must be at most 255 characters long"),
    description: z
      .string()
      .max(10_000, "must be at most 10000 characters long")
      .nullable(),
    folderId: idInput
      .nullable()
      .meta({ description: "A folder of the organization, or null for none." }),
    isActive: z.boolean(),
    isFavorite: z.boolean(),
    deliver: deliverField.nullable().meta({
      description:
        "Where documents of batches and links are delivered by default; null for nowhere.",
    }),
    createVersion: z.boolean().meta({
      description:
        "True: saves the live definition as a version with the next number.",
    }),
  })
  .partial()
  .meta({ id: "TemplatePatch", example: { isActive: true } });

const { name: templateName, description: templateDescription } =
  templatePatchSchema.shape;

/** A template that is to be made: one source at most. */
const newTemplateSchema = z
  .strictObject({
    name: templateName.unwrap(),
    description: templateDescription,
    templateType: z.enum(TEMPLATE_TYPES).optional().meta({
      description:
        "Default: the type of the blueprint or template, otherwise `document`.",
    }),
    definition: definitionSchema.optional(),
    blueprint: z.string().optional().meta({
      description: "The name of an example template.",
      example: "invoice",
    }),
    cloneTemplateId: idInput
      .optional()
      .meta({ description: "A template of the organization." }),
    format: z.enum(PAGE_SIZES).optional().meta({
      description:
        "Sets `page.size`; `Custom` needs `page.width` and `page.height` in the definition. Not for emails.",
    }),
    isLandscape: z.boolean().optional().meta({
      description: "Sets `page.landscape`. Not for emails.",
    }),
  })
  .meta({
    id: "TemplateOrder",
    example: { name: "Our invoice", blueprint: "invoice", format: "Letter" },
  });

const definitionUpdateSchema = z
  .strictObject({
    definition: definitionSchema,
    createVersion: z.boolean().optional().meta({
      description: "True: saves it as a version with the next number.",
    }),
    versionNote: z
      .string()
      .max(10_000, "must be at most 10000 characters long")
      .optional()
      .meta({ description: "What changed; kept with the version." }),
    expectedVersion: z
      .union([z.int(), z.string()])
      .optional()
      .meta({
        description:
          "The `updatedAt` that you read, or the `version` if nothing changed since it was created. Returns 409 if the template " +
          "has changed since.",
        example: "2026-07-31T09:30:00.000Z",
      }),
  })
  .meta({ id: "TemplateRedefinition" });

const warningSchema = z.strictObject({
  path: z.string().meta({ example: "$.components[0].text" }),
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  expression: z.string().optional(),
  column: z.number().int().optional(),
  line: z.number().int().optional(),
});

const templateWithWarningsSchema = templateSettingsSchema
  .extend({
    warnings: z.array(warningSchema).meta({
      description:
        "Allowed but suspicious, such as paths that the schema does not declare.",
    }),
  })
  .meta({ id: "MadeTemplate" });

const recordSchema = z.unknown().meta({
  description:
    "A root record. Anything but an object is reported as a problem.",
});

const dataCheckSchema = z
  .strictObject({
    data: recordSchema.optional(),
    items: z
      .array(batchItemSchema.extend({ data: recordSchema.optional() }))
      .min(1)
      .optional()
      .meta({
        description:
          "The items of a batch, of which only `data` is checked. Instead of `data`.",
      }),
    templateVersion: z.int().min(1, "must be at least 1").optional().meta({
      description: "A version number. Default: the live definition.",
    }),
    unknownFields: unknownFieldsSchema.optional(),
  })
  .meta({
    id: "DataCheck",
    example: { data: { number: "2026-117", lines: [{ price: "12,50" }] } },
  });

const dataProblemSchema = z
  .strictObject({
    path: z.string().meta({
      description: "JSON path from the root of the request.",
      example: "$.data.lines[0].price",
    }),
    code: z.enum([
      "missing_value",
      "wrong_type",
      "invalid_date",
      "unknown_field",
    ]),
    expected: z.string().meta({ example: "a number" }),
    found: z.string().meta({ example: 'the text "12,50"' }),
    message: z.string(),
    hint: z.string().optional(),
  })
  .meta({ id: "DataProblem" });

const dataCheckResultSchema = z
  .strictObject({
    valid: z.boolean().meta({
      description:
        'Whether the data has no problems. Unknown fields count only with `unknownFields: "error"`.',
    }),
    problems: z.array(dataProblemSchema).meta({
      description: "All problems of all records, at most 1,000.",
    }),
  })
  .meta({ id: "DataCheckResult" });

/** The answer to a PATCH. */
const changedSettingsSchema = templateSettingsSchema
  .extend(batchNoticeFields)
  .meta({ id: "ChangedTemplateSettings" });

/** The answer to a new definition. */
const changedTemplateSchema = templateWithWarningsSchema
  .extend(batchNoticeFields)
  .meta({ id: "ChangedTemplate" });

const templateParams = z.strictObject({
  templateId: idInput.meta({ description: "UUID of the template." }),
});

const listQuery = z.strictObject({
  ...pageQuery,
  q: z.string().optional().meta({
    description: "Part of the name, case-insensitive.",
    example: "invoice",
  }),
  recentlyUpdated: booleanWord.optional().meta({
    description:
      "True: sort by last update; otherwise by creation, newest first.",
  }),
});

const settingsReply = {
  description: "The template, without its definition.",
  schema: templateSettingsSchema,
};
const onePath = "/api/templates/:templateId";
const defineOperation = createDefinition("Templates");

export function templateOperations(
  templates: Templates,
  editor: TemplateEditor,
  dataValidation: DataValidation,
): Operation[] {
  return [
    defineOperation({
      id: "listTemplates",
      get: "/api/templates",
      scope: "templates:read",
      summary: "List templates",
      description: "Trashed templates are not listed.",
      query: listQuery,
      reply: {
        description: "A page of templates.",
        schema: pageSchema(templateListItemSchema),
      },
      handle: ({ caller, query: { q, recentlyUpdated, ...page } }) =>
        templates.list(caller.organizationId, {
          ...pageOf(page),
          q,
          recentlyUpdated,
        }),
    }),
    defineOperation({
      id: "getTemplate",
      get: onePath,
      scope: "templates:read",
      summary: "Read a template",
      description:
        "Includes the definition. Trashed templates are returned too.",
      params: templateParams,
      query: z.strictObject({
        typeOnly: booleanWord
          .optional()
          .meta({ description: "True: only `id` and `templateType`." }),
      }),
      reply: {
        description: "The template.",
        schema: z.union([templateSchema, templateTypeOnlySchema]),
      },
      handle: async ({ caller, params: { templateId }, query }) =>
        query.typeOnly
          ? templates.typeOf(caller.organizationId, templateId)
          : templates.get(caller.organizationId, templateId),
    }),
    defineOperation({
      id: "updateTemplate",
      patch: onePath,
      scope: "templates:write",
      summary: "Change a template's settings",
      description:
        "Fields that you omit stay unchanged. Use `PUT …/definition` to change the definition; `createVersion` saves the current one as a version.",
      params: templateParams,
      body: templatePatchSchema,
      hints: {
        definition:
          "Send the definition to PUT /api/templates/{templateId}/definition.",
      },
      reply: {
        description: "The template, without its definition.",
        schema: changedSettingsSchema,
      },
      handle: ({ caller, params, body }) =>
        templates.patch(caller, params.templateId, body, getActor(caller)),
    }),
    defineOperation({
      id: "createTemplate",
      post: "/api/templates",
      scope: "templates:write",
      summary: "Create a template",
      description:
        "Created from one of `definition`, `blueprint` and `cloneTemplateId`, or empty. All problems of a " +
        "definition are reported at once.",
      body: newTemplateSchema,
      textFields: ["definition"],
      reply: {
        status: 201,
        description: "The template, without its definition.",
        schema: templateWithWarningsSchema,
      },
      errors: [404],
      idempotent: true,
      handle: async ({ caller, body, keepAnswer }) => {
        const actor = getActor(caller);
        const made = await editor.create(caller, body, actor, keepAnswer);
        return { ...made, warnings: [...made.warnings] };
      },
    }),
    defineOperation({
      id: "redefineTemplate",
      put: `${onePath}/definition`,
      scope: "templates:write",
      summary: "Replace a template's definition",
      description:
        "Replaces the whole live definition; versions do not change. Without `createVersion`, batches still use the newest " +
        "version: the response says so in `batchVersion` and `notice`. A component that keeps its `id` keeps its " +
        "`collectionId`. All problems are reported at once, and then nothing changes.",
      params: templateParams,
      body: definitionUpdateSchema,
      textFields: ["definition"],
      reply: {
        description: "The template, without its definition.",
        schema: changedTemplateSchema,
      },
      errors: [404, 409],
      handle: async ({ caller, params: { templateId }, body }) => {
        const actor = getActor(caller);
        const edited = await editor.edit(caller, templateId, body, actor);
        return { ...edited, warnings: [...edited.warnings] };
      },
    }),
    defineOperation({
      id: "validateData",
      post: `${onePath}/validate`,
      scope: "documents:write",
      summary: "Check data against a template",
      description:
        "Checks one record (`data`) or several (`items`) against the template's schema, as a render with `strict: true` " +
        "does. Nothing is rendered, stored or counted. All problems are returned at once, also with status 200.",
      params: templateParams,
      body: dataCheckSchema,
      textFields: ["data"],
      reply: {
        description: "Whether the data is valid, and what is wrong with it.",
        schema: dataCheckResultSchema,
      },
      handle: ({ caller: { organizationId }, params, body }) => {
        const { templateVersion, unknownFields } = body;
        const { templateId } = params;
        const choice = { organizationId, templateId, templateVersion };
        return dataValidation.validate(
          choice,
          listRecords(body),
          unknownFields,
        );
      },
    }),
    defineOperation({
      id: "duplicateTemplate",
      post: `${onePath}/duplicate`,
      scope: "templates:write",
      summary: "Duplicate a template",
      description:
        "Creates a copy with the same definition in the same folder, with its own name and version history.",
      params: templateParams,
      reply: {
        status: 201,
        description: "The new template, without its definition.",
        schema: templateSettingsSchema,
      },
      idempotent: true,
      handle: ({ caller, params: { templateId }, keepAnswer }) =>
        editor.duplicate(caller, templateId, getActor(caller), keepAnswer),
    }),
    defineOperation({
      id: "deleteTemplate",
      delete: onePath,
      scope: "templates:write",
      summary: "Move a template to the trash",
      description:
        "A trashed template is neither listed nor rendered, except by batches that were accepted before. Has no effect if it is already in the trash.",
      params: templateParams,
      reply: settingsReply,
      handle: ({ caller, params: { templateId } }) =>
        editor.trash(caller, templateId, getActor(caller)),
    }),
    defineOperation({
      id: "restoreTemplate",
      post: `${onePath}/restore`,
      scope: "templates:write",
      summary: "Restore a template from the trash",
      description: "Has no effect if it is not in the trash.",
      params: templateParams,
      reply: settingsReply,
      handle: ({ caller, params: { templateId } }) =>
        editor.restore(caller, templateId, getActor(caller)),
    }),
    defineOperation({
      id: "listTemplateVersions",
      get: `${onePath}/versions`,
      scope: "templates:read",
      summary: "List a template's versions",
      description:
        "All versions, newest first, as an array without pagination.",
      params: templateParams,
      reply: {
        description: "The versions.",
        schema: z.array(templateVersionListItemSchema),
      },
      handle: ({ caller, params }) =>
        templates.versions(caller.organizationId, params.templateId),
    }),
    defineOperation({
      id: "getTemplateVersion",
      get: `${onePath}/:versionId`,
      scope: "templates:read",
      summary: "Read a version",
      description: "Includes its definition, which never changes.",
      params: templateParams.extend({
        versionId: idInput.meta({ description: "Starts with `ver_`." }),
      }),
      reply: { description: "The version.", schema: templateVersionSchema },
      handle: ({ caller, params }) =>
        templates.version(
          caller.organizationId,
          params.templateId,
          params.versionId,
        ),
    }),
  ];
}

/** Pictures of templates. They need no key: the address cannot be guessed. */
export function thumbnailRoutes(thumbnails: Thumbnails): Router<HttpState> {
  const router = new Router<HttpState>();
  router.get("/thumbnails/:templateId/:name", async (ctx) => {
    const { templateId: id = "", name = "" } = ctx.params;
    const key = /^([\w-]+)\.png$/.exec(name)?.[1] ?? "";
    const picture = await thumbnails.find(normalizeId(id), key);
    ctx.set("cache-control", "public, max-age=31536000, immutable");
    await sendFile(ctx, { ...picture, mimeType: "image/png", etag: key });
  });
  return router;
}
