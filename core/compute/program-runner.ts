import {
  type CheckedEinvoice,
  compileTemplate,
  type MergedDocument,
  type MergedMjml,
  type MergedTexts,
  type MergedSigners,
  needsConversion,
  type Program,
} from "../compiler/index.js";
import type {
  Connection,
  DataCheckOptions,
  DataProblem,
  EinvoiceProfile,
} from "../definition/index.js";
import { toError } from "../lib/threads.js";
import type { PlatenError, Problem } from "../plugin-api/index.js";
import { type Compute, INLINE_MS, isLargerThan } from "./compute.js";
import type { Caller, ProgramKey, Task } from "./compute-pool.js";
import {
  type MergeResult,
  programTasks,
  type ProgramTasks,
  type RecordInput,
  type RecordsInput,
  type TextsInput,
} from "./tasks.js";

/** Records with more characters are merged by threads. */
const MAX_INLINE_CHARACTERS = 256 * 1024;
/** Definitions with more characters are compiled by threads only. */
const MAX_COMPILED_CHARACTERS = 64 * 1024;
/** The weight of a program that only threads have. */
const REMOTE_WEIGHT = 1024;
/** They are kept with the row of each document. */
const MAX_WARNINGS = 100;

export interface CheckedMerge extends Pick<
  MergeResult,
  "invalidData" | "merged"
> {
  /** Why merging failed; null when it did not. */
  failure: PlatenError | null;
}

/** Who runs a program, and its definition for a thread that has not compiled it. */
export type ProgramCall = Caller & Pick<ProgramKey, "definition">;

/** What a program is compiled from; the definition is loaded only when the program is not cached. */
export type ProgramSource = ProgramKey;

/**
 * A compiled template. It merges short documents at once and long ones in threads, which compile it once more. It holds
 * no data of records, so any number of calls may share it.
 */
export class ProgramRunner {
  /** Whether the last call in a thread took long: then the next ones do not try without. */
  #isSlow = false;
  #warnings: Promise<Problem[]> | null = null;

  private constructor(
    private readonly compute: Compute,
    private readonly key: Omit<ProgramKey, "definition">,
    /** Null when only threads have it. */
    private readonly program: Program | null,
    /** The connection of the template's root collection; null when it has none. */
    readonly connection: Connection | null,
    /** The profile of the template's electronic invoice; null when it has none. */
    readonly einvoiceProfile: EinvoiceProfile | null,
  ) {}

  /** @throws PlatenError `invalid_definition`, or as `Compute.check` */
  static async compile(
    compute: Compute,
    { definitionHash, templateType, ...source }: ProgramSource,
    caller: Caller,
  ): Promise<ProgramRunner> {
    const definition = await source.definition();
    const { sample: _sample, samples: _more, ...rest } = definition;
    const connection = definition.schema[0]?.connection ?? null;
    const isEmail = templateType === "email";
    const isRemote =
      isLargerThan(rest, MAX_COMPILED_CHARACTERS) ||
      (isEmail && needsConversion(definition));
    const page =
      isEmail && !isRemote ? await compute.emailPage(rest, caller) : undefined;
    const compiled = isRemote
      ? null
      : compute.runInline(() => compileTemplate(rest, templateType, page));
    return new ProgramRunner(
      compute,
      { definitionHash, templateType },
      compiled?.value ?? null,
      connection,
      definition.einvoice?.profile ?? null,
    );
  }

  /** Approximate bytes in memory. */
  get weight(): number {
    return this.program?.weight ?? REMOTE_WEIGHT;
  }

  /** The first hundred warnings that saving the definition would return. It is checked once. @throws as `Compute.check` */
  async warnings({ definition, ...caller }: ProgramCall): Promise<Problem[]> {
    this.#warnings ??= this.#check(definition, caller);
    try {
      return await this.#warnings;
    } catch (error) {
      this.#warnings = null;
      throw error;
    }
  }

  async #check(
    load: ProgramCall["definition"],
    caller: Caller,
  ): Promise<Problem[]> {
    const { templateType } = this.key;
    const input = { written: await load(), templateType };
    const { warnings } = await this.compute.check(input, caller);
    return warnings.slice(0, MAX_WARNINGS);
  }

  /**
   * Checks a record against the schema and merges it, also when it is invalid.
   * @throws PlatenError `timeout`, `too_large` or `busy`
   */
  async mergeChecked(
    input: RecordInput & { check: DataCheckOptions },
    call: ProgramCall,
  ): Promise<CheckedMerge> {
    const result = await this.#run("mergeChecked", input, call);
    return { ...result, failure: result.failure && toError(result.failure) };
  }

  /** @throws PlatenError `merge_failed`, or as `mergeChecked` */
  merge(input: RecordInput, call: ProgramCall): Promise<MergedDocument> {
    return this.#run("merge", input, call);
  }

  /** Merges the record as MJML; components that emails do not support are left out. @throws as `merge` */
  mjml(input: RecordInput, call: ProgramCall): Promise<MergedMjml> {
    return this.#run("mjml", input, call);
  }

  /**
   * The electronic invoice of the record, or the rules that it breaks.
   * @throws as `merge`, and `invalid_request` when the template has none
   */
  einvoice(input: RecordInput, call: ProgramCall): Promise<CheckedEinvoice> {
    return this.#run("einvoice", input, call);
  }

  /** The signers of a document of this record. @throws as `merge`, and `invalid_request` for an order that is no number */
  addressees(input: RecordInput, call: ProgramCall): Promise<MergedSigners> {
    return this.#run("addressees", input, call);
  }

  /** Merges texts that are not part of the template. @throws as `merge`, and `invalid_definition` */
  texts(input: TextsInput, call: ProgramCall): Promise<MergedTexts> {
    return this.#run("texts", input, call);
  }

  /** @throws as `mergeChecked` */
  checkRecords(input: RecordsInput, call: ProgramCall): Promise<DataProblem[]> {
    return this.#run("checkRecords", input, call);
  }

  async #run<K extends keyof ProgramTasks>(
    name: K,
    input: Parameters<ProgramTasks[K]>[1],
    call: ProgramCall,
  ): Promise<ReturnType<ProgramTasks[K]>> {
    const { program, compute } = this;
    if (
      program &&
      !this.#isSlow &&
      !isLargerThan(input, MAX_INLINE_CHARACTERS)
    ) {
      const done = compute.runInline((): unknown =>
        Reflect.apply(programTasks[name], undefined, [program, input]),
      );
      if (done) return toResult(name, done.value);
    }
    const { definition, ...caller } = call;
    const { value, milliseconds } = await compute.pool.run({
      ...caller,
      ...splitInput(input),
      name,
      program: { ...this.key, definition },
    });
    this.#isSlow = milliseconds > INLINE_MS;
    return toResult(name, value);
  }
}

/** Only the data of records may be large. */
function splitInput(
  input: RecordInput | RecordsInput,
): Pick<Task, "input" | "large"> {
  if ("records" in input) {
    const { records, ...rest } = input;
    return { input: rest, large: { records } };
  }
  const { data, ...rest } = input;
  return { input: rest, large: { data } };
}

/** The task's own result, which passed between threads unchanged. */
function toResult<K extends keyof ProgramTasks>(
  _name: K,
  value: unknown,
): ReturnType<ProgramTasks[K]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value as ReturnType<ProgramTasks[K]>;
}
