// The expression language of `{{ }}` and the rules that repeat and hide components. Expressions are checked against the
// schema and compiled once into closures that read only own properties of the data. Pure: no I/O, no eval.

export {
  type BindingReport,
  type PathRead,
  checkComputed,
  checkExpression,
  checkTemplate,
  checkLogic,
  checkRepeat,
} from "./check.js";
export {
  compileText,
  constantText,
  isConstantText,
  compileField,
  compileNumberValue,
  compileValue,
  type Evaluator,
} from "./compile-expression.js";
export { compileComputedFields } from "./computed-fields.js";
export { FILTER_USAGES } from "./filters.js";
export { hintFor } from "./foreign-syntax.js";
export { WORD_LANGUAGES } from "./number-words.js";
export { AGGREGATE_USAGES, FUNCTION_USAGES } from "./functions.js";
export {
  compileLogic,
  type Condition,
  compileRepeat,
  compileTest,
  type Repeater,
  type RepeatRules,
} from "./compile-rules.js";
export { markdownToHtml, renderMarkdown } from "./markdown.js";
export {
  chargeMarkup,
  sanitizeMarkup,
  escapeHtml,
  isHarmless,
  listMarkupAddresses,
  safeUrl,
  withoutControls,
} from "./output.js";
export { type BindingProblem, getProblem } from "./problem.js";
export { checkSequence, createSequenceUse, writeNumber } from "./sequences.js";
export {
  FORBIDDEN_KEYS,
  findFirstPath,
  parseExpression,
  writeKey,
  splitTemplate,
} from "./parse.js";
export {
  collectionTypes,
  findFieldType,
  repeatTypes,
  rootTypes,
  type ScopeTypes,
  type SharedLanguage,
} from "./resolve-path.js";
export {
  type ExpectedValue,
  type MergeContext,
  type OutputContext,
  rootScope,
  type Scope,
  type SequenceUse,
} from "./scope.js";
export {
  findMessageProblem,
  NO_TRANSLATIONS,
  Translations,
} from "./translations.js";
export {
  describeInvalidValue,
  describeValue,
  isUsable,
  type InvalidValue,
  writeStep,
} from "./invalid-values.js";
export { formatIso, fromDayNumber, toDateValue, toDayNumber } from "./dates.js";
export { ExactDecimal, isEmpty, toNumeric, toText } from "./values.js";
