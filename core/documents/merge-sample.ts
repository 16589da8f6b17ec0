import type { Deadline } from "../plugin-api/index.js";
import type { MergedDocument, MergeOptions } from "../compiler/index.js";
import type { ProjectData, TemplateType } from "../definition/index.js";
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
  programs: Pick<ProgramCache, "program">;
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
  parts: SampleParts,
  source: SampleSource,
  deadline: Deadline,
): Promise<PrintableDocument> {
  const record = { data: source.definition.sample ?? {} };
  return (await mergeRecord(parts, source, record, deadline)).document;
}

/** The document of a record that somebody tries a definition with. @throws PlatenError `merge_failed`. */
export async function mergeRecord(
  { pictures, fonts, programs }: SampleParts,
  source: SampleSource,
  { data, ...options }: { data: unknown } & Pick<MergeOptions, "invalidCodes">,
  deadline: Deadline,
): Promise<{ merged: MergedDocument; document: PrintableDocument }> {
  const { organizationId, definition } = source;
  const program = await programs.program({
    ...source,
    definition: async () => definition,
  });
  const merged = program.merge(data, {
    isTest: false,
    now: new Date(),
    ...options,
  });
  const assets = await pictures.resolve(
    organizationId,
    merged.assets,
    deadline,
  );
  const faces = await fonts.facesFor(organizationId, merged);
  return { merged, document: printableDocument(merged, assets, faces) };
}
