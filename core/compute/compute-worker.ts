import { parentPort } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { compileTemplate, type Program } from "../compiler/index.js";
import type { ProjectData, TemplateType } from "../definition/index.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  definitionTasks,
  type ErrorParts,
  fileTasks,
  getErrorParts,
  parseBody,
  programTasks,
  type TaskName,
} from "./tasks.js";

// A thread of the pool: it does one task at a time, and keeps the programs that it has compiled.

interface ProgramId {
  definitionHash: string;
  templateType: TemplateType;
}

interface Task {
  name: TaskName;
  input: object;
  /** The rest of the input, as JSON text. */
  large: string;
}

export type Request =
  | (Task & { kind: "task"; program?: ProgramId })
  /** Answers "unknown program". */
  | { kind: "definition"; definition: ProjectData };

export type Answer =
  | { kind: "done"; value: unknown; milliseconds: number }
  | { kind: "failed"; error: ErrorParts | { cause: unknown } }
  | { kind: "unknown program" };

const MAX_PROGRAM_BYTES = 32 * 1024 * 1024;

const programs = new LRUCache<string, Program>({
  maxSize: MAX_PROGRAM_BYTES,
  sizeCalculation: ({ weight }) =>
    Math.min(MAX_PROGRAM_BYTES, Math.max(1, Math.ceil(weight))),
});

/** The task that waits for the definition of its program. */
let pending: (Task & { program: ProgramId }) | null = null;

parentPort?.on("message", (request: Request) => {
  void answer(request).then((result) => parentPort?.postMessage(result, []));
});

async function answer(request: Request): Promise<Answer> {
  try {
    if (request.kind === "definition")
      return await compileAndRun(request.definition);
    const { program, ...task } = request;
    if (!program) return await run(task, []);
    const compiled = programs.get(getKey(program));
    if (compiled) return await run(task, [compiled]);
    pending = { ...task, program };
    return { kind: "unknown program" };
  } catch (error) {
    const isOurs = error instanceof PlatenError;
    const parts = isOurs ? getErrorParts(error) : { cause: error };
    return { kind: "failed", error: parts };
  }
}

async function compileAndRun(definition: ProjectData): Promise<Answer> {
  if (pending === null) throw new Error("no task waits for this definition");
  const { program, ...task } = pending;
  pending = null;
  const compiled = compileTemplate(definition, program.templateType);
  programs.set(getKey(program), compiled);
  return run(task, [compiled]);
}

async function run(
  { name, large, ...task }: Task,
  program: [] | [Program],
): Promise<Answer> {
  const start = performance.now();
  const rest: unknown = JSON.parse(large);
  const input = Object.assign(task.input, rest);
  const tasks = {
    ...definitionTasks,
    ...programTasks,
    ...fileTasks,
    parseBody,
  };
  const args = [...program, input];
  const result: unknown = await Reflect.apply(tasks[name], undefined, args);
  const value = name in definitionTasks ? JSON.stringify(result) : result;
  return { kind: "done", value, milliseconds: performance.now() - start };
}

function getKey({ definitionHash, templateType }: ProgramId): string {
  return `${templateType} ${definitionHash}`;
}
