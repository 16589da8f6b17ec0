import { z } from "zod";
import { FORMATS } from "../../plugin-api/index.js";
import type { Links } from "../../integrations/platforms/index.js";
import { getActor } from "../middleware.js";
import { defineOperation, type Operation } from "../operation.js";
import { deliverField } from "./batches.js";
import { recordsSchema, toSelector } from "./export-batch.js";
import {
  booleanWord,
  idInput,
  timestampSchema,
  formatsSchema,
  pageSchema,
  pageOf,
  pageQuery,
} from "../schemas.js";

const linkFields = {
  id: z.string(),
  organizationId: z.string(),
  name: z.string(),
  templateId: z.string(),
  platform: z.string(),
  connectionId: z.string(),
  baseId: z.string().nullable(),
  tableId: z.string(),
  tableName: z.string(),
  attachmentField: z.string().nullable().meta({
    description:
      "The field that receives the files; null when nothing is written back.",
  }),
  formats: z.array(z.enum(FORMATS)),
  overwriteExisting: z.boolean(),
  records: z
    .union([
      z.strictObject({ viewId: z.string(), viewName: z.string() }),
      z.strictObject({ filter: z.unknown() }),
      z.strictObject({ emptyAttachment: z.literal(true) }),
    ])
    .nullable()
    .meta({
      description:
        "The records that it takes each time; null when its address names them.",
    }),
  deliver: deliverField.nullable().meta({
    description:
      "Where its documents are delivered; null: where the template says.",
  }),
  state: z.enum(["active", "paused", "expired", "revoked"]),
  pausedAt: timestampSchema.nullable(),
  expiresAt: timestampSchema.nullable(),
  revokedAt: timestampSchema.nullable(),
  createdById: z.string(),
  createdAt: timestampSchema,
};

export const linkSchema = z.strictObject(linkFields).meta({ id: "Link" });

const formulaSchema = z.strictObject({
  where: z
    .string()
    .meta({ description: "The kind of field to paste it into." }),
  formula: z.string(),
});

export const linkWithUrlSchema = z
  .strictObject({
    ...linkFields,
    token: z.string().meta({
      description: "Authorizes this template and table only, instead of a key.",
    }),
    url: z.string().meta({
      description:
        "The page. Append `?recordId=` and a record id, or several separated by commas; not if the link has `records`.",
    }),
    formulas: z.array(formulaSchema).meta({
      description:
        "Formulas to paste into the platform; empty for platforms without formulas.",
    }),
  })
  .meta({ id: "LinkWithUrl" });

const expirySchema = z.iso.datetime({ offset: true });

const newLinkSchema = z
  .strictObject({
    templateId: idInput,
    platform: z.string().meta({ example: "airtable" }),
    name: z.string().optional().meta({
      description: "The page's title. Default: the template's name.",
    }),
    connectionId: idInput.optional().meta({
      description:
        "Default: the template's, else the organization's only one for the platform.",
    }),
    baseId: z.string().optional(),
    tableId: z.string().optional().meta({
      description: "By id or name. Default: the template's.",
    }),
    attachmentField: z.string().optional().meta({
      description: "By id or name. Without it, nothing is written back.",
    }),
    formats: formatsSchema.optional().meta({ default: ["pdf"] }),
    overwriteExisting: z.boolean().optional().meta({ default: false }),
    records: recordsSchema.optional().meta({
      description:
        "The records that the link takes each time it is used: those of a view, those that match a filter, or those without a file, " +
        "at most 1,000 at a time on its page. Exactly one of the three. Default: those that the address names.",
    }),
    deliver: deliverField.optional().meta({
      description:
        "Where its documents are delivered. Default: where the template says, also when that changes. `[]`: nowhere.",
    }),
    expiresAt: expirySchema.optional().meta({
      description: "Default: never.",
      example: "2030-12-31T18:00:00Z",
    }),
  })
  .meta({
    id: "NewLink",
    example: {
      templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
      platform: "airtable",
      attachmentField: "Invoice",
    },
  });

