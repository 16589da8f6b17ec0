import {
  escapeHtml,
  isHarmless,
  safeUrl,
  writeValue,
} from "../output/escape.js";
import {
  hasBraces,
  parseTemplate,
  splitTemplate,
} from "../parse/parse-template.js";
import type { ScopeTypes } from "../scope-types.js";
import type { OutputContext, Scope } from "../types.js";
import { checkLength } from "../values/text.js";
import { compileExpression } from "./compile-expression.js";

/** Prints a template string. For `html`, `attribute` and `url`, literal text is escaped too; for `css` it is not. */
export type TextWriter = (scope: Scope, output: OutputContext) => string;

/** Whether a template string contains no expressions. */
export function isConstantText(source: string): boolean {
  return !hasBraces(source) || splitTemplate(source).inner.length === 0;
}

/** The text of a constant template string, unescaped. */
export function constantText(source: string): string {
  return hasBraces(source) ? splitTemplate(source).literals.join("") : source;
}

/**
 * @param where JSON path of the component, for reports
 * @throws PlatenError `invalid_definition` for what the checker rejects
 */
export function compileText(
  source: string,
  where: string,
  types: ScopeTypes,
): TextWriter {
  const { literals, expressions } = parseTemplate(source);
  const env = { where, types, reach: "scope", ignoresMissing: false } as const;
  const [head = literalText(""), ...tails] = literals.map(literalText);
  const steps = expressions.map((expression, at) => ({
    value: compileExpression(expression, env),
    tail: tails[at] ?? literalText(""),
  }));
  return (scope, output) => {
    const write = writeValue[output];
    let out = head[output];
    for (const { value, tail } of steps) {
      out += write(value(scope)) + tail[output];
      checkLength(out.length, where);
    }
    return finish(out, output, steps.length === 0);
  };
}

/** A literal part, escaped for each context. */
function literalText(text: string): Readonly<Record<OutputContext, string>> {
  const markup = escapeHtml(text);
  return { html: markup, attribute: markup, url: text, css: text, plain: text };
}

/** URLs and CSS values are checked as a whole because a scheme or function name may be split across parts. */
function finish(
  text: string,
  output: OutputContext,
  isConstant: boolean,
): string {
  if (output === "url") return escapeHtml(safeUrl(text));
  if (output === "css" && !isConstant) return isHarmless(text) ? text : "";
  return text;
}
