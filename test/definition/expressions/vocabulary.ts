import {
  checkTemplate,
  compileRepeat,
  compileText,
  NO_TRANSLATIONS,
  repeatTypes,
  rootScope,
  rootTypes,
  type BindingProblem,
  type BindingReport,
  type MergeContext,
  type OutputContext,
  type Scope,
} from "../../../core/definition/expressions/index.js";
import type {
  DataCollection,
  Repeat,
} from "../../../core/definition/schema/data-schema.js";

// The words in which the binding's tests are written. Data without a schema declares nothing: all of it is open.

export const OPEN: DataCollection[] = [{ id: "root", fields: [] }];

export interface Setting extends Partial<MergeContext> {
  schema?: DataCollection[];
  output?: OutputContext;
}

export function context(setting: Setting = {}): MergeContext {
  return {
    locale: "en-US",
    currency: "USD",
    timeZone: "UTC",
    now: new Date("2024-03-10T22:30:00Z"),
    onMissing: () => {},
    onInvalid: () => {},
    translations: NO_TRANSLATIONS,
    onUntranslated: () => {},
    findNumber: () => null,
    spend: () => {},
    ...setting,
  };
}

/** What a template string prints for a record, as plain text unless `output` says otherwise. */
export function prints(
  source: string,
  data: object = {},
  setting: Setting = {},
): string {
  const types = rootTypes(setting.schema ?? OPEN);
  const scope = rootScope(data, context(setting));
  return compileText(source, "$", types)(scope, setting.output ?? "plain");
}

/** What one expression prints. */
export function value(
  expression: string,
  data: object = {},
  setting: Setting = {},
): string {
  return prints(`{{ ${expression} }}`, data, setting);
}

/** What a template string prints inside nested collections, once for each innermost element. */
export function printsEach(
  repeats: Repeat[],
  source: string,
  data: object,
  setting: Setting = {},
): string[] {
  let types = rootTypes(setting.schema ?? OPEN);
  let scopes: Scope[] = [rootScope(data, context(setting))];
  for (const repeat of repeats) {
    const each = compileRepeat(repeat, "$", types);
    scopes = scopes.flatMap((scope) => each(scope));
    types = repeatTypes(repeat, types);
  }
  const text = compileText(source, "$", types);
  return scopes.map((scope) => text(scope, setting.output ?? "plain"));
}

/** The problems of a template string at the root. */
export function problemsIn(source: string): {
  errors: BindingProblem[];
  warnings: BindingProblem[];
} {
  const errors: BindingProblem[] = [];
  const warnings: BindingProblem[] = [];
  const report: BindingReport = {
    error: (problem) => errors.push(problem),
    warning: (problem) => warnings.push(problem),
    at: () => report,
  };
  checkTemplate(source, rootTypes(OPEN), report);
  return { errors, warnings };
}
