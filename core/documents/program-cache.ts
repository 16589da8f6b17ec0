import { LRUCache } from "lru-cache";
import { compileTemplate, type Program } from "../compiler/index.js";
import { type ProjectData, type TemplateType } from "../definition/index.js";

/** What a program is made from; the definition is fetched only when there is no program yet. */
export interface ProgramSource {
  definitionHash: string;
  templateType: TemplateType;
  definition(): Promise<ProjectData>;
}

/**
 * Compiled programs by the hash of their definition, bounded by their weight. A program may be shared between
 * requests, templates and organizations, since it is made from the definition and its type alone, holds no data of
 * any record, and never changes. Requests for one that is being compiled wait for the same.
 */
export class ProgramCache {
  private readonly programs: LRUCache<string, Program, ProgramSource>;

  /** @param maxBytes about how much memory the programs may take together. */
  constructor(maxBytes: number) {
    this.programs = new LRUCache<string, Program, ProgramSource>({
      maxSize: maxBytes,
      sizeCalculation: (program) => Math.max(1, Math.ceil(program.weight)),
      fetchMethod: async (_key, _stale, { context }) =>
        compileTemplate(await context.definition(), context.templateType),
    });
  }

  /** How many programs there are, and about how much memory they take together. */
  get size(): { entries: number; bytes: number } {
    return { entries: this.programs.size, bytes: this.programs.calculatedSize };
  }

  /** Rejects with what loading or compiling rejected with; a failure is not kept. */
  program(source: ProgramSource): Promise<Program> {
    const key = `${source.templateType} ${source.definitionHash}`;
    return this.programs.forceFetch(key, { context: source });
  }
}
