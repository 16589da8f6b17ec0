import { type Deadline, PlatenError } from "../plugin-api/index.js";
import type { Renderer } from "../rendering/index.js";
import { type Store, Template } from "../storage/database/index.js";
import { mergeSample, type SampleParts } from "./merge-sample.js";
import { storedDefinition } from "../templates/stored-definition.js";

const widthPx = 480;

/** The first page of a template with its sample record, as png, 480 pixels wide. */
export async function drawThumbnail(
  parts: SampleParts & { store: Store; renderer: Renderer },
  template: Pick<
    Template,
    "id" | "organizationId" | "templateType" | "definitionHash"
  >,
  deadline: Deadline,
): Promise<Buffer> {
  const { store, renderer } = parts;
  const definition = await storedDefinition(store.read, Template, template);
  const source = { ...template, definition };
  const document = await mergeSample(parts, source, deadline);
  const { bytes } = await renderer.pdf({
    ...document,
    owner: template.organizationId,
    deadline,
  });
  const scale = widthPx / document.page.widthPx;
  const [image] = await renderer.images({
    pdf: bytes,
    type: "png",
    pages: "1",
    scale,
    deadline,
  });
  if (image) return image.bytes;
  throw new PlatenError("render_failed", "The picture has no page.");
}
