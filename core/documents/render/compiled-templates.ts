import { LRUCache } from "lru-cache";
import type { EntityManager } from "typeorm";
import {
  type Caller,
  ProgramRunner,
  type ProgramSource,
  Compute,
} from "../../compute/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { ProjectData } from "../../definition/index.js";
import {
  isId,
  Template,
  TemplateVersion,
  type UsedPartials,
} from "../../storage/database/index.js";
import { findCurrentPartials } from "../../templates/used-partials.js";
import { loadDefinition } from "../../templates/template-repository.js";
import { provide } from "../../lib/injection.js";

/** A template and one of its versions; without a number, the live definition. */
export interface TemplateChoice {
  organizationId: string;
  templateId: string;
  templateVersion?: number | undefined;
  /** Whether it is the template of a definition in a request, which nothing else can use. */
  isInline?: boolean | undefined;
}

/**
 * A template as it is rendered, with its reusable blocks. Its definition is read only when it has to be compiled; its
 * hash is that of the definition with the blocks.
 */
export interface TemplateToRender extends ProgramSource {
  id: string;
  name: string;
  /** The snapshot's number; of the live definition, the newest snapshot's. */
  version: number;
  /** When it was last written: library assets of that time are used, even if they were moved to the trash since. */
  writtenAt: Date;
  /** The same with its reusable blocks as they are now; null when it has none, and so never changes. */
  refresh: (() => Promise<TemplateToRender>) | null;
}

/** @throws PlatenError `not_found` for another organization's template too, `invalid_request` when it may not be rendered. */
export async function getTemplateToRender(
  read: EntityManager,
  choice: TemplateChoice,
): Promise<TemplateToRender> {
  const template = await findTemplateRow(read, choice);
  if (template.trashedAt !== null)
    throw createNotRenderableError("is in the trash. Restore it first.");
  if (!template.isActive)
    throw createNotRenderableError(
      "is not active. Set isActive to true to render it.",
    );
  if (choice.templateVersion !== undefined)
    return getTemplateSnapshot(read, template, choice.templateVersion);
  return withPartials(
    read,
    template,
    { ...template, writtenAt: template.updatedAt },
    () => loadDefinition(read, Template, template),
  );
}

interface TemplateState {
  version: number;
  definitionHash: string;
  partials: UsedPartials | null;
  writtenAt: Date;
}

async function withPartials(
  read: EntityManager,
  { id, name, templateType, organizationId }: TemplateRow,
  state: TemplateState,
  load: () => Promise<ProjectData>,
): Promise<TemplateToRender> {
  const { version, definitionHash, partials, writtenAt } = state;
  const stored = { organizationId, templateType, definitionHash, partials };
  const resolve = async (): Promise<TemplateToRender> => {
    const current = await findCurrentPartials(read, stored, load);
    const { changedAt } = current;
    return {
      id,
      name,
      templateType,
      version,
      definitionHash: current.definitionHash,
      definition: current.definition,
      writtenAt: changedAt && changedAt > writtenAt ? changedAt : writtenAt,
      refresh: partials === null ? null : resolve,
    };
  };
  return resolve();
}

/** A version that was accepted for rendering; it is rendered even if its template is inactive or in the trash now. @throws PlatenError `not_found`. */
export async function getAcceptedTemplate(
  read: EntityManager,
  choice: TemplateChoice & { templateVersion: number },
): Promise<TemplateToRender> {
  const template = await findTemplateRow(read, choice);
  return getTemplateSnapshot(read, template, choice.templateVersion);
}

async function getTemplateSnapshot(
  read: EntityManager,
  template: TemplateRow,
  templateVersion: number,
): Promise<TemplateToRender> {
  const snapshot = await read.findOne(TemplateVersion, {
    where: { templateId: template.id, version: templateVersion },
    select: {
      id: true,
      version: true,
      definitionHash: true,
      partials: true,
      createdAt: true,
    },
  });
  if (!snapshot)
    throw new PlatenError(
      "not_found",
      `This template has no version ${templateVersion}.`,
    );
  return withPartials(
    read,
    template,
    {
      version: snapshot.version,
      definitionHash: snapshot.definitionHash,
      partials: snapshot.partials,
      writtenAt: snapshot.createdAt,
    },
    () => loadDefinition(read, TemplateVersion, snapshot),
  );
}

const templateColumns = {
  id: true,
  name: true,
  templateType: true,
  isActive: true,
  trashedAt: true,
  version: true,
  definitionHash: true,
  partials: true,
  organizationId: true,
  inlineHash: true,
  updatedAt: true,
} as const;
type TemplateRow = Pick<Template, keyof typeof templateColumns>;

async function findTemplateRow(
  read: EntityManager,
  { organizationId, templateId, isInline = false }: TemplateChoice,
): Promise<TemplateRow> {
  const template = isId(templateId)
    ? await read.findOne(Template, {
        where: { id: templateId, organizationId },
        select: templateColumns,
      })
    : null;
  if (template && (isInline || template.inlineHash === null)) return template;
  throw new PlatenError("not_found", "There is no such template.");
}

function createNotRenderableError(why: string): PlatenError {
  return new PlatenError("invalid_request", `This template ${why}`);
}

/**
 * Compiled programs by the hash of their definition, bounded by their weight. A program may be shared between
 * requests, templates and organizations, since it is made from the definition and its type alone, holds no data of
 * any record, and never changes. Concurrent requests for one program share its compilation.
 */
export class ProgramCache {
  private readonly programs: LRUCache<
    string,
    ProgramRunner,
    { source: ProgramSource; caller: Caller }
  >;

  /** @param maxBytes approximate limit of the memory of all programs */
  constructor(maxBytes: number, compute: Compute) {
    this.programs = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (program) => Math.max(1, Math.ceil(program.weight)),
      fetchMethod: (_key, _stale, { context: { source, caller } }) =>
        ProgramRunner.compile(compute, source, caller),
    });
  }

  /** The number of programs and their approximate memory. */
  get size(): { entries: number; bytes: number } {
    return { entries: this.programs.size, bytes: this.programs.calculatedSize };
  }

  /** Rejects when loading or compiling fails; failures are not cached. */
  program(
    source: ProgramSource,
    { organizationId, subject }: Caller,
  ): Promise<ProgramRunner> {
    const key = `${source.templateType} ${source.definitionHash}`;
    // Without the deadline of the caller, since others may wait for the same program.
    const caller = { organizationId, subject };
    return this.programs.forceFetch(key, { context: { source, caller } });
  }
}

const programCacheBytes = 128 * 1024 ** 2;
provide(
  ProgramCache,
  (c) => new ProgramCache(programCacheBytes, c.resolve(Compute)),
);

/** How errors name a template. */
export function describeTemplate({ name }: { name: string }): string {
  return `The template ${JSON.stringify(name)}`;
}
