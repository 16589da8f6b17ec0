import { AFRelationship, type PDFDocument } from "@cantoo/pdf-lib";
import type { PdfAttachment, Relationship } from "./finishing.js";

const relationships: Record<Relationship, AFRelationship> = {
  Source: AFRelationship.Source,
  Data: AFRelationship.Data,
  Alternative: AFRelationship.Alternative,
  Supplement: AFRelationship.Supplement,
  Unspecified: AFRelationship.Unspecified,
};

/** Embeds the files; readers list them, and machines find them as the document's associated files. */
export async function attachFiles(
  pdf: PDFDocument,
  attachments: readonly PdfAttachment[],
): Promise<void> {
  const now = new Date();
  for (const file of attachments)
    await pdf.attach(file.bytes, file.name, {
      mimeType: file.mimeType,
      ...(file.description !== undefined && { description: file.description }),
      afRelationship: relationships[file.relationship],
      creationDate: now,
      modificationDate: now,
    });
}
