import { randomBytes } from "node:crypto";
import { deflateSync, inflateSync } from "node:zlib";
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  PDFRawStream,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import type { Conformance } from "../../plugin-api/index.js";
import { createSrgbProfile } from "./color-profile.js";
import { markArtifacts } from "./mark-artifacts.js";
import { createXmp, isArchival, type XmpSchema } from "./xmp.js";

const CONTENTS = PDFName.of("Contents");
const FILTER = PDFName.of("Filter");
const FLATE = PDFName.of("FlateDecode");
const LANG = PDFName.of("Lang");
const METADATA = PDFName.of("Metadata");
const OUTPUT_INTENTS = PDFName.of("OutputIntents");
const PARENT_KEY = PDFName.of("StructParents");
const RESOURCES = PDFName.of("Resources");
const TAG_ROOT = PDFName.of("StructTreeRoot");
const TO_UNICODE = PDFName.of("ToUnicode");
const X_OBJECTS = PDFName.of("XObject");

/**
 * Adds what the standards require and a browser does not write: metadata, the color space, an identifier and, in a
 * tagged PDF, marks around what is not content. The last change before the PDF is written.
 */
export function conformPdf(
  pdf: PDFDocument,
  conformance: readonly Conformance[],
  schemas: readonly XmpSchema[],
): void {
  const { catalog, context } = pdf;
  if (catalog.has(TAG_ROOT)) for (const page of pdf.getPages()) markPage(page);
  fixUnicodeMaps(pdf);
  if (isArchival(conformance)) {
    const profile = context.register(
      context.stream(deflateSync(createSrgbProfile()), {
        N: 3,
        Filter: "FlateDecode",
      }),
    );
    const intent = { ...OUTPUT_INTENT, DestOutputProfile: profile };
    catalog.set(OUTPUT_INTENTS, context.obj([intent]));
  }
  // Not compressed, so that it is found by programs that do not read PDF.
  const metadata = context.stream(
    Buffer.from(createXmp(readFacts(pdf), conformance, schemas)),
    { Type: "Metadata", Subtype: "XML" },
  );
  catalog.set(METADATA, context.register(metadata));
  const id = PDFHexString.of(randomBytes(16).toString("hex"));
  context.trailerInfo.ID = context.obj([id, id]);
}

/** The colors of a PDF are those of a screen (ISO 19005-2, 6.2.3). */
const OUTPUT_INTENT = {
  Type: "OutputIntent",
  S: "GTS_PDFA1",
  OutputConditionIdentifier: PDFString.of("sRGB"),
  Info: PDFString.of("sRGB IEC61966-2.1"),
};

function readFacts(pdf: PDFDocument) {
  const language = pdf.catalog.lookupMaybe(LANG, PDFString, PDFHexString);
  return {
    title: pdf.getTitle(),
    author: pdf.getAuthor(),
    subject: pdf.getSubject(),
    keywords: pdf.getKeywords(),
    creator: pdf.getCreator(),
    producer: pdf.getProducer(),
    language: language?.decodeText(),
    createdAt: pdf.getCreationDate(),
    modifiedAt: pdf.getModificationDate(),
  };
}

function markPage({ node }: PDFPage): void {
  const { context } = node;
  const contents = node.lookup(CONTENTS);
  const streams =
    contents instanceof PDFArray
      ? contents.asArray().map((entry) => context.lookup(entry))
      : [contents];
  const drawn = streams.flatMap((stream) =>
    stream instanceof PDFRawStream
      ? [unpackStream(stream), Buffer.from("\n")]
      : [],
  );
  const resources = node.getInheritableAttribute(RESOURCES);
  const tagged = markForms(context.lookupMaybe(resources, PDFDict));
  const marked = markArtifacts(Buffer.concat(drawn), tagged);
  if (marked === null) return;
  const stream = context.stream(deflateSync(marked), { Filter: "FlateDecode" });
  node.set(CONTENTS, context.register(stream));
}

/** A part that is transparent as a whole is drawn by a form, and its content is tagged there. @returns names of such forms */
function markForms(resources: PDFDict | undefined): Set<string> {
  const names = new Set<string>();
  const forms = resources?.lookupMaybe(X_OBJECTS, PDFDict);
  for (const [name, ref] of forms?.entries() ?? []) {
    const form = forms?.context.lookup(ref);
    if (!(form instanceof PDFRawStream) || !form.dict.has(PARENT_KEY)) continue;
    names.add(name.decodeText());
    const tagged = markForms(form.dict.lookupMaybe(RESOURCES, PDFDict));
    const marked = markArtifacts(unpackStream(form), tagged);
    if (marked === null || !(ref instanceof PDFRef)) continue;
    form.dict.set(FILTER, FLATE);
    form.dict.context.assign(
      ref,
      PDFRawStream.of(form.dict, deflateSync(marked)),
    );
  }
  return names;
}

/** Code points that no glyph may stand for (ISO 19005-2, 6.2.11.7.2), at the ends of lines of a map. */
const INVALID_CODE_POINTS = / <(?:0000|FEFF|FFFE)>$/gm;

/**
 * Chromium writes 0 for a glyph that no character stands for alone, such as a part of a ligature; the text is beside
 * it then.
 */
function fixUnicodeMaps({ context }: PDFDocument): void {
  for (const [, font] of context.enumerateIndirectObjects()) {
    const ref = font instanceof PDFDict ? font.get(TO_UNICODE) : undefined;
    const stream = context.lookup(ref);
    if (!(ref instanceof PDFRef) || !(stream instanceof PDFRawStream)) continue;
    const map = Buffer.from(unpackStream(stream)).toString("latin1");
    const fixed = map.replace(INVALID_CODE_POINTS, " <FFFD>");
    if (fixed === map) continue;
    const bytes = deflateSync(Buffer.from(fixed, "latin1"));
    context.assign(ref, context.stream(bytes, { Filter: "FlateDecode" }));
  }
}

function unpackStream(stream: PDFRawStream): Uint8Array {
  const filter = stream.dict.lookup(FILTER);
  if (filter === undefined) return stream.getContents();
  return filter === FLATE
    ? inflateSync(stream.getContents())
    : decodePDFRawStream(stream).decode();
}
