import { type Deadline, PlatenError } from "../contract/index.js";
import type { Renderer } from "../render/index.js";
import { type Store, Template } from "../store/index.js";
import { storedDefinition } from "./stored-definition.js";
import type { OwnFonts } from "./fonts/own-fonts.js";
import type { Pictures } from "./pictures/index.js";
import { printableDocument } from "./printable-document.js";
import type { ProgramCache } from "./program-cache.js";

const widthPx = 480;

/** The first page of a template with its sample record, as png, 480 pixels wide. */
export async function drawThumbnail(
  parts: {
    store: Store;
    pictures: Pictures;
    fonts: OwnFonts;
    programs: ProgramCache;
    renderer: Renderer;
  },
  template: Pick<
    Template,
    "id" | "organizationId" | "templateType" | "definitionHash"
  >,
  deadline: Deadline,
): Promise<Buffer> {
  const { store, renderer, pictures, fonts } = parts;
  const definition = await storedDefinition(store.read, Template, template);
  const program = await parts.programs.program({
    ...template,
    definition: async () => definition,
  });
  const merged = program.merge(definition.sample ?? {}, {
    isTest: false,
    now: new Date(),
  });
  const assets = await pictures.resolve(
    template.organizationId,
    merged.assets,
    deadline,
  );
  const faces = await fonts.facesFor(template.organizationId, merged);
  const document = printableDocument(merged, assets, faces);
  const { bytes } = await renderer.pdf({
    ...document,
    owner: template.organizationId,
    deadline,
  });
  const scale = widthPx / merged.page.widthPx;
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
