import { z } from "zod";
import type { Problem } from "../../plugin-api/index.js";
import { COMPONENT_TYPES } from "../schema/component-schema.js";
import { projectDataSchema } from "../schema/project-data.js";
import { describeIssue, type Finding, type Issue } from "./describe-issue.js";
import { flattenIssues } from "./flatten-issues.js";
import { jsonPath, valueAt } from "./json-path.js";
import { suggestion } from "./suggest.js";

/** A problem of the form, with its path still in keys, so that the next pass can step around it. */
export interface ShapeProblem extends Problem {
  keys: readonly PropertyKey[];
}

/** First pass: every node has the properties of its type, and each of these the right kind of value. */
export function checkShape(input: unknown): ShapeProblem[] {
  const result = projectDataSchema.safeParse(input, { error: tellKnownKeys });
  if (result.success) return [];
  return flattenIssues(result.error.issues).flatMap((issue) =>
    toProblems(issue, input),
  );
}

/** Carries the names that a schema knows to the place where the problem is worded, as the issue's message. */
function tellKnownKeys(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "unrecognized_keys") return undefined;
  return knownKeys(issue.inst).join(" ");
}

function knownKeys(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum)
    return schema.keyType.options.map(String);
  return [];
}

function toProblems(issue: Issue, input: unknown): ShapeProblem[] {
  if (issue.code === "unrecognized_keys") return unknownKeys(issue, input);
  const value = valueAt(input, issue.path);
  const finding =
    unknownType(issue, value) ??
    newerVersion(issue, value) ??
    describeIssue(issue, value);
  return [{ path: jsonPath(issue.path), keys: issue.path, ...finding }];
}

function unknownType(issue: Issue, value: unknown): Finding | null {
  if (issue.code !== "invalid_union" || issue.discriminator === undefined)
    return null;
  if (typeof value !== "string")
    return {
      code: "missing_property",
      message: `The property "${issue.discriminator}" is missing.`,
      hint: "Add it: it says of which kind this is.",
    };
  return {
    code: "unknown_type",
    message: `There is no type ${JSON.stringify(value)}.`,
    hint: suggestion(value, typeNames(issue)),
  };
}

/** zod lists the accepted types on the issue, which its own type does not tell. */
function typeNames(issue: Issue): string[] {
  return "options" in issue && Array.isArray(issue.options)
    ? issue.options.map(String)
    : [];
}

function newerVersion(issue: Issue, value: unknown): Finding | null {
  const isVersion = issue.path.join() === "schemaVersion";
  if (!isVersion || typeof value !== "number" || value <= 1) return null;
  return {
    code: "unknown_version",
    message: `This definition has schemaVersion ${value}; version 1 is the newest that is known here.`,
    hint: "Use a newer Platen, or save the definition as version 1.",
  };
}

function unknownKeys(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  input: unknown,
): ShapeProblem[] {
  const known = issue.message.split(" ");
  const node = valueAt(input, issue.path);
  const open = issue.path.length === 0 || isComponent(node);
  return issue.keys
    .filter((key) => !(open && key.startsWith("x-")))
    .map((key) => unknownKey([...issue.path, key], key, known));
}

function unknownKey(
  keys: PropertyKey[],
  key: string,
  known: string[],
): ShapeProblem {
  return {
    path: jsonPath(keys),
    keys,
    code: "unknown_property",
    message: `There is no property ${JSON.stringify(key)} here.`,
    hint: suggestion(key, known),
  };
}

function isComponent(node: unknown): boolean {
  const type = valueAt(node, ["type"]);
  return COMPONENT_TYPES.some((known) => known === type);
}
