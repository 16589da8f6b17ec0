import { z } from "zod";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import {
  checkDefinition,
  normalizeDefinition,
  type ProjectData,
  TEMPLATE_TYPES,
  type TemplateType,
} from "../definition/index.js";

/** A template before it has an id: also the form of a template file. */
export interface NewTemplate {
  name: string;
  templateType: TemplateType;
  description: string | null;
  definition: ProjectData;
  /** Odd but allowed, such as paths that the schema does not declare. */
  warnings: readonly Problem[];
}

const shape = z.strictObject(
  {
    name: z
      .string("must be text")
      .trim()
      .min(1, "must not be empty")
      .max(255, "must be at most 255 characters long"),
    templateType: z
      .enum(TEMPLATE_TYPES, `must be ${TEMPLATE_TYPES.join(" or ")}`)
      .default("document"),
    description: z
      .string("must be text or null")
      .max(10_000, "must be at most 10000 characters long")
      .nullable()
      .default(null),
    definition: z
      .unknown()
      .refine((value) => value !== undefined, "is missing"),
  },
  "must be an object",
);

/**
 * Checks all of a template at once. @throws PlatenError `invalid_definition` with every problem; the paths of those in
 * the definition begin there, as in `$.components[2].text`.
 */
export function checkTemplate(input: unknown): NewTemplate {
  const parsed = shape.safeParse(input);
  const outer = parsed.success ? [] : parsed.error.issues.flatMap(problemsOf);
  const { definition, templateType } = partsOf(input);
  const checked = checkDefinition(definition, templateType);
  const inner = definition === undefined ? [] : checked.problems;
  const problems = [...outer, ...inner];
  if (!parsed.success || checked.definition === null || problems.length > 0)
    throw refusal(problems);
  return {
    ...parsed.data,
    definition: normalizeDefinition(checked.definition),
    warnings: checked.warnings,
  };
}

/** What can be checked of an input whose outer form may be wrong. */
function partsOf(input: unknown): {
  definition: unknown;
  templateType: TemplateType;
} {
  if (typeof input !== "object" || input === null)
    return { definition: undefined, templateType: "document" };
  return {
    definition: "definition" in input ? input.definition : undefined,
    templateType:
      "templateType" in input && input.templateType === "email"
        ? "email"
        : "document",
  };
}

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: `$.${key}`,
      code: "unknown_property",
      message: `a template has no "${key}"`,
    }));
  const path = ["$", ...issue.path].join(".");
  return [{ path, code: "invalid_value", message: issue.message }];
}

export function refusal(problems: readonly Problem[]): PlatenError {
  const count =
    problems.length === 1 ? "a problem" : `${problems.length} problems`;
  const [first] = problems;
  return new PlatenError(
    "invalid_definition",
    `The template has ${count}. ` +
      (first ? `${first.path}: ${first.message}` : ""),
    { problems },
  );
}
