import { z } from "zod";
import type { Links } from "../../integrations/platforms/index.js";
import { getActor } from "../context.js";
import { defineOperation, type Operation } from "../operation.js";
import {
  timestampSchema,
  formatsSchema,
  paginationSchema,
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
    description: "The field into which files go; null when they go nowhere.",
  }),
  formats: z.array(z.enum(["pdf", "html", "image", "mjml"])),
  overwriteExisting: z.boolean(),
  state: z.enum(["active", "expired", "revoked"]),
  expiresAt: timestampSchema.nullable(),
  revokedAt: timestampSchema.nullable(),
  createdById: z.string(),
  createdAt: timestampSchema,
};

export const linkSchema = z.strictObject(linkFields).meta({ id: "Link" });

const formulaSchema = z.strictObject({
  where: z.string().meta({ description: "Into which kind of field." }),
  formula: z.string(),
});

export const linkWithUrlSchema = z
  .strictObject({
    ...linkFields,
    token: z.string().meta({
      description: "Stands in for a key, for this template and table alone.",
    }),
    url: z.string().meta({
      description:
        "The page. `?recordId=` and a record's id are to be added; several with commas.",
    }),
    formulas: z.array(formulaSchema).meta({
      description:
        "To be pasted into the platform; empty for one without formulas.",
    }),
  })
  .meta({ id: "LinkWithUrl" });

const newLinkSchema = z
  .strictObject({
    templateId: z.string(),
    platform: z.string().meta({ example: "airtable" }),
    name: z.string().optional().meta({
      description: "What people read above the page. Default: the template's.",
    }),
    connectionId: z.string().optional().meta({
      description:
        "Default: the template's, else the organization's only one for the platform.",
    }),
    baseId: z.string().optional(),
    tableId: z.string().optional().meta({
      description: "By id or name. Default: the template's.",
    }),
    attachmentField: z.string().optional().meta({
      description: "By id or name; without it, files go nowhere.",
    }),
    formats: formatsSchema.optional().meta({ default: ["pdf"] }),
    overwriteExisting: z.boolean().optional().meta({ default: false }),
    expiresAt: z.iso.datetime({ offset: true }).optional().meta({
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

const linkParams = z.strictObject({
  linkId: z.string().meta({ description: "UUID of the link." }),
});
const tag = "Links";

/** Links by which people without a key make documents of their records. */
export function linkOperations(links: Links): Operation[] {
  return [
    createLink(links),
    listLinks(links),
    getLink(links),
    revokeLink(links),
  ];
}

function createLink(links: Links): Operation {
  return defineOperation({
    id: "createLink",
    method: "post",
    path: "/api/links",
    scope: "documents:write",
    tag,
    summary: "Make a link for people without a key",
    description:
      "Whoever has the link can make documents of this one template from this one table's records, and nothing else. " +
      "The platform is looked at first, so that a link that is made also works. For the plans premium and enterprise.",
    body: newLinkSchema,
    reply: {
      status: 201,
      description: "The link, with its address and formulas to paste.",
      schema: linkWithUrlSchema,
    },
    errors: [404, 413, 429, 503],
    handle: ({ caller, body: { expiresAt, ...input } }) =>
      links.create(
        caller,
        {
          ...input,
          ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
        },
        getActor(caller),
      ),
  });
}

function listLinks(links: Links): Operation {
  return defineOperation({
    id: "listLinks",
    method: "get",
    path: "/api/links",
    scope: "documents:read",
    tag,
    summary: "List links",
    description: "The newest first, without their addresses.",
    query: z.strictObject(pageQuery),
    reply: {
      description: "A page of links.",
      schema: z.strictObject({
        data: z.array(linkSchema),
        pagination: paginationSchema,
      }),
    },
    handle: ({ caller, query }) =>
      links.list(caller.organizationId, pageOf(query)),
  });
}

function getLink(links: Links): Operation {
  return defineOperation({
    id: "getLink",
    method: "get",
    path: "/api/links/:linkId",
    scope: "documents:write",
    tag,
    summary: "Read a link",
    description:
      "With its address and formulas, for whoever lost them; hence the permission.",
    params: linkParams,
    reply: { description: "The link.", schema: linkWithUrlSchema },
    errors: [404],
    handle: ({ caller, params: { linkId } }) =>
      links.get(caller.organizationId, linkId),
  });
}

function revokeLink(links: Links): Operation {
  return defineOperation({
    id: "revokeLink",
    method: "delete",
    path: "/api/links/:linkId",
    scope: "documents:write",
    tag,
    summary: "Revoke a link",
    description:
      "It ends at once and for ever; what is on its way is finished. To revoke twice is no error.",
    params: linkParams,
    reply: { description: "The link, revoked.", schema: linkSchema },
    errors: [404],
    handle: ({ caller, params: { linkId } }) =>
      links.revoke(caller.organizationId, linkId, getActor(caller)),
  });
}
