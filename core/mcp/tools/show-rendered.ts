import type { ContentBlock } from "@modelcontextprotocol/server";
import type { Output } from "../../plugin-api/index.js";
import type { RenderedDocument, RenderReport } from "../../documents/index.js";
import { jsonText, resourceLink } from "../call/content.js";
import { pictureOf } from "./show-draft.js";

/** A text format stands in the answer itself up to this many characters; past that there is its link. */
const longText = 16_000;

/** Of each kind of oddity, as many as an assistant mends at once. */
const mostOddities = 20;

/** The document as text, then its pictures, then links to its files. */
export function showRendered(rendered: RenderedDocument): ContentBlock[] {
  const { documentId, result, outputs, previews, pages, warnings } = rendered;
  const told = {
    documentId,
    status: "succeeded",
    ...filesOf(rendered),
    ...(result.signature && { signature: result.signature }),
    ...(pages !== null && { pages }),
    warnings,
    ...oddities(rendered.report),
    ...(previews.pictures.length > 0 && { previews: previews.pictures.length }),
    ...(previews.problem !== null && { previewProblem: previews.problem }),
  };
  return [
    jsonText(told),
    ...previews.pictures.map(pictureOf),
    ...outputs.map(linkTo),
    linkToRow(documentId),
  ];
}

/** Keyed by format, as POST /api/export answers, each with its link. */
function filesOf({ result, outputs }: RenderedDocument) {
  const { signature: _signature, ...files } = result;
  return Object.fromEntries(
    Object.entries(files).map(([format, entry]) => {
      const output = outputs.find(({ label }) => label === format);
      return [format, { ...withoutLongText(entry), url: output?.url ?? "" }];
    }),
  );
}

function withoutLongText(entry: object) {
  return Object.fromEntries(
    Object.entries(entry).filter(
      ([, value]) => typeof value !== "string" || value.length <= longText,
    ),
  );
}

/** What the report lists, without its empty lists. */
function oddities({ headers: _headers, ...lists }: RenderReport) {
  const found = Object.entries(lists).filter(([, list]) => list.length > 0);
  if (found.length === 0) return {};
  const report = found.map(([kind, list]) => [
    kind,
    list.slice(0, mostOddities),
  ]);
  return { report: Object.fromEntries(report) };
}

function linkTo({ label, url, mimeType, sizeBytes }: Output): ContentBlock {
  return resourceLink({ uri: url, name: label, mimeType, size: sizeBytes });
}

function linkToRow(documentId: string): ContentBlock {
  return resourceLink({
    uri: `platen://documents/${documentId}`,
    name: documentId,
    mimeType: "application/json",
  });
}
