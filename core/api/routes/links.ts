import { z } from "zod";
import type { Links } from "../../integrations/platforms/index.js";
import { actorOf } from "../actor-of.js";
import { operation, type Operation } from "../operation.js";
import { pagination } from "../schemas/common.js";
import { link, linkWithUrl, newLink } from "../schemas/link.js";
import { pageOf, pageQuery } from "../schemas/query.js";

const params = z.strictObject({
  linkId: z.string().meta({ description: "UUID of the link." }),
});
const tag = "Links";

/** Links by which people without a key make documents of their records. */
export function linkOperations(links: Links): Operation[] {
  return [create(links), list(links), read(links), revoke(links)];
}

function create(links: Links): Operation {
  return operation({
    id: "createLink",
    method: "post",
    path: "/api/links",
    scope: "documents:write",
    tag,
    summary: "Make a link for people without a key",
    description:
      "Whoever has the link can make documents of this one template from this one table's records, and nothing else. " +
      "The platform is looked at first, so that a link that is made also works. For the plans premium and enterprise.",
    body: newLink,
    reply: {
      status: 201,
      description: "The link, with its address and formulas to paste.",
      schema: linkWithUrl,
    },
    errors: [404, 413, 429, 503],
    handle: ({ caller, body: { expiresAt, ...input } }) =>
      links.create(
        caller,
        {
          ...input,
          ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
        },
        actorOf(caller),
      ),
  });
}

function list(links: Links): Operation {
  return operation({
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
      schema: z.strictObject({ data: z.array(link), pagination }),
    },
    handle: ({ caller, query }) =>
      links.list(caller.organizationId, pageOf(query)),
  });
}

function read(links: Links): Operation {
  return operation({
    id: "getLink",
    method: "get",
    path: "/api/links/:linkId",
    scope: "documents:write",
    tag,
    summary: "Read a link",
    description:
      "With its address and formulas, for whoever lost them; hence the permission.",
    params,
    reply: { description: "The link.", schema: linkWithUrl },
    errors: [404],
    handle: ({ caller, params: { linkId } }) =>
      links.get(caller.organizationId, linkId),
  });
}

function revoke(links: Links): Operation {
  return operation({
    id: "revokeLink",
    method: "delete",
    path: "/api/links/:linkId",
    scope: "documents:write",
    tag,
    summary: "Revoke a link",
    description:
      "It ends at once and for ever; what is on its way is finished. To revoke twice is no error.",
    params,
    reply: { description: "The link, revoked.", schema: link },
    errors: [404],
    handle: ({ caller, params: { linkId } }) =>
      links.revoke(caller.organizationId, linkId, actorOf(caller)),
  });
}
