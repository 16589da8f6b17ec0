import {
  type CheckedEinvoice,
  compileEinvoice,
  compileMjmlPage,
  evaluateSample,
  type MergedDocument,
  type MergedMjml,
  type MergedTexts,
  type MergedSigners,
  type MergeOptions,
  type Program,
  type DraftAnalysis,
} from "../compiler/index.js";
import {
  type CheckedDefinition,
  checkDefinition,
  checkSample,
  type DataCheckOptions,
  type DataProblem,
  expandPartials,
  findUnfinished,
  migrateDefinition,
  normalizeDefinition,
  type PartialLibrary,
  type ProjectData,
  type TemplateType,
  validateTemplateUpdate,
} from "../definition/index.js";
import { clock } from "../lib/clock.js";
import { assertFewValues, isPlainObject, parseJson } from "../lib/json.js";
import { type ErrorParts, getErrorParts } from "../lib/threads.js";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import { cleanSvg, type CleanSvg } from "./clean-svg.js";
import { type OpenedFont, openFont } from "./open-font.js";
import { type OpenedPkcs12, openPkcs12 } from "./open-pkcs12.js";

// What threads do, and what is done at once if it is short. Arguments and results are plain data, since they pass
// between threads.

export interface CheckInput {
  /** Any JSON value. */
  written: unknown;
  templateType: TemplateType;
  /** The stored definition that it replaces. */
  previous?: unknown;
  /** The partials that it may use; none when left out. */
  partials?: PartialLibrary | undefined;
}

export const definitionTasks = {
  /** @returns the definition as it is saved, with an id for every component; null when there are problems */
  check({
    written,
    templateType,
    previous,
    partials,
  }: CheckInput): CheckedDefinition {
    const checked = checkDefinition(written, templateType, partials);
    if (checked.definition === null) return checked;
    const definition = normalizeDefinition(checked.definition);
    const problems = findUpdateProblems(previous, definition);
    return problems.length > 0
      ? { definition: null, problems, warnings: checked.warnings }
      : { ...checked, definition };
  },

  /** Problems of a definition and what its sample makes of it, for valid and invalid definitions. */
  analyze({
    written,
    templateType,
    previous,
    partials,
  }: CheckInput): DraftAnalysis {
    const { definition, problems, warnings } = checkDefinition(
      written,
      templateType,
      partials,
    );
    const sample = getSample(written);
    const facts = evaluateSample(
      partials ? expandPartials(written, partials).expanded : written,
      sample,
      clock.date(),
    );
    return {
      place: [],
      problems: [...problems, ...findUpdateProblems(previous, definition)],
      // A block, which replaces no definition, has no subject.
      unfinished:
        definition && previous !== undefined
          ? findUnfinished(definition, templateType)
          : [],
      warnings,
      repeats: Object.fromEntries(facts.repeats),
      conditions: Object.fromEntries(facts.conditions),
      values: Object.fromEntries(facts.values),
      markup: Object.fromEntries(facts.markup),
      drawings: Object.fromEntries(facts.drawings),
      counts: Object.fromEntries(facts.counts),
      rows: Object.fromEntries(facts.rows),
      sampleProblems: checkSample(written, sample),
      einvoiceProblems: checkEinvoice(definition, sample),
    };
  },

  /** The html of an email template before its data is merged. */
  emailPage: (definition: ProjectData): string => compileMjmlPage(definition),
};

/** Null without an e-invoice, or when the sample cannot be merged at all. */
function checkEinvoice(
  definition: ProjectData | null,
  sample: unknown,
): DraftAnalysis["einvoiceProblems"] {
  if (definition?.einvoice === undefined) return null;
  try {
    const check = compileEinvoice(definition);
    // The sample needs no number of a sequence.
    return check(sample, { isTest: true, now: clock.date() }).problems;
  } catch (error) {
    if (error instanceof PlatenError) return null;
    throw error;
  }
}

