import { randomBytes } from "node:crypto";
import { deflateSync, inflateSync } from "node:zlib";
import {
  decodePDFRawStream,
  PDFArray,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import type { Conformance } from "../../plugin-api/index.js";
import { createSrgbProfile } from "./color-profile.js";
import { markArtifacts } from "./mark-artifacts.js";
import { createXmp, type XmpSchema } from "./xmp.js";

const CONTENTS = PDFName.of("Contents");
const FILTER = PDFName.of("Filter");
const FLATE = PDFName.of("FlateDecode");
const LANG = PDFName.of("Lang");
const METADATA = PDFName.of("Metadata");
const OUTPUT_INTENTS = PDFName.of("OutputIntents");
const TAG_ROOT = PDFName.of("StructTreeRoot");

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
  if (conformance.some((one) => one.startsWith("pdf/a"))) {
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
  const contents = node.lookup(CONTENTS);
  const streams =
    contents instanceof PDFArray
      ? contents.asArray().map((one) => node.context.lookup(one))
      : [contents];
  const drawn = streams.flatMap((stream) =>
    stream instanceof PDFRawStream
      ? [unpackStream(stream), Buffer.from("\n")]
      : [],
  );
  const marked = markArtifacts(Buffer.concat(drawn));
  if (marked === null) return;
  const { context } = node;
  const stream = context.stream(deflateSync(marked), { Filter: "FlateDecode" });
  node.set(CONTENTS, context.register(stream));
}

function unpackStream(stream: PDFRawStream): Uint8Array {
  const filter = stream.dict.lookup(FILTER);
  if (filter === undefined) return stream.getContents();
  return filter === FLATE
    ? inflateSync(stream.getContents())
    : decodePDFRawStream(stream).decode();
}
