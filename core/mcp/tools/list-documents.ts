import { z } from "zod";
import type { DocumentListView } from "../../documents/index.js";
import { tool, type Tool } from "../tool.js";
import { DEFAULT_LIMIT, limit, offset, READS } from "./arguments.js";
import { documentOutput } from "./document-output.js";
import type { ToolServices } from "./services.js";
import { shortText } from "./short-text.js";

const longMetadata = 500;

const input = z.strictObject({
  limit: limit.optional(),
  offset: offset.optional(),
});

const output = z.looseObject({
  data: z.array(documentOutput),
  pagination: z.looseObject({
    limit: z.number(),
    offset: z.number(),
    total: z.number(),
  }),
});

export function listDocuments({
  documents,
}: Pick<ToolServices, "documents">): Tool {
  return tool({
    name: "list_documents",
    title: "List documents",
    description:
      "Rendered documents, the newest first, each with its template and the links to its files. get_document tells all " +
      "of one.",
    scope: "documents:read",
    input,
    output,
    annotations: READS,
    async run({ caller: { organizationId }, input: asked }) {
      const slice = {
        limit: asked.limit ?? DEFAULT_LIMIT,
        offset: asked.offset ?? 0,
      };
      const { data, total } = await documents.slice(organizationId, slice);
      return { data: data.map(summary), pagination: { ...slice, total } };
    },
  });
}

/** Without what only one who has chosen a document wants to know. */
function summary(document: DocumentListView) {
  const { id, templateId, template, status, outputs, error } = document;
  const { createdAt, expiresAt, createdBy } = document;
  return {
    id,
    templateId,
    template,
    status,
    ...(error !== undefined && { error: shortText(error) }),
    outputs: outputs.map(({ label, url, mimeType, sizeBytes }) => ({
      label,
      url,
      mimeType,
      sizeBytes,
    })),
    metadata: ownMetadata(document),
    createdAt,
    expiresAt,
    createdBy: { id: createdBy.id, name: createdBy.name },
  };
}

/** What the document's maker noted on it, unless that is long; our report is for who reads the document itself. */
function ownMetadata({ metadata }: DocumentListView) {
  const { platen: _report, ...own } = metadata ?? {};
  const { length } = JSON.stringify(own);
  return length === 2 || length > longMetadata ? null : own;
}
