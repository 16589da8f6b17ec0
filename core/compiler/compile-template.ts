import { LRUCache } from "lru-cache";
import {
  compileText,
  rootTypes,
  type Scope,
} from "../definition/expressions/index.js";
import { getDefaultLocale } from "../definition/locale.js";
import { resolvePageRules } from "../definition/markup/markup-parts.js";
import { layOutPaper } from "../definition/page/paper.js";
import type {
  ProjectData,
  TemplateType,
} from "../definition/schema/definition-schema.js";
import type { RenderOptions } from "../definition/schema/output-schema.js";
import { compileDataChecker } from "../definition/validation/check-data.js";
import { compileComponents } from "./components/emit-component.js";
import { compilePdf } from "./compile-pdf.js";
import { compileSigning } from "./compile-signing.js";
import { compileEinvoice } from "./einvoice/index.js";
import { compileEmail, compileMjml } from "./email/compile-email.js";
import { compileHeaders } from "./headers/compile-headers.js";
import { textDirection } from "./markup.js";
import type {
  MergeOptions,
  Program,
  MergedDocument,
  MergedPdf,
} from "./program.js";
import type { Run } from "./merge-run.js";
import { mergeTexts, compileStart } from "./start-merge.js";
import {
  compileDocumentStyles,
  type DocumentStyles,
} from "./page/markup-styles.js";
import {
  compileBackground,
  fitSheet,
  getPage,
  type Sheet,
  layOutSheet,
  type SheetParts,
  compileWatermark,
} from "./page/sheet.js";
import type { Render } from "./source.js";

/**
 * Compiles a definition that `checkDefinition` accepted. The program depends only on its arguments, so it may be cached
 * by the hash of the definition and shared by all merges. The samples are dropped because a cached program would keep
 * them in memory.
 * @param page of an email, made by `compileMjmlPage`, which takes long; made here if it is left out
 * @throws PlatenError `invalid_definition`
 */
export function compileTemplate(
  { sample: _sample, samples: _more, ...definition }: ProjectData,
  templateType: TemplateType,
  page?: string,
): Program {
  return templateType === "email"
    ? compileEmail(definition, page)
    : compileDocument(definition);
}

/** Compiles a document template: the components become the body, the page setup becomes the page around it. */
function compileDocument(written: ProjectData): Program {
  const definition = resolvePageRules(written);
  const { components, schema, fileName = "" } = definition;
  const start = compileStart(definition);
  const body = compileComponents(components, "$.components", definition);
  const types = rootTypes(schema);
  const name = compileText(fileName, "$.fileName", types);
  const pdf = compilePdf(definition.pdf, types);
  const styles = compileDocumentStyles(definition);
  const sheets = compileSheets(definition, styles, body.source);
  const parts: DocumentParts = {
    body: body.render,
    register: styles.register,
    sheets,
    name,
    pdf,
  };
  const mjml = once(() => compileMjml(definition, start));
  const addressees = once(() => compileSigning(definition));
  const einvoice = once(() => compileEinvoice(definition));
  return {
    weight: body.weight + sheets.weight,
    checkData: compileDataChecker(schema),
    connection: schema[0]?.connection ?? null,
    addressees: (data, options) => addressees()(data, options),
    mjml: (data, options) => mjml().merge(data, options),
    einvoice: (data, options) => einvoice()(data, options),
    texts: (...input) => mergeTexts(definition, ...input),
    merge(data, options) {
      const { root, run } = start(data, options);
      return mergeDocument(parts, root, run, options);
    },
  };
}

/** Few callers need the MJML or the signers of a document, so these are compiled on first use. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

interface DocumentParts {
  body: Render;
  /** Registers what style sheets show. */
  register: DocumentStyles["register"];
  sheets: Sheets;
  name: (root: Scope, output: "plain") => string;
  pdf: (root: Scope, run: Run) => MergedPdf;
}

function mergeDocument(
  parts: DocumentParts,
  root: Scope,
  run: Run,
  options: MergeOptions,
): MergedDocument {
  const { isTest, renderOptions, headerHeights } = options;
  const sheet = parts.sheets.of(
    root.context.locale,
    renderOptions,
    headerHeights,
  );
  parts.register(run);
  const fileName = run.guardFileName(parts.name(root, "plain"));
  const pdf = parts.pdf(root, run);
  const title = pdf.title ?? fileName ?? "Document";
  const content = { title, isTest, body: parts.body(root, run) };
  const html = sheet.html(content, root, run);
  const overlay = sheet.overlay(root, run);
  run.checkSize(html);
  return {
    html,
    fileName,
    page: getPage(sheet.paper),
    title,
    pdf,
    language: root.context.locale,
    assets: run.assets.references,
    overlay,
    headers: sheet.runningHeaders(root, run),
    signFields: run.signing.list,
    sequences: run.sequences,
    report: {
      ...run.report(options.conformance ?? pdf.conformance),
      headers: sheet.headers,
    },
  };
}

interface Sheets {
  /** The page of the template in a language, with the overrides of a request, and margins for headers of these heights. */
  of(
    language: string,
    options: RenderOptions | undefined,
    headerHeights: readonly number[] | undefined,
  ): Sheet;
  weight: number;
}

/** Languages of one template whose pages are kept. */
const MAX_LANGUAGES = 20;

function compileSheets(
  definition: ProjectData,
  styles: DocumentStyles,
  body: string,
): Sheets {
  const { page, schema } = definition;
  const types = rootTypes(schema);
  const { programs, heights, weight, source } = compileHeaders(
    definition,
    styles,
  );
  const shared = {
    ...styles.rulesFor(body + source),
    pageRules: styles.pageRules,
    background: compileBackground(page?.background, types),
    watermark: compileWatermark(page?.watermark, types),
  };
  const layOut = (language: string) => {
    const edges = programs(textDirection(language));
    const parts: SheetParts = { ...shared, edges, language };
    return {
      parts,
      ownLayout: layOutSheet(parts, layOutPaper(page, {}, heights)),
    };
  };
  const layouts = new LRUCache<string, ReturnType<typeof layOut>>({
    max: MAX_LANGUAGES,
    memoMethod: layOut,
  });
  layouts.memo(getDefaultLocale(definition));
  return {
    weight,
    of: (language, options, headerHeights) => {
      const { parts, ownLayout: defaultSheet } = layouts.memo(language);
      const sheet =
        options === undefined || Object.keys(options).length === 0
          ? defaultSheet
          : layOutSheet(parts, layOutPaper(page, options, heights));
      return headerHeights ? fitSheet(parts, sheet, headerHeights) : sheet;
    },
  };
}
