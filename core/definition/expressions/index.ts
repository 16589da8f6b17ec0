// Data binding: the expression language of `{{ }}`, and the rules by which elements repeat and hide. Everything is
// checked against the schema, and compiled once into closures that read own data only. Pure: no I/O, no eval.

export {
  checkExpression,
  checkPath,
  checkTemplate,
} from "./check/check-expression.js";
export { checkLogic } from "./check/check-logic.js";
export { checkRepeat } from "./check/check-repeat.js";
export {
  compileText,
  constantText,
  isConstantText,
  type TextWriter,
} from "./compile/compile-text.js";
export { compileField, compileValue } from "./compile/compile-value.js";
export type { Evaluator } from "./compile/evaluator.js";
export { FILTER_USAGES } from "./filter/checked-filter.js";
export { AGGREGATE_USAGES } from "./function/aggregates.js";
export { FUNCTION_USAGES } from "./function/function-named.js";
export { compileLogic } from "./logic/compile-logic.js";
export type { Condition } from "./logic/compile-rules.js";
export { chargeMarkup } from "./output/charge-markup.js";
export { escapeHtml } from "./output/escape-html.js";
export { markdownToHtml } from "./output/markdown.js";
export { safeUrl } from "./output/safe-url.js";
export { sanitizeMarkup } from "./output/sanitize-markup.js";
export { withoutControls } from "./output/without-controls.js";
export { compileRepeat, type Repeater } from "./repeat/compile-repeat.js";
export { FORBIDDEN_KEYS } from "./parse/parse-keys.js";
export { splitTemplate } from "./parse/parse-template.js";
export { writeKey } from "./parse/write-key.js";
export { repeatTypes } from "./schema/repeat-types.js";
export { rootTypes, type ScopeTypes } from "./schema/scope-types.js";
export { rootScope } from "./scope/root-scope.js";
export * from "./types.js";
export { isCurrency, isLocale, isTimeZone } from "./value/locale.js";
export { toText } from "./value/text.js";
