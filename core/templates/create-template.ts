import type { EntityManager } from "typeorm";
import { type Actor, recordAudit, service } from "../accounts/index.js";
import type { Compute } from "../compute/index.js";
import {
  type TemplateType,
  migrateDefinition,
  type ProjectData,
  normalizeDefinition,
} from "../definition/index.js";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import type { Template } from "../storage/database/index.js";
import { brandBlueprint } from "./apply-brand.js";
import { blueprint, blueprints } from "./blueprints/index.js";
import {
  checkTemplate,
  emptyDefinition,
  applyPaper,
  type PaperChoice,
} from "./check-template.js";
import {
  publishTemplate,
  findReadableTemplate,
  insertTemplate,
  type NewTemplate,
  type TemplateOwner,
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
  compute: Compute,
  { organizationId }: Pick<TemplateOwner, "organizationId">,
  order: TemplateOrder,
): Promise<NewTemplate> {
  assertOneSource(order);
  const source = await findSource(read, organizationId, order);
  const { templateType } = source;
  return checkTemplate(read, compute, organizationId, {
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
  if (order.blueprint !== undefined) {
    const chosen = blueprint(order.blueprint);
    const source = assertSameType(order, chosen, "blueprint");
    const definition = await brandBlueprint(
      read,
      organizationId,
      chosen.definition,
      chosen.brand,
    );
    return { ...source, definition };
  }
  if (order.cloneTemplateId !== undefined) {
    const cloned = await findReadableTemplate(
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
  { templateType: requestedType }: TemplateOrder,
  source: Source,
  what: "blueprint" | "template",
): Source {
  const { templateType } = source;
  if (requestedType === undefined || requestedType === templateType)
    return source;
  const message = `The ${what} has the type "${templateType}" and cannot become "${requestedType}".`;
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
  const original = await findReadableTemplate(tx, organizationId, id);
  const { folderId, templateType, description, partials } = original;
  // Only checked definitions are stored.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const definition = migrateDefinition(original.definition) as ProjectData;
  const name = copyName(original.name);
  const copy = await insertTemplate(
    tx,
    owner,
    { name, templateType, description, definition, partials },
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

export async function importBlueprints(
  tx: EntityManager,
  owner: TemplateOwner,
): Promise<void> {
  for (const { name, description, templateType, definition } of blueprints()) {
    const template = {
      name,
      description,
      templateType,
      definition: normalizeDefinition(definition),
      warnings: [],
      partials: null,
    };
    await publishTemplate(tx, owner, template, service, "template.imported");
  }
}