const linkPatchSchema = z
  .strictObject({
    name: z.string().optional().meta({ description: "The page's title." }),
    isPaused: z.boolean().optional(),
    attachmentField: z.string().nullable().optional().meta({
      description: "By id or name; null: nothing is written back.",
    }),
    formats: formatsSchema.optional(),
    overwriteExisting: z.boolean().optional(),
    deliver: deliverField.nullable().optional().meta({
      description: "null: where the template says.",
    }),
    expiresAt: expirySchema.nullable().optional().meta({
      description: "null: never.",
    }),
  })
  .meta({ id: "LinkPatch", example: { isPaused: true } });

const linkParams = z.strictObject({
  linkId: idInput.meta({ description: "UUID of the link." }),
});
const tag = "Links";

/** Links by which people without a key make documents of their records. */
export function linkOperations(links: Links): Operation[] {
  return [
    defineOperation({
      id: "createLink",
      method: "post",
      path: "/api/links",
      scope: "documents:write",
      tag,
      summary: "Create a link for people without a key",
      description:
        "Anyone with the link can create documents from this template and this table's records, and nothing else. " +
        "The platform is checked first, so that the link works. Requires the premium or enterprise plan.",
      body: newLinkSchema,
      reply: {
        status: 201,
        description: "The link, with its URL and formulas to paste.",
        schema: linkWithUrlSchema,
      },
      errors: [404, 413, 429, 503],
      // The answer holds the link's token.
      idempotent: { isSecret: true },
      handle: ({
        caller,
        body: { expiresAt, records, ...input },
        keepAnswer,
      }) =>
        links.create(
          caller,
          {
            ...input,
            ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
            ...(records && { records: toSelector(records) }),
          },
          getActor(caller),
          keepAnswer,
        ),
    }),
    defineOperation({
      id: "listLinks",
      method: "get",
      path: "/api/links",
      scope: "documents:read",
      tag,
      summary: "List links",
      description: "Newest first, without their URLs.",
      query: z.strictObject({
        ...pageQuery,
        templateId: idInput.optional(),
        isRevoked: booleanWord.optional().meta({
          description: "Default: both.",
        }),
      }),
      reply: {
        description: "A page of links.",
        schema: pageSchema(linkSchema),
      },
      handle: ({ caller, query }) =>
        links.list(caller.organizationId, pageOf(query), query),
    }),
    defineOperation({
      id: "getLink",
      method: "get",
      path: "/api/links/:linkId",
      scope: "documents:write",
      tag,
      summary: "Read a link",
      description:
        "Includes the URL and formulas, which is why it needs write permission.",
      params: linkParams,
      reply: { description: "The link.", schema: linkWithUrlSchema },
      errors: [404],
      handle: ({ caller, params: { linkId } }) =>
        links.get(caller.organizationId, linkId),
    }),
    defineOperation({
      id: "changeLink",
      method: "patch",
      path: "/api/links/:linkId",
      scope: "documents:write",
      tag,
      summary: "Change, pause or resume a link",
      description:
        "What is left out stays as it is, and so do the link's URL, template and table. Another field, format or mode is " +
        "checked on the platform first. A paused link creates nothing until it is resumed; documents in progress are " +
        "finished as they were begun.",
      params: linkParams,
      body: linkPatchSchema,
      reply: { description: "The link.", schema: linkSchema },
      errors: [404, 409, 413, 429, 503],
      handle: ({ caller, params: { linkId }, body: { expiresAt, ...patch } }) =>
        links.update(
          caller.organizationId,
          linkId,
          {
            ...patch,
            ...(expiresAt !== undefined && {
              expiresAt: expiresAt === null ? null : new Date(expiresAt),
            }),
          },
          getActor(caller),
        ),
    }),
    defineOperation({
      id: "revokeLink",
      method: "delete",
      path: "/api/links/:linkId",
      scope: "documents:write",
      tag,
      summary: "Revoke a link",
      description:
        "The link stops working immediately and permanently; documents in progress are finished. Revoking twice is not an error.",
      params: linkParams,
      reply: { description: "The link, revoked.", schema: linkSchema },
      errors: [404],
      handle: ({ caller, params: { linkId } }) =>
        links.revoke(caller.organizationId, linkId, getActor(caller)),
    }),
  ];
}
