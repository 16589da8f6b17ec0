import { compileText, type Scope, type ScopeTypes } from "../binding/index.js";
import type { PdfSetup } from "../definition/pdf-schema.js";
import type { MergedPdf } from "../merge/merged-pdf.js";

type Merge = (root: Scope) => string;

const TEXTS = ["title", "author", "subject"] as const;

/** The texts of a PDF's properties as a program; an empty text counts as none. */
export function compilePdf(
  setup: PdfSetup | undefined,
  root: ScopeTypes,
): (root: Scope) => MergedPdf {
  if (setup === undefined) return () => ({});
  const { tagged, outline, before, after, keywords = [] } = setup;
  const fixed = {
    ...(tagged !== undefined && { tagged }),
    ...(outline !== undefined && { outline }),
    ...(before && { before }),
    ...(after && { after }),
  };
  const compile = (source: string, path: string): Merge => {
    const text = compileText(source, `$.pdf.${path}`, root);
    return (scope) => text(scope, "plain").trim();
  };
  const texts = TEXTS.flatMap((name) => {
    const source = setup[name];
    return source === undefined ? [] : [{ name, merge: compile(source, name) }];
  });
  const words = keywords.map((word, at) => compile(word, `keywords[${at}]`));
  return (scope) => ({
    ...fixed,
    ...mergedTexts(texts, scope),
    ...mergedKeywords(words, scope),
  });
}

function mergedTexts(
  texts: readonly { name: (typeof TEXTS)[number]; merge: Merge }[],
  scope: Scope,
): Partial<Record<(typeof TEXTS)[number], string>> {
  return Object.fromEntries(
    texts
      .map(({ name, merge }) => [name, merge(scope)] as const)
      .filter(([, text]) => text !== ""),
  );
}

function mergedKeywords(
  words: readonly Merge[],
  scope: Scope,
): { keywords?: string[] } {
  const keywords = words
    .map((merge) => merge(scope))
    .filter((word) => word !== "");
  return keywords.length > 0 ? { keywords } : {};
}
