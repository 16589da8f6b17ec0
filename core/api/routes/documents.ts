import { Router } from "@koa/router";
import { z } from "zod";
import {
  documentListItemSchema,
  type Documents,
  documentSchema,
  parseInstant,
} from "../../documents/index.js";
import { isId } from "../../lib/ids.js";
import type { FileStore } from "../../plugin-api/index.js";
import type { Download, Downloads } from "../../storage/files/index.js";
import type { HttpContext, HttpState } from "../middleware.js";
import { createDefinition, type Operation } from "../operation.js";
import { pageOrFollowingSchema, pageOf, pageQuery } from "../schemas.js";
import { sendFile } from "../send-file.js";
import { idInput } from "../../lib/schemas.js";

/** The moment that a text names; a day is its start or its end. */
function momentInput(edgeOfDay: "start" | "end") {
  return z.string().transform((text, context) => {
    const moment = parseInstant(text, edgeOfDay);
    if (moment) return moment;
    context.addIssue(
      "must be a day such as 2026-07-31 or a timestamp such as 2026-07-31T12:00:00Z (write the + of an offset as %2B)",
    );
    return z.NEVER;
  });
}

/** An id of this kind. What cannot be one would match nothing. */
function filterId(prefix?: "batch") {
  return idInput.refine(
    (value) => isId(value, prefix),
    `must be ${prefix === undefined ? "a UUID" : `\`${prefix}_\` and a UUID`}`,
  );
}

const documentQuery = z
  .strictObject({
    ...pageQuery,
    after: idInput
      .refine(
        (value) => value === "" || isId(value, "doc"),
        "must be the id of a document (`doc_` and a UUID), or empty to begin with the newest one",
      )
      .optional()
      .meta({
        description:
          "Only documents that follow this one in the list; empty: begin with the newest one. Takes the same time anywhere in a long list, and counts nothing: `pagination` has `pageSize` and `next`, the `after` of what follows. Cannot be combined with `page`.",
        example: "doc_0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
      }),
    status: documentSchema.shape.status
      .optional()
      .meta({ description: "Only documents with this status." }),
    templateId: filterId()
      .optional()
      .meta({ description: "Only documents of this template." }),
    batchId: filterId("batch")
      .optional()
      .meta({ description: "Only documents of this batch." }),
    createdFrom: momentInput("start").optional().meta({
      description:
        "Only documents created then or later: an ISO 8601 timestamp (in UTC when it has no offset), or a day in UTC.",
      example: "2026-07-01",
    }),
    createdTo: momentInput("end").optional().meta({
      description:
        "Only documents created until then: a timestamp, or a day in UTC, which is included.",
      example: "2026-07-31",
    }),
    metadata: z
      .record(z.string(), z.string("must be given once"))
      .optional()
      .meta({
        description:
          "Only documents with this value in their metadata: `metadata[order]=4711`. Several must all match. Values are " +
          "compared as text, exactly.",
        example: { order: "4711" },
        param: { style: "deepObject", explode: true },
      }),
  })
  .refine(
    ({ createdFrom, createdTo }) =>
      !createdFrom || !createdTo || createdFrom <= createdTo,
    { path: ["createdTo"], error: "must not be before createdFrom" },
  )
  .refine(({ page, after }) => page === undefined || after === undefined, {
    path: ["after"],
    error: "cannot be combined with page; leave one of them out",
  });

const defineOperation = createDefinition("Documents");

export function documentOperations(documents: Documents): Operation[] {
  return [
    defineOperation({
      id: "listDocuments",
      get: "/api/documents",
      scope: "documents:read",
      summary: "List documents",
      description:
        "Newest first, filtered by what the query names; several filters must all match. By `page`, with the total; or by `after`, without.",
      query: documentQuery,
      reply: {
        description: "A page of documents.",
        schema: pageOrFollowingSchema(documentListItemSchema),
      },
      handle: ({ caller, query }) => {
        const { page, pageSize, after, status, ...rest } = query;
        const filter = { ...rest, statuses: status && [status] };
        const paging = pageOf({ page, pageSize });
        return after === undefined
          ? documents.list(caller.organizationId, { ...paging, ...filter })
          : documents.listAfter(caller.organizationId, {
              pageSize: paging.pageSize,
              after,
              ...filter,
            });
      },
    }),
    defineOperation({
      id: "getDocument",
      get: "/api/documents/:documentId",
      scope: "documents:read",
      summary: "Read a document",
      description: "Its status, files and render report.",
      params: z.strictObject({
        documentId: idInput.meta({ description: "Starts with `doc_`." }),
      }),
      reply: { description: "The document.", schema: documentSchema },
      handle: ({ caller, params }) =>
        documents.get(caller.organizationId, params.documentId),
    }),
  ];
}

// A page of a stranger's making: it may show itself and do nothing else, and it has no origin.
const filePolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** How long a browser may take to follow us to where the file lies. */
const redirectSeconds = 60;

/** Download links. They need no key: the link itself is the proof. */
export function fileRoutes(
  downloads: Downloads,
  files: FileStore,
): Router<HttpState> {
  const router = new Router<HttpState>();
  router.get("/files/:documentId/:label/:name", async (ctx) => {
    const file = await downloads.find(ctx.url);
    if (await sendElsewhere(ctx, files, file)) return;
    ctx.type = file.mimeType;
    ctx.attachment(file.filename, { type: "inline" });
    ctx.set("cache-control", "private, no-cache");
    if (file.mimeType === "text/html")
      ctx.set("content-security-policy", filePolicy);
    else ctx.remove("content-security-policy");
    await sendFile(ctx, {
      ...file,
      etag: file.checksum,
      open: (range) => files.open(file.storageKey, range),
    });
  });
  return router;
}

/**
 * Redirects the browser to the store if it serves files itself. A page is served from here: nobody else would put it
 * into its sandbox. So is HEAD, for which the store would need another link.
 */
async function sendElsewhere(
  ctx: HttpContext,
  files: FileStore,
  file: Download,
): Promise<boolean> {
  const stays = ctx.method === "HEAD" || file.mimeType === "text/html";
  if (stays || !files.directUrl) return false;
  const url = await files.directUrl(file.storageKey, file, redirectSeconds);
  if (url === null) return false;
  ctx.set("cache-control", "private, no-store");
  ctx.redirect(url);
  ctx.body = null;
  ctx.status = 302;
  return true;
}
