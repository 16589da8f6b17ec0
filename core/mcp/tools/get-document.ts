import { z } from "zod";
import { tool, type Tool } from "../tool.js";
import { READS } from "./arguments.js";
import { documentOutput } from "./document-output.js";
import type { ToolServices } from "./services.js";

const input = z.strictObject({
  documentId: z
    .string()
    .meta({ description: "The document's id, which begins with doc_." }),
});

export function getDocument({
  documents,
}: Pick<ToolServices, "documents">): Tool {
  return tool({
    name: "get_document",
    title: "Read a document",
    description:
      "A document's status, metadata and files. A file's url works without a key until expiresAt. What was odd about it " +
      "(missing values, images, characters) is in metadata.platen.report.",
    scope: "documents:read",
    input,
    output: documentOutput,
    annotations: READS,
    async run({ caller, input: { documentId } }) {
      const found = await documents.get(caller.organizationId, documentId);
      return { ...found, outputs: found.outputs.map((one) => ({ ...one })) };
    },
  });
}
