import { z } from "zod";
import {
  linkPatchSchema,
  type Links,
  linkSchema,
  linkWithUrlSchema,
  newLinkSchema,
} from "../../integrations/platforms/index.js";
import { getActor } from "../middleware.js";
import { createDefinition, type Operation } from "../operation.js";
import { booleanWord, pageSchema, pageOf, pageQuery } from "../schemas.js";
import { idInput } from "../../lib/schemas.js";

const linkParams = z.strictObject({
  linkId: idInput.meta({ description: "UUID of the link." }),
});
const defineOperation = createDefinition("Links");

/** Links by which people without a key make documents of their records. */
export function linkOperations(links: Links): Operation[] {
  return [
    defineOperation({
      id: "createLink",
      post: "/api/links",
      scope: "documents:write",
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
      errors: [404],
      // The answer holds the link's token.
      idempotent: { isSecret: true },
      handle: ({ caller, body, keepAnswer }) =>
        links.create(caller, body, getActor(caller), keepAnswer),
    }),
    defineOperation({
      id: "listLinks",
      get: "/api/links",
      scope: "documents:read",
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
      get: "/api/links/:linkId",
      scope: "documents:write",
      summary: "Read a link",
      description:
        "Includes the URL and formulas, which is why it needs write permission.",
      params: linkParams,
      reply: { description: "The link.", schema: linkWithUrlSchema },
      handle: ({ caller, params: { linkId } }) =>
        links.get(caller.organizationId, linkId),
    }),
    defineOperation({
      id: "changeLink",
      patch: "/api/links/:linkId",
      scope: "documents:write",
      summary: "Change, pause or resume a link",
      description:
        "What is left out stays as it is, and so do the link's URL, template and table. Another field, format or mode is " +
        "checked on the platform first. A paused link creates nothing until it is resumed; documents in progress are " +
        "finished as they were begun.",
      params: linkParams,
      body: linkPatchSchema,
      reply: { description: "The link.", schema: linkSchema },
      errors: [409],
      handle: ({ caller, params: { linkId }, body }) =>
        links.update(caller.organizationId, linkId, body, getActor(caller)),
    }),
    defineOperation({
      id: "revokeLink",
      delete: "/api/links/:linkId",
      scope: "documents:write",
      summary: "Revoke a link",
      description:
        "The link stops working immediately and permanently; documents in progress are finished. Revoking twice is not an error.",
      params: linkParams,
      reply: { description: "The link, revoked.", schema: linkSchema },
      handle: ({ caller, params: { linkId } }) =>
        links.revoke(caller.organizationId, linkId, getActor(caller)),
    }),
  ];
}
