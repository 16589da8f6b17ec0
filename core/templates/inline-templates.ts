import { createHash } from "node:crypto";
import type { EntityManager } from "typeorm";
import { Compute } from "../compute/index.js";
import type { TemplateType } from "../definition/index.js";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import { JsonText } from "../lib/json.js";
import {
  changeRows,
  formatDatetime,
  isDuplicate,
  insertRow,
  type Store,
  Template,
  STORE,
} from "../storage/database/index.js";
import { checkTemplate } from "./check-template.js";
import { loadPartials } from "./used-partials.js";
import {
  createTemplateRow,
  hashOf,
  type TemplateOwner,
} from "./template-repository.js";

// A definition in a request becomes a template that is in no list, so that the document has a template like any other.
// Equal definitions of an organization share one. When the files of its last document are deleted, it goes to the trash
// and its definition is emptied; the row stays, because the rows of documents refer to it. The same definition in a later
// request fills it again.

export interface InlineDefinition {
  /** Any JSON value, or `JsonText`. */
  definition: unknown;
  /** Default `document`. */
  templateType?: TemplateType | undefined;
}

/** What documents of definitions in requests show as the name of their template. */
const NAME = "Inline definition";

/** Longer than any render takes: a template that was used since is not swept. */
const UNUSED_MS = 60 * 60_000;
/** How old the time of the last use may be before it is written again. */
const NOTED_MS = UNUSED_MS / 4;
const CHUNK_SIZE = 200;

@scoped(Lifecycle.ContainerScoped)
export class InlineTemplates {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(Compute) private readonly compute: Compute,
  ) {}

  /**
   * The id of the template of a definition, which is checked when it is new.
   * @throws PlatenError `invalid_definition` as for a template that is saved
   */
  async resolve(
    owner: TemplateOwner,
    { definition, templateType = "document" }: InlineDefinition,
  ): Promise<string> {
    const { organizationId } = owner;
    const { read } = this.store;
    const { used } = await loadPartials(
      read,
      organizationId,
      templateType,
      definition,
    );
    // With the reusable blocks: another version of one may not fit.
    const inlineHash = hashInline(definition, templateType, used);
    const existingId = await this.#use(organizationId, inlineHash);
    if (existingId !== null) return existingId;
    const checked = await checkTemplate(read, this.compute, organizationId, {
      name: NAME,
      templateType,
      definition,
    });
    const row = Object.assign(createTemplateRow(owner, checked), {
      inlineHash,
    });
    try {
      return await this.store.unitOfWork.run((tx) => fill(tx, row));
    } catch (error) {
      // Another request with the same definition was faster.
      const other = isDuplicate(error)
        ? await this.#use(organizationId, inlineHash)
        : null;
      if (other === null) throw error;
      return other;
    }
  }

  /** Notes the use of a template, so that it is not swept meanwhile; null when there is none, or when it was swept. */
  async #use(
    organizationId: string,
    inlineHash: string,
  ): Promise<string | null> {
    const row = await this.store.read.findOne(Template, {
      where: { organizationId, inlineHash },
      select: { id: true, trashedAt: true, updatedAt: true },
    });
    if (!row || row.trashedAt !== null) return null;
    const now = clock.date();
    if (now.getTime() - row.updatedAt.getTime() < NOTED_MS) return row.id;
    const isNoted = await this.store.unitOfWork.run((tx) =>
      changeRows(
        tx,
        "UPDATE template SET updated_at = ? WHERE id = ? AND trashed_at IS NULL",
        [formatDatetime(now), row.id],
      ),
    );
    return isNoted === 1 ? row.id : null;
  }

  /**
   * Empties the templates whose documents have no files any more. Each in one statement, so that it is either there or
   * not, whatever happens meanwhile. @returns how many
   */
  async sweep(now: Date): Promise<number> {
    const before = new Date(now.getTime() - UNUSED_MS);
    let total = 0;
    let after = "";
    for (;;) {
      const rows = await findUnused(this.store.read, before, after);
      for (const { id } of rows)
        total += await this.store.unitOfWork.run((tx) =>
          empty(tx, id, before, now),
        );
      const last = rows.at(-1);
      if (!last || rows.length < CHUNK_SIZE) return total;
      after = last.id;
    }
  }
}

function hashInline(
  definition: unknown,
  templateType: TemplateType,
  used: unknown,
): string {
  const json =
    definition instanceof JsonText
      ? definition.text
      : JSON.stringify(definition);
  return createHash("sha256")
    .update(JSON.stringify([templateType, used]))
    .update(json)
    .digest("hex");
}

/** Inserts the template, or fills the one that was emptied. @returns its id */
async function fill(
  tx: EntityManager,
  row: Template & { inlineHash: string },
): Promise<string> {
  const { organizationId, inlineHash } = row;
  const existing = await tx.findOneBy(Template, { organizationId, inlineHash });
  if (!existing) {
    await insertRow(tx, Template, row);
    return row.id;
  }
  if (existing.trashedAt !== null) {
    const { id: _id, createdAt: _createdAt, ...columns } = row;
    await tx.update(Template, { id: existing.id }, columns as object);
  }
  return existing.id;
}

/** Whether a document of the template has files, or is still rendered. */
const IN_USE = `EXISTS (SELECT 1 FROM document d
  WHERE d.organization_id = template.organization_id AND d.template_id = template.id
    AND (d.purge_at IS NOT NULL OR d.status IN ('queued', 'rendering')))`;

function findUnused(
  read: EntityManager,
  before: Date,
  after: string,
): Promise<{ id: string }[]> {
  return read.query(
    `SELECT id FROM template WHERE inline_hash IS NOT NULL AND trashed_at IS NULL
       AND updated_at < ? AND id > ? AND NOT ${IN_USE} ORDER BY id LIMIT ${CHUNK_SIZE}`,
    [formatDatetime(before), after],
  );
}

const EMPTY = { schema: [], components: [] };

async function empty(
  tx: EntityManager,
  id: string,
  before: Date,
  now: Date,
): Promise<number> {
  return changeRows(
    tx,
    `UPDATE template SET definition = ?, definition_hash = ?, partials = NULL, data_source = NULL, trashed_at = ?
       WHERE id = ? AND trashed_at IS NULL AND updated_at < ? AND NOT ${IN_USE}`,
    [
      JSON.stringify(EMPTY),
      hashOf(EMPTY),
      formatDatetime(now),
      id,
      formatDatetime(before),
    ],
  );
}