export interface ParsedBody {
  /** Without the fields in `texts`. */
  body: unknown;
  /** Objects that remain JSON text, by their field's name. */
  texts: Record<string, string>;
}

/** Parses a request's body. Objects of these fields remain text: a copy takes longer to pass between threads. */
export function parseBody({
  text,
  textFields,
}: {
  text: string;
  textFields: readonly string[];
}): ParsedBody {
  const body = parseJson(text);
  // Here, so that they are not copied to the thread that answers.
  assertFewValues(body);
  if (!isPlainObject(body)) return { body, texts: {} };
  const texts: Record<string, string> = {};
  for (const field of textFields) {
    const value = body[field];
    if (!isPlainObject(value)) continue;
    texts[field] = JSON.stringify(value);
    delete body[field];
  }
  return { body, texts };
}

function getSample(written: unknown): unknown {
  const hasSample =
    typeof written === "object" && written !== null && "sample" in written;
  return hasSample ? (written.sample ?? {}) : {};
}

function findUpdateProblems(
  previous: unknown,
  next: ProjectData | null,
): Problem[] {
  if (previous === undefined || next === null) return [];
  // Only checked definitions are stored.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const stored = migrateDefinition(previous) as ProjectData;
  return validateTemplateUpdate(stored, next);
}

export interface RecordInput {
  data: unknown;
  options: MergeOptions;
}

export interface TextsInput extends RecordInput {
  /** By their JSON paths. */
  sources: Readonly<Record<string, string>>;
}

export interface RecordsInput {
  /** Each with its JSON path in the request. */
  records: readonly { data: unknown; path: string }[];
  options: Omit<DataCheckOptions, "path">;
  maxProblems: number;
}

export interface MergeResult {
  invalidData: DataProblem[];
  /** Null when merging failed. */
  merged: MergedDocument | null;
  failure: ErrorParts | null;
}

export const programTasks = {
  /** Checks the record and merges it, also when it is invalid: the caller decides what that means. */
  mergeChecked(
    program: Program,
    { data, options, check }: RecordInput & { check: DataCheckOptions },
  ): MergeResult {
    const invalidData = program.checkData(data, check);
    try {
      const merged = program.merge(data, options);
      return { invalidData, merged, failure: null };
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      return { invalidData, merged: null, failure: getErrorParts(error) };
    }
  },

  merge: (program: Program, { data, options }: RecordInput): MergedDocument =>
    program.merge(data, options),

  mjml: (program: Program, { data, options }: RecordInput): MergedMjml =>
    program.mjml(data, options),

  einvoice: (
    program: Program,
    { data, options }: RecordInput,
  ): CheckedEinvoice => program.einvoice(data, options),

  addressees: (
    program: Program,
    { data, options }: RecordInput,
  ): MergedSigners => program.addressees(data, options),

  texts: (
    program: Program,
    { data, options, sources }: TextsInput,
  ): MergedTexts => program.texts(sources, data, options),

  checkRecords(
    program: Program,
    { records, options, maxProblems }: RecordsInput,
  ): DataProblem[] {
    const problems: DataProblem[] = [];
    for (const { data, path } of records) {
      for (const problem of program.checkData(data, { path, ...options }))
        problems.push(problem);
      if (problems.length >= maxProblems) break;
    }
    return problems.slice(0, maxProblems);
  },
};

export const fileTasks = {
  cleanSvg: ({ bytes }: { bytes: Uint8Array }): CleanSvg => cleanSvg(bytes),
  readFont: ({ bytes }: { bytes: Uint8Array }): Promise<OpenedFont> =>
    openFont(bytes),
  openPkcs12: ({
    bytes,
    password,
  }: {
    bytes: Uint8Array;
    password: string;
  }): Promise<OpenedPkcs12> => openPkcs12(bytes, password),
};

export type FileTasks = typeof fileTasks;
export type DefinitionTasks = typeof definitionTasks;
export type ProgramTasks = typeof programTasks;
export type TaskName =
  keyof DefinitionTasks | keyof ProgramTasks | keyof FileTasks | "parseBody";
