import type { EntityManager } from "typeorm";
import { type Actor, recordAudit, service } from "../accounts/index.js";
import {
  type TemplateType,
  migrateDefinition,
  type ProjectData,
} from "../definition/index.js";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import type { Template } from "../storage/database/index.js";
import {
  checkTemplate,
  type NewTemplate,
  emptyDefinition,
  applyPaper,
  type PaperChoice,
} from "./check-template.js";
import { blueprint, blueprints } from "./blueprints/index.js";
import {
  findTemplate,
  type TemplateOwner,
  insertTemplate,
  publishTemplate,
} from "./template-repository.js";

/** A template to be created, from at most one source; without one it is empty. */
export interface TemplateOrder extends PaperChoice {
  name: string;
  /** By default, that of the blueprint or clone. */
  description?: string | null | undefined;
  /** By default, that of the blueprint or clone, or else `document`. */
  templateType?: TemplateType | undefined;
  /** Any JSON value; its problems are reported together. */
  definition?: unknown;
  /** Its id or name. */
  blueprint?: string | undefined;
  /** A template of the organization. */
  cloneTemplateId?: string | undefined;
}

const SOURCES = ["definition", "blueprint", "cloneTemplateId"] as const;

/** Checks the input and writes nothing. @throws PlatenError as `TemplateEditor.create`. */
export async function prepareTemplate(
  read: EntityManager,
  { organizationId }: Pick<TemplateOwner, "organizationId">,
  order: TemplateOrder,
): Promise<NewTemplate> {
  assertOneSource(order);
  const source = await findSource(read, organizationId, order);
  const { templateType } = source;
  return checkTemplate({
    name: order.name,
    templateType,
    description:
      order.description === undefined ? source.description : order.description,
    definition: applyPaper(source.definition, templateType, order),
  });
}

interface Source {
  templateType: TemplateType;
  description: string | null;
  definition: unknown;
}

async function findSource(
  read: EntityManager,
  organizationId: string,
  order: TemplateOrder,
): Promise<Source> {
  if (order.blueprint !== undefined)
    return assertSameType(order, blueprint(order.blueprint), "blueprint");
  if (order.cloneTemplateId !== undefined) {
    const cloned = await findTemplate(
      read,
      organizationId,
      order.cloneTemplateId,
    );
    return assertSameType(order, cloned, "template");
  }
  const { templateType = "document" } = order;
  const definition = order.definition ?? emptyDefinition(templateType);
  return { templateType, description: null, definition };
}

/** @throws PlatenError `invalid_request` when the requested type is not the source's. */
function assertSameType(
  { templateType: asked }: TemplateOrder,
  source: Source,
  what: "blueprint" | "template",
): Source {
  const { templateType } = source;
  if (asked === undefined || asked === templateType) return source;
  const message = `The ${what} has the type "${templateType}" and cannot become "${asked}".`;
  const hint = "Leave out templateType.";
  throw new PlatenError("invalid_request", `${message} ${hint}`, {
    problems: [{ path: "$.templateType", code: "wrong_value", message, hint }],
  });
}

function assertOneSource(order: TemplateOrder): void {
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

const suffix = " (copy)";
const longestName = 255;

/**
 * A copy of a template in the same folder, with the identical definition and without its earlier versions. @throws PlatenError `not_found`.
 */
export async function duplicateTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  id: string,
  actor: Actor,
): Promise<Template> {
  const { organizationId } = owner;
  const original = await findTemplate(tx, organizationId, id);
  const { folderId, templateType, description } = original;
  // Only checked definitions are stored.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const definition = migrateDefinition(original.definition) as ProjectData;
  const name = copyName(original.name);
  const copy = await insertTemplate(
    tx,
    owner,
    { name, templateType, description, definition },
    folderId,
  );
  await recordAudit(tx, actor, {
    organizationId,
    action: "template.created",
    subject: copy.id,
    details: { name, duplicateOf: id },
  });
  return copy;
}

/** Shortens the name between characters only. */
function copyName(name: string): string {
  const letters = Array.from(
    new Intl.Segmenter().segment(name),
    ({ segment }) => segment,
  );
  while (letters.join("").length + suffix.length > longestName) letters.pop();
  return letters.join("") + suffix;
}

/** Creates all example templates in an organization. */
export async function importBlueprints(
  tx: EntityManager,
  owner: TemplateOwner,
): Promise<void> {
  for (const { id: _id, ...template } of blueprints())
    await publishTemplate(
      tx,
      owner,
      checkTemplate(template),
      service,
      "template.imported",
    );
}
