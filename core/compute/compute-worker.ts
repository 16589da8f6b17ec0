import { LRUCache } from "lru-cache";
import { compileTemplate, type Program } from "../compiler/index.js";
import type { ProjectData, TemplateType } from "../definition/index.js";
import { answerRequests } from "../lib/threads.js";
import {
  definitionTasks,
  fileTasks,
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
  { value: unknown; milliseconds: number } | "unknown program";

const MAX_PROGRAM_BYTES = 32 * 1024 * 1024;

const programs = new LRUCache<string, Program>({
  maxSize: MAX_PROGRAM_BYTES,
  sizeCalculation: ({ weight }) =>
    Math.min(MAX_PROGRAM_BYTES, Math.max(1, Math.ceil(weight))),
});

/** The task that waits for the definition of its program. */
let pending: (Task & { program: ProgramId }) | null = null;

answerRequests((request: Request): Answer | Promise<Answer> => {
  if (request.kind === "definition") return compileAndRun(request.definition);
  const { program, ...task } = request;
  if (!program) return run(task, []);
  const compiled = programs.get(getKey(program));
  if (compiled) return run(task, [compiled]);
  pending = { ...task, program };
  return "unknown program";
});

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
  return { value, milliseconds: performance.now() - start };
}

function getKey({ definitionHash, templateType }: ProgramId): string {
  return `${templateType} ${definitionHash}`;
}
