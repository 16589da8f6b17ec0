import type { EntityManager } from "typeorm";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import { blueprint } from "./blueprints/index.js";
import { type TemplateType } from "../definition/index.js";
import { checkTemplate, type NewTemplate } from "./check-template.js";
import { emptyDefinition } from "./empty-definition.js";
import { findTemplate } from "./find-template.js";
import { onPaper, type PaperChoice } from "./paper-choice.js";
import type { TemplateOwner } from "./template-owner.js";

/** A template that is asked for: one source at most, or else it begins empty. */
export interface TemplateOrder extends PaperChoice {
  name: string;
  /** Of a blueprint or a clone, their own when left out. */
  description?: string | null | undefined;
  /** That of the blueprint or the clone, or else `document`, when left out. */
  templateType?: TemplateType | undefined;
  /** Any JSON value: its problems are told together. */
  definition?: unknown;
  /** Its id or name. */
  blueprint?: string | undefined;
  /** A template of the organization. */
  cloneTemplateId?: string | undefined;
}

const SOURCES = ["definition", "blueprint", "cloneTemplateId"] as const;

/** Checks all of an order and writes nothing. @throws PlatenError as `Templates.create`. */
export async function draftTemplate(
  read: EntityManager,
  { organizationId }: Pick<TemplateOwner, "organizationId">,
  order: TemplateOrder,
): Promise<NewTemplate> {
  refuseTwoSources(order);
  const source = await sourceOf(read, organizationId, order);
  const { templateType } = source;
  return checkTemplate({
    name: order.name,
    templateType,
    description:
      order.description === undefined ? source.description : order.description,
    definition: onPaper(source.definition, templateType, order),
  });
}

interface Source {
  templateType: TemplateType;
  description: string | null;
  definition: unknown;
}

async function sourceOf(
  read: EntityManager,
  organizationId: string,
  order: TemplateOrder,
): Promise<Source> {
  if (order.blueprint !== undefined)
    return ofType(order, blueprint(order.blueprint), "blueprint");
  if (order.cloneTemplateId !== undefined) {
    const cloned = await findTemplate(
      read,
      organizationId,
      order.cloneTemplateId,
    );
    return ofType(order, cloned, "template");
  }
  const { templateType = "document" } = order;
  const definition = order.definition ?? emptyDefinition(templateType);
  return { templateType, description: null, definition };
}

/** @throws PlatenError `invalid_request` when another type was asked for than the source has. */
function ofType(
  { templateType: asked }: TemplateOrder,
  source: Source,
  what: "blueprint" | "template",
): Source {
  const { templateType } = source;
  if (asked === undefined || asked === templateType) return source;
  const message = `The ${what} is of the type "${templateType}", and cannot become "${asked}".`;
  const hint = "Leave out templateType.";
  throw new PlatenError("invalid_request", `${message} ${hint}`, {
    problems: [{ path: "$.templateType", code: "wrong_value", message, hint }],
  });
}

function refuseTwoSources(order: TemplateOrder): void {
  const given = SOURCES.filter((name) => order[name] !== undefined);
  if (given.length < 2) return;
  const message = `A template is made from one source, and ${given.join(" and ")} were given.`;
  const problems = given.map((name): Problem => ({
    path: `$.${name}`,
    code: "ambiguous",
    message,
    hint: "Leave all but one of them out.",
  }));
  throw new PlatenError("invalid_request", message, { problems });
}
