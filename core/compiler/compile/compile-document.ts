import {
  compileText,
  rootTypes,
  type Scope,
} from "../../definition/expressions/index.js";
import type { ProjectData } from "../../definition/schema/project-data.js";
import { compileMjml } from "../email/compile-mjml.js";
import { guardedFileName } from "../merge/file-name.js";
import type { MergeOptions } from "../merge/merge-options.js";
import type { MergedDocument, Program } from "../merge/merged-document.js";
import type { MergedPdf } from "../merge/merged-pdf.js";
import type { Run } from "../merge/run.js";
import { startMerge } from "../merge/start-merge.js";
import type { Sheet } from "../page/sheet.js";
import type { Render } from "./compile-source.js";
import { compileComponents } from "./compile-components.js";
import { compilePdf } from "./compile-pdf.js";
import { compileSigning } from "./compile-signing.js";
import { compileSheets, type Sheets } from "./compile-sheets.js";

/** A document template: its components become the body, its page set-up the sheets under it. */
export function compileDocument(definition: ProjectData): Program {
  const { components, schema, fileName = "" } = definition;
  const body = compileComponents(components, "$.components", definition);
  const sheets = compileSheets(definition);
  const types = rootTypes(schema);
  const name = compileText(fileName, "$.fileName", types);
  const pdf = compilePdf(definition.pdf, types);
  const parts: DocumentParts = { body: body.render, sheets, name, pdf };
  const mjml = once(() => compileMjml(definition));
  const addressees = once(() => compileSigning(definition));
  return {
    weight: body.weight + sheets.weight,
    connection: schema[0]?.connection ?? null,
    addressees: (data, options) => addressees()(data, options),
    mjml: (data, options) => mjml().merge(data, options),
    merge(data, options) {
      const { root, run } = startMerge(definition, data, options);
      return mergeDocument(parts, root, run, options);
    },
  };
}

/** Few ask a document for its MJML, or for who signs it: that is compiled when the first does. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

interface DocumentParts {
  body: Render;
  sheets: Sheets;
  name: (root: Scope, output: "plain") => string;
  pdf: (root: Scope, run: Run) => MergedPdf;
}

function mergeDocument(
  parts: DocumentParts,
  root: Scope,
  run: Run,
  { isTest, renderOptions }: MergeOptions,
): MergedDocument {
  const sheet = parts.sheets.of(renderOptions);
  const fileName = guardedFileName(parts.name(root, "plain"), run);
  const pdf = parts.pdf(root, run);
  const title = pdf.title ?? fileName ?? "Document";
  const content = { title, isTest, body: parts.body(root, run) };
  const html = sheet.html(content, root, run);
  const overlay = sheet.overlay(root, run);
  run.checkSize(html);
  return {
    html,
    fileName,
    page: pageOf(sheet),
    title,
    pdf,
    language: root.context.locale,
    assets: run.assets.references,
    overlay,
    signFields: run.signing.list,
    report: {
      missing: run.missing,
      refusedImages: run.assets.refused,
      invalidCodes: run.invalidCodes,
      headers: sheet.headers,
    },
  };
}

function pageOf({ paper: { widthPx, heightPx, margin } }: Sheet) {
  return { widthPx, heightPx, margin };
}
