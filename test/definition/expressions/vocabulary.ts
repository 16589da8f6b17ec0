import { expect } from "chai";
import {
  checkTemplate,
  compileRepeat,
  compileText,
  describeInvalidValue,
  NO_TRANSLATIONS,
  type InvalidValue,
  repeatTypes,
  rootScope,
  rootTypes,
  type BindingProblem,
  type BindingReport,
  type MergeContext,
  type OutputContext,
  type Scope,
  type ScopeTypes,
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

/** Tests what each of the expressions prints. */
export function itPrints(
  cases: readonly (readonly [expression: string, printed: string])[],
  data: object = {},
): void {
  for (const [expression, printed] of cases)
    it(`${expression} is ${printed || "nothing"}`, () => {
      expect(value(expression, data)).to.equal(printed);
    });
}

/** The paths that are reported as missing while a template string prints. */
export function missing(
  source: string,
  data: object = {},
  setting: Setting = {},
): string[] {
  const paths: string[] = [];
  prints(source, data, { ...setting, onMissing: (path) => paths.push(path) });
  return paths;
}

/** The values that are reported as invalid while a template string prints, as "path: found". */
export function invalid(
  source: string,
  data: object = {},
  setting: Setting = {},
): string[] {
  return invalidValues(source, data, setting).map(
    ({ path, found }) => `${path}: ${found}`,
  );
}

/** The values that are reported as invalid while a template string prints. */
export function invalidValues(
  source: string,
  data: object = {},
  setting: Setting = {},
): InvalidValue[] {
  const found: InvalidValue[] = [];
  prints(source, data, {
    ...setting,
    onInvalid: (...problem) => found.push(describeInvalidValue(...problem)),
  });
  return found;
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

export interface Problems {
  errors: BindingProblem[];
  warnings: BindingProblem[];
  /** Where each problem is, errors first: the suffix under the checked value. */
  places: string[];
}

/** All problems that a check reports. */
export function getProblems(
  check: (report: BindingReport) => unknown,
): Problems {
  const found = {
    errors: [] as [string, BindingProblem][],
    warnings: [] as [string, BindingProblem][],
  };
  const reportAt = (place: string): BindingReport => ({
    error: (problem) => found.errors.push([place, problem]),
    warning: (problem) => found.warnings.push([place, problem]),
    at: (suffix) => reportAt(place + suffix),
  });
  check(reportAt(""));
  return {
    errors: found.errors.map(([, problem]) => problem),
    warnings: found.warnings.map(([, problem]) => problem),
    places: [...found.errors, ...found.warnings].map(([place]) => place),
  };
}

/** The problems of a template string at the root of a schema, or in the scopes given. */
export function problemsIn(
  source: string,
  schema: DataCollection[] | ScopeTypes = OPEN,
): Problems {
  const types = Array.isArray(schema) ? rootTypes(schema) : schema;
  return getProblems((report) => checkTemplate(source, types, report));
}

/** The one error of an expression, as "code column" and its hint. */
export function readError(
  expression: string,
  schema: DataCollection[] | ScopeTypes = OPEN,
): string {
  return problemsIn(`{{ ${expression} }}`, schema)
    .errors.map(({ code, column }) => `${code} ${column}`)
    .join("; ");
}
