import { createHash } from "node:crypto";
import { type EntityManager, In } from "typeorm";
import {
  findPartialNames,
  NO_PARTIALS,
  type PartialLibrary,
  type ProjectData,
  resolvePartials,
  type TemplateType,
} from "../definition/index.js";
import { JsonText } from "../lib/json.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  type Template,
  findForUpdate,
  TemplatePartial,
  type UsedPartials,
} from "../storage/database/index.js";

// Reusable blocks as definitions use them. A template keeps their names and not their components, so a change is part of
// the next document of every template: programs are cached by the hashes of the definition and of its partials, which each
// render reads.

/**
 * The partials that a definition may use, and the hashes of those it uses; null when it uses none.
 * @param written any JSON value, or `JsonText`
 */
export async function loadPartials(
  read: EntityManager,
  organizationId: string,
  templateType: TemplateType,
  written: unknown,
) {
  const wanted = new Set(findWrittenNames(written));
  return loadLibrary(read, organizationId, templateType, wanted);
}

export async function loadLibrary(
  read: EntityManager,
  organizationId: string,
  templateType: TemplateType,
  wanted: ReadonlySet<string>,
) {
  if (wanted.size === 0) return { library: NO_PARTIALS, used: null };
  const names = await read.find(TemplatePartial, {
    where: { organizationId, templateType },
    select: { id: true, name: true },
  });
  const ids = names.filter(({ name }) => wanted.has(name)).map(({ id }) => id);
  const rows = await read.findBy(TemplatePartial, { id: In(ids) });
  return {
    library: {
      names: names.map(({ name }) => name),
      components: toComponents(rows),
    },
    used: rows.length === 0 ? null : toHashes(rows),
  };
}

/** Long definitions are parsed only if they seem to use a partial. */
export function findWrittenNames(written: unknown): string[] {
  if (!(written instanceof JsonText)) return findPartialNames(written);
  return /"partial"|data-partial/i.test(written.text)
    ? findPartialNames(JSON.parse(written.text))
    : [];
}

function toComponents(
  rows: readonly TemplatePartial[],
): PartialLibrary["components"] {
  const entries = rows.map(({ name, components }) => [name, components]);
  // Only checked components are stored.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(entries) as PartialLibrary["components"];
}

function toHashes(
  rows: readonly Pick<TemplatePartial, "name" | "hash">[],
): UsedPartials {
  const sorted = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(sorted.map(({ name, hash }) => [name, hash]));
}

export function hashWithPartials({
  definitionHash,
  partials,
}: Pick<Template, "definitionHash" | "partials">): string {
  if (partials === null) return definitionHash;
  const hash = createHash("sha256").update(definitionHash);
  for (const [name, partial] of Object.entries(partials))
    hash.update(` ${name} ${partial}`);
  return hash.digest("hex");
}

/**
 * Locks the partials that a template is about to be stored with.
 * @returns whether they are still those that it was checked with
 */
export async function lockPartials(
  tx: EntityManager,
  organizationId: string,
  used: UsedPartials | null,
): Promise<boolean> {
  // Always in the same order, so that two transactions cannot deadlock.
  for (const [name, hash] of Object.entries(used ?? {})) {
    const row = await findForUpdate(tx, TemplatePartial, {
      organizationId,
      name,
    });
    if (row?.hash !== hash) return false;
  }
  return true;
}

interface StoredUse {
  organizationId: string;
  templateType: TemplateType;
  definitionHash: string;
  partials: UsedPartials | null;
}

/** The current hash of a stored definition with its partials, and how to load both. */
export async function findCurrentPartials(
  read: EntityManager,
  stored: StoredUse,
  load: () => Promise<ProjectData>,
): Promise<{
  definitionHash: string;
  /** The last change of a partial; null without partials. */
  changedAt: Date | null;
  /** @throws PlatenError `invalid_request` for a missing partial, `unavailable` for one that was changed meanwhile, or as `load` */
  definition: () => Promise<ProjectData>;
}> {
  const { organizationId, templateType, definitionHash } = stored;
  if (stored.partials === null)
    return { definitionHash, changedAt: null, definition: load };
  const wanted = Object.keys(stored.partials);
  const where = { organizationId, templateType, name: In(wanted) };
  const rows = await read.find(TemplatePartial, {
    where,
    select: { id: true, name: true, hash: true, updatedAt: true },
  });
  const partials = toHashes(rows);
  return {
    definitionHash: hashWithPartials({ definitionHash, partials }),
    changedAt: new Date(Math.max(0, ...rows.map((row) => +row.updatedAt))),
    definition: async () => {
      const missing = wanted.find((name) => !Object.hasOwn(partials, name));
      if (missing !== undefined) throw createMissingError(missing);
      const currentRows = await read.findBy(TemplatePartial, where);
      const isSame = currentRows.every(
        ({ name, hash }) => partials[name] === hash,
      );
      if (!isSame || currentRows.length !== rows.length)
        throw new PlatenError(
          "unavailable",
          "A block of the template was changed while it was being read. Try again.",
        );
      const library = { names: wanted, components: toComponents(currentRows) };
      return resolvePartials(await load(), library);
    },
  };
}

function createMissingError(name: string): PlatenError {
  return new PlatenError(
    "invalid_request",
    `The template uses the block ${JSON.stringify(name)}, which was deleted. Create a block with this name, or remove it from the template.`,
  );
}

/** A definition with its partials as they are now. @throws PlatenError `invalid_request` for a missing one */
export async function resolveDraft(
  read: EntityManager,
  organizationId: string,
  templateType: TemplateType,
  definition: ProjectData,
): Promise<ProjectData> {
  const { library } = await loadPartials(
    read,
    organizationId,
    templateType,
    definition,
  );
  return resolvePartials(definition, library);
}
