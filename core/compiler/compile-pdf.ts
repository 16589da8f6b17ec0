import {
  compileText,
  type Scope,
  type ScopeTypes,
} from "../definition/expressions/index.js";
import type { PdfSetup } from "../definition/schema/output-schema.js";
import type { MergedPdf } from "./program.js";
import type { Run } from "./merge-run.js";

type Merge = (root: Scope, run: Run) => string;

const TEXTS = ["title", "author", "subject"] as const;

/** Empty texts are omitted. */
export function compilePdf(
  setup: PdfSetup | undefined,
  root: ScopeTypes,
): (root: Scope, run: Run) => MergedPdf {
  if (setup === undefined) return () => ({});
  const { conformance, tagged, outline, sign, before, after } = setup;
  const { keywords = [] } = setup;
  const fixed = {
    ...(conformance !== undefined && { conformance }),
    ...(tagged !== undefined && { tagged }),
    ...(outline !== undefined && { outline }),
    ...(sign !== undefined && { sign }),
    ...(before && { before }),
    ...(after && { after }),
  };
  const compile = (source: string, path: string): Merge => {
    const text = compileText(source, `$.pdf.${path}`, root);
    return (scope, run) => run.guardText(text(scope, "plain").trim());
  };
  const texts = TEXTS.flatMap((name) => {
    const source = setup[name];
    return source === undefined ? [] : [{ name, merge: compile(source, name) }];
  });
  const words = keywords.map((word, at) => compile(word, `keywords[${at}]`));
  return (scope, run) => ({
    ...fixed,
    ...mergedTexts(texts, scope, run),
    ...mergedKeywords(words, scope, run),
  });
}

function mergedTexts(
  texts: readonly { name: (typeof TEXTS)[number]; merge: Merge }[],
  scope: Scope,
  run: Run,
): Partial<Record<(typeof TEXTS)[number], string>> {
  return Object.fromEntries(
    texts
      .map(({ name, merge }) => [name, merge(scope, run)] as const)
      .filter(([, text]) => text !== ""),
  );
}

function mergedKeywords(
  words: readonly Merge[],
  scope: Scope,
  run: Run,
): { keywords?: string[] } {
  const keywords = words
    .map((merge) => merge(scope, run))
    .filter((word) => word !== "");
  return keywords.length > 0 ? { keywords } : {};
}
