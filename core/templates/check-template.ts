import type { EntityManager } from "typeorm";
import { z } from "zod";
import type { Compute } from "../compute/index.js";
import {
  type ProjectData,
  TEMPLATE_TYPES,
  type TemplateType,
  type PageSize,
} from "../definition/index.js";
import { isPlainObject, JsonText } from "../lib/json.js";
import {
  describeProblem,
  PlatenError,
  type Problem,
} from "../plugin-api/index.js";
import type { Template } from "../storage/database/index.js";
import { loadPartials } from "./used-partials.js";
import type { NewTemplate } from "./template-repository.js";

const templateSchema = z.strictObject(
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
 * @param previous the stored definition that it replaces
 * @throws PlatenError `invalid_definition` with every problem; paths of problems in the definition are relative to it,
 * as in `$.components[2].text`. Or as `Compute.check`.
 */
export async function checkTemplate(
  read: EntityManager,
  compute: Compute,
  organizationId: string,
  input: unknown,
  previous?: unknown,
): Promise<NewTemplate> {
  const parsed = templateSchema.safeParse(input);
  const outer = parsed.success ? [] : parsed.error.issues.flatMap(toProblems);
  const { definition, templateType } = readParts(input);
  const name = parsed.success ? parsed.data.name : null;
  const { library, used } = await loadPartials(
    read,
    organizationId,
    templateType,
    definition,
  );
  const checked =
    definition === undefined
      ? null
      : await compute.check(
          { written: definition, templateType, previous, partials: library },
          {
            organizationId,
            subject:
              name === null
                ? "The template"
                : `The template ${JSON.stringify(name)}`,
          },
        );
  const problems = [...outer, ...(checked?.problems ?? [])];
  if (!parsed.success || !checked?.definition || problems.length > 0)
    throw createDefinitionError("The template", problems);
  const { warnings } = checked;
  return {
    ...parsed.data,
    definition: checked.definition,
    warnings,
    partials: used,
  };
}

/** The parts that can be checked although the input itself may be invalid. */
function readParts(input: unknown): {
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

function toProblems(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: `$.${key}`,
      code: "unknown_property",
      message: `unknown field "${key}"`,
    }));
  const path = ["$", ...issue.path].join(".");
  return [{ path, code: "invalid_value", message: issue.message }];
}

export function createDefinitionError(
  subject: string,
  problems: readonly Problem[],
): PlatenError {
  const [first] = problems;
  const message =
    first && problems.length === 1
      ? describeProblem(first)
      : `${subject} has ${problems.length} problems.`;
  return new PlatenError("invalid_definition", message, { problems });
}

/** @throws PlatenError `invalid_definition` with every problem, a changed collectionId among them. */
export function validateUpdate(
  read: EntityManager,
  compute: Compute,
  template: Template,
  written: unknown,
): Promise<NewTemplate> {
  const { organizationId, name, templateType, definition } = template;
  const input = { name, templateType, definition: written };
  return checkTemplate(read, compute, organizationId, input, definition);
}

/** The paper of a document template; fields that are left out stay as the definition has them. */
export interface PaperChoice {
  /** `Custom` needs the definition's `page.width` and `page.height`; any other size replaces them. */
  format?: PageSize | undefined;
  isLandscape?: boolean | undefined;
}

/**
 * An invalid definition is returned unchanged, and its check reports why.
 * @throws PlatenError `invalid_request` for an email, which has no paper.
 */
export function applyPaper(
  definition: unknown,
  templateType: TemplateType,
  choice: PaperChoice,
): unknown {
  const { format, isLandscape } = choice;
  if (format === undefined && isLandscape === undefined) return definition;
  if (templateType === "email") throw createEmailPageError(choice);
  if (definition instanceof JsonText)
    return applyPaper(JSON.parse(definition.text), templateType, choice);
  if (!isPlainObject(definition)) return definition;
  const { page = {} } = definition;
  if (!isPlainObject(page)) return definition;
  const { width: _width, height: _height, ...sizeless } = page;
  const isNamed = format !== undefined && format !== "Custom";
  return {
    ...definition,
    page: {
      ...(isNamed ? sizeless : page),
      ...(format !== undefined && { size: format }),
      ...(isLandscape !== undefined && { landscape: isLandscape }),
    },
  };
}

function createEmailPageError(choice: PaperChoice): PlatenError {
  const named = (["format", "isLandscape"] as const).filter(
    (name) => choice[name] !== undefined,
  );
  const problems = named.map((name): Problem => ({
    path: `$.${name}`,
    code: "misplaced",
    message: "An email has no paper.",
    hint: `Leave out ${name}; the definition's email.width says how wide it is.`,
  }));
  return new PlatenError(
    "invalid_request",
    `An email has no paper: leave out ${named.join(" and ")}.`,
    { problems },
  );
}

export function emptyDefinition(templateType: TemplateType): ProjectData {
  const empty: ProjectData = {
    schema: [{ id: "root", fields: [] }],
    components: [],
  };
  return templateType === "email"
    ? { ...empty, email: { subject: "" } }
    : empty;
}
