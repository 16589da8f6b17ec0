// The expression language of `{{ }}` and the rules that repeat and hide components. Expressions are checked against the
// schema and compiled once into closures that read only own properties of the data. Pure: no I/O, no eval.

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
export { compileField, compileValue } from "./compile/compile-expression.js";
export type { Evaluator } from "./compile/compile-path.js";
export { FILTER_USAGES } from "./filters/filters.js";
export { AGGREGATE_USAGES, FUNCTION_USAGES } from "./functions.js";
export { compileLogic, type Condition } from "./compile/compile-logic.js";
export {
  chargeMarkup,
  markdownToHtml,
  sanitizeMarkup,
} from "./output/sanitize.js";
export { escapeHtml, safeUrl, withoutControls } from "./output/escape.js";
export { compileRepeat, type Repeater } from "./compile/compile-repeat.js";
export { FORBIDDEN_KEYS, writeKey } from "./parse/parse-expression.js";
export { splitTemplate } from "./parse/parse-template.js";
export { repeatTypes } from "./resolve-path.js";
export { rootTypes, type ScopeTypes } from "./scope-types.js";
export { rootScope } from "./scope.js";
export * from "./types.js";
export { toText } from "./values/text.js";
