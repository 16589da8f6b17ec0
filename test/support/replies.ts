import { expect } from "chai";
import { z } from "zod";
import { paginationSchema } from "../../core/api/schemas.js";
import {
  documentSchema,
  documentListItemSchema,
} from "../../core/api/routes/documents.js";
import { exportResultSchema } from "../../core/api/routes/export.js";
import {
  templateSchema,
  templateListItemSchema,
  templateSettingsSchema,
  templateVersionSchema,
  templateVersionListItemSchema,
} from "../../core/api/routes/templates.js";

/** Reads a good answer of this form: an answer with a field more or less, or with another type, fails the test. */
export function reader<T extends z.ZodType>(schema: T) {
  return async (response: Response, status = 200): Promise<z.output<T>> => {
    const body: unknown = await response.json();
    expect(response.status, JSON.stringify(body)).to.equal(status);
    return schema.parse(body);
  };
}

export const replies = {
  templates: reader(
    z.strictObject({
      data: z.array(templateListItemSchema),
      pagination: paginationSchema,
    }),
  ),
  template: reader(templateSchema),
  templateSettings: reader(templateSettingsSchema),
  versions: reader(z.array(templateVersionListItemSchema)),
  version: reader(templateVersionSchema),
  documents: reader(
    z.strictObject({
      data: z.array(documentListItemSchema),
      pagination: paginationSchema,
    }),
  ),
  document: reader(documentSchema),
  exported: reader(exportResultSchema),
};
