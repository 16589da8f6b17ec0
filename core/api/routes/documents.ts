import { z } from "zod";
import type { Documents } from "../../documents/index.js";
import { operation, type Operation } from "../operation.js";
import { pagination } from "../schemas/common.js";
import { document, documentListItem } from "../schemas/document.js";
import { pageOf, pageQuery } from "../schemas/query.js";

/** Read documents. */
export function documentOperations(documents: Documents): Operation[] {
  return [
    operation({
      id: "listDocuments",
      method: "get",
      path: "/api/documents",
      scope: "documents:read",
      tag: "Documents",
      summary: "List documents",
      description: "The newest first.",
      query: z.strictObject(pageQuery),
      reply: {
        description: "A page of documents.",
        schema: z.strictObject({ data: z.array(documentListItem), pagination }),
      },
      handle: ({ caller, query }) =>
        documents.list(caller.organizationId, pageOf(query)),
    }),
    operation({
      id: "getDocument",
      method: "get",
      path: "/api/documents/:documentId",
      scope: "documents:read",
      tag: "Documents",
      summary: "Read a document",
      description: "Its state, its files and what was reported of its render.",
      params: z.strictObject({
        documentId: z.string().meta({ description: "Begins with `doc_`." }),
      }),
      reply: { description: "The document.", schema: document },
      errors: [404],
      handle: ({ caller, params }) =>
        documents.get(caller.organizationId, params.documentId),
    }),
  ];
}
