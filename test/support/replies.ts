import { expect } from "chai";
import { z } from "zod";
import { pagination } from "../../core/api/schemas/common.js";
import { document, documentListItem } from "../../core/api/schemas/document.js";
import { exportResult } from "../../core/api/schemas/export-result.js";
import {
  templateDetail,
  templateListItem,
  templateSettings,
  templateVersionDetail,
  templateVersionListItem,
} from "../../core/api/schemas/template.js";

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
    z.strictObject({ data: z.array(templateListItem), pagination }),
  ),
  template: reader(templateDetail),
  templateSettings: reader(templateSettings),
  versions: reader(z.array(templateVersionListItem)),
  version: reader(templateVersionDetail),
  documents: reader(
    z.strictObject({ data: z.array(documentListItem), pagination }),
  ),
  document: reader(document),
  exported: reader(exportResult),
};
