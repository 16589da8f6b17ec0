import type { Deadline } from "../contract/index.js";
import type { ProjectData, TemplateType } from "../template/index.js";
import type { OwnFonts } from "./fonts/own-fonts.js";
import type { Pictures } from "./pictures/index.js";
import {
  type PrintableDocument,
  printableDocument,
} from "./printable-document.js";
import type { ProgramCache } from "./program-cache.js";

export interface SampleParts {
  pictures: Pictures;
  fonts: OwnFonts;
  programs: ProgramCache;
}

/** A definition that is to be shown with the sample record that it brings. */
export interface SampleSource {
  organizationId: string;
  templateType: TemplateType;
  definition: ProjectData;
  definitionHash: string;
}

/** The document of a template's own sample. @throws PlatenError `merge_failed`. */
export async function mergeSample(
  { pictures, fonts, programs }: SampleParts,
  source: SampleSource,
  deadline: Deadline,
): Promise<PrintableDocument> {
  const { organizationId, definition } = source;
  const program = await programs.program({
    ...source,
    definition: async () => definition,
  });
  const merged = program.merge(definition.sample ?? {}, {
    isTest: false,
    now: new Date(),
  });
  const assets = await pictures.resolve(
    organizationId,
    merged.assets,
    deadline,
  );
  const faces = await fonts.facesFor(organizationId, merged);
  return printableDocument(merged, assets, faces);
}
