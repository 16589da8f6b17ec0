import { createHash } from "node:crypto";
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { type EntityManager, In, IsNull, Not } from "typeorm";
import { z } from "zod";
import { createDefinitionError } from "./check-template.js";
import type { TemplateOwner } from "./template-repository.js";
import { type Actor, recordAudit } from "../accounts/index.js";
import { Compute } from "../compute/index.js";
import {
  findPartialNames,
  MAX_PARTIAL_NAME,
  normalizeDefinition,
  PARTIAL_NAME,
  type PartialLibrary,
  type ProjectData,
  TEMPLATE_TYPES,
  type TemplateType,
} from "../definition/index.js";
import { chunksOf } from "../lib/chunks.js";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import { timestampSchema, toView } from "../lib/schemas.js";
import {
  PlatenError,
  type Problem,
  suggestNames,
} from "../plugin-api/index.js";
import {
  type CreatedCallback,
  findAllForUpdate,
  findForUpdate,
  insertRow,
  isDuplicate,
  newId,
  Organization,
  type Store,
  Template,
  TemplateDraft,
  TemplatePartial,
  TemplateVersion,
  STORE,
} from "../storage/database/index.js";
import { loadLibrary, findWrittenNames } from "./used-partials.js";

export const partialSchema = z
  .strictObject({
    name: z.string().meta({
      description:
        "How definitions refer to it: lower-case letters, digits and single hyphens. It never changes.",
      example: "payment-details",
    }),
    title: z.string().meta({
      description: "How people see it.",
      example: "Payment details",
    }),
    templateType: z.enum(TEMPLATE_TYPES).meta({
      description: "The type of the templates that can use it.",
    }),
    /** As of definitions, the checker reports all problems of their content. */
    components: z
      .custom<Record<string, unknown>[]>(Array.isArray, "must be an array")
      .meta({
        description: "Components of a definition, without other blocks.",
        override: {
          type: "array",
          items: { type: "object", additionalProperties: true },
        },
      }),
    version: z.number().int().meta({ description: "Counts the changes." }),
    usedBy: z
      .array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          isPublished: z
            .boolean()
            .meta({ description: "False: only the template's draft uses it." }),
        }),
      )
      .meta({
        description:
          "Templates whose definition, newest version or draft uses it; those in the trash too.",
      }),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .meta({ id: "Partial" });

type PartialView = z.output<typeof partialSchema>;
type PartialUser = PartialView["usedBy"][number];

/** Blocks of one organization. */
const MAX_PARTIALS = 200;
const MAX_BYTES = 256 * 1024;

interface NewPartial {
  name: string;
  /** By default, its name. */
  title?: string | undefined;
  templateType?: TemplateType | undefined;
  /** Any JSON value. */
  components: unknown;
}

/** Fields that are left out stay as they are. */
interface PartialChange {
  title?: string | undefined;
  components?: unknown;
  /** The change is rejected when the block has another version. */
  expectedVersion?: number | undefined;
}

/** A template of which something uses a partial. */
interface User extends PartialUser {
  partials: readonly string[];
}

/** The reusable blocks of organizations. Blocks of other organizations are treated as missing. */
@scoped(Lifecycle.ContainerScoped)
export class Partials {
  constructor(
    @inject(STORE)
    private readonly store: Pick<Store, "read" | "snapshot" | "unitOfWork">,
    @inject(Compute) private readonly compute: Compute,
  ) {}

  /** All of them, by title. */
  list(organizationId: string): Promise<PartialView[]> {
    return this.store.snapshot(async (read) => {
      const rows = await read.findBy(TemplatePartial, { organizationId });
      const users = await findUsers(read, organizationId);
      return rows
        .toSorted((a, b) => a.title.localeCompare(b.title, "en"))
        .map((row) => toPartialView(row, users));
    });
  }

  /** @throws PlatenError `not_found`. */
  get(organizationId: string, name: string): Promise<PartialView> {
    return this.store.snapshot(async (read) => {
      const row = await findPartial(read, organizationId, name);
      return toPartialView(row, await findUsers(read, organizationId));
    });
  }

  /** @throws PlatenError `invalid_definition` with every problem, `invalid_request`, `conflict` for a name that is taken. */
  async create(
    owner: TemplateOwner,
    { name, title = name, templateType = "document", components }: NewPartial,
    actor: Actor,
    inTransaction?: CreatedCallback<PartialView>,
  ): Promise<PartialView> {
    const { organizationId, userId } = owner;
    assertName(name);
    const checked = await this.#check(organizationId, templateType, components);
    const now = clock.date();
    const row: TemplatePartial = {
      id: newId(),
      organizationId,
      name,
      title: parseTitle(title),
      templateType,
      ...checked,
      version: 1,
      createdById: userId,
      updatedById: userId,
      createdAt: now,
      updatedAt: now,
    };
    return this.store.unitOfWork.run(async (tx) => {
      // So that concurrent requests cannot exceed the limit.
      await findForUpdate(tx, Organization, { id: organizationId });
      if (
        (await tx.countBy(TemplatePartial, { organizationId })) >= MAX_PARTIALS
      )
        throw new PlatenError(
          "invalid_request",
          `An organization has at most ${MAX_PARTIALS} blocks. Delete one that is not used.`,
        );
      await insertPartial(tx, row);
      await noteChange(tx, actor, row, "partial.created");
      const view = toPartialView(row, await findUsers(tx, organizationId));
      await inTransaction?.(tx, view);
      return view;
    });
  }

  /**
   * Changes a block in all templates that use it.
   * @throws PlatenError `not_found`, `conflict` for another version, `invalid_definition` with every problem, those of
   * templates that use it among them.
   */
  async change(
    { organizationId, userId }: TemplateOwner,
    name: string,
    { title, components, expectedVersion }: PartialChange,
    actor: Actor,
  ): Promise<PartialView> {
    const { read, unitOfWork } = this.store;
    const partial = await findPartial(read, organizationId, name);
    assertVersion(partial, expectedVersion);
    const { templateType } = partial;
    const checked =
      components === undefined
        ? null
        : await this.#check(organizationId, templateType, components);
    const users = checked ? await findUserStates(read, partial) : [];
    if (checked) await this.#checkUsers(partial, checked, users);
    return unitOfWork.run(async (tx) => {
      const row = await lockPartial(tx, organizationId, name);
      const isSame =
        row.version === partial.version &&
        (!checked || isSameState(await findUserStates(tx, row), users));
      if (!isSame) throw createStaleError(row);
      Object.assign(row, {
        ...checked,
        ...(title !== undefined && { title: parseTitle(title) }),
        version: row.version + 1,
        updatedById: userId,
        updatedAt: clock.date(),
      });
      await tx.save(TemplatePartial, row);
      if (checked) await updateUsedHashes(tx, row, users);
      await noteChange(tx, actor, row, "partial.changed");
      return toPartialView(row, await findUsers(tx, organizationId));
    });
  }

  /** Deletes a block that nothing uses. @throws PlatenError `not_found`, `conflict` that names what uses it. */
  remove(
    organizationId: string,
    name: string,
    actor: Actor,
  ): Promise<PartialView> {
    return this.store.unitOfWork.run(async (tx) => {
      const row = await lockPartial(tx, organizationId, name);
      const view = toPartialView(row, await findUsers(tx, organizationId));
      if (view.usedBy.length > 0) throw createUsedError(view.usedBy);
      await tx.delete(TemplatePartial, { id: row.id, organizationId });
      await noteChange(tx, actor, row, "partial.deleted");
      return view;
    });
  }

  /** Checks components by themselves: only templates know their data and styles. */
  async #check(
    organizationId: string,
    templateType: TemplateType,
    written: unknown,
  ): Promise<Pick<TemplatePartial, "components" | "hash">> {
    const size = Buffer.byteLength(JSON.stringify(written) ?? "");
    if (size > MAX_BYTES)
      throw new PlatenError(
        "too_large",
        `The block has ${size} bytes. The limit is ${MAX_BYTES} bytes. Upload images as assets and refer to them as asset:<id>.`,
      );
    const caller = { organizationId, subject: "The block" };
    const base = {
      schema: [{ id: "root", fields: [] }],
      ...(templateType === "email" && { email: { subject: "" } }),
    };
    const places =
      templateType === "email"
        ? [{ ...base, components: written }]
        : [
            { ...base, components: written },
            { ...base, components: [], page: { header: written } },
          ];
    let problems: Problem[] = [];
    for (const place of places) {
      const result = await this.compute.check(
        { written: place, templateType },
        caller,
      );
      const ownProblems = result.problems.filter(isOwnProblem).map(fromHeader);
      if (ownProblems.length === 0) return toStored(written);
      if (problems.length === 0) problems = ownProblems;
    }
    throw createDefinitionError("The block", problems);
  }

  async #checkUsers(
    { organizationId, name, templateType }: TemplatePartial,
    { components }: Pick<TemplatePartial, "components">,
    users: readonly UserState[],
  ): Promise<void> {
    const { read } = this.store;
    const problems: Problem[] = [];
    for (const some of chunksOf(users, CHECKED_AT_ONCE)) {
      if (problems.length > MAX_LISTED_PROBLEMS) break;
      // Small definitions are checked at once: others are answered in between.
      await nextLoopTurn();
      const templates = await read.find(Template, {
        where: { organizationId, id: In(some.map(({ id }) => id)) },
        select: { id: true, name: true, definition: true },
        order: { id: "ASC" },
      });
      const { library } = await loadLibrary(
        read,
        organizationId,
        templateType,
        new Set(
          templates.flatMap((template) =>
            findWrittenNames(template.definition),
          ),
        ),
      );
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const partials = {
        ...library,
        components: { ...library.components, [name]: components },
      } as PartialLibrary;
      const problemLists = await Promise.all(
        templates.map((template) =>
          this.#checkUser(organizationId, templateType, template, partials),
        ),
      );
      problems.push(...problemLists.flat());
    }
    if (problems.length > 0) throw createDefinitionError("The block", problems);
  }

  async #checkUser(
    organizationId: string,
    templateType: TemplateType,
    { name, definition }: Pick<Template, "name" | "definition">,
    partials: PartialLibrary,
  ): Promise<Problem[]> {
    const template = `The template ${JSON.stringify(name)}`;
    const { problems } = await this.compute.check(
      { written: definition, templateType, partials },
      { organizationId, subject: template },
    );
    return problems.map((problem) => ({
      ...problem,
      message: `${template} would be invalid. ${problem.message}`,
    }));
  }
}

/** Templates that are checked with a changed block at the same time. */
const CHECKED_AT_ONCE = 8;

/** Rows in one statement. */
const ROWS_AT_ONCE = 200;

const MAX_LISTED_PROBLEMS = 50;

/** A name or style that the templates may have. */
function isOwnProblem({ code }: Problem): boolean {
  return code !== "unknown_scope" && code !== "unknown_style";
}

function fromHeader(problem: Problem): Problem {
  const path = problem.path.replace(/^\$\.page\.header/, "$.components");
  const isNested = problem.code === "unknown_partial";
  return {
    ...problem,
    path,
    ...(isNested && {
      code: "nested_partial",
      message: "A block contains no other block.",
      hint: "Detach the inner block first.",
    }),
  };
}

function toStored(
  written: unknown,
): Pick<TemplatePartial, "components" | "hash"> {
  const definition = {
    schema: [{ id: "root", fields: [] }],
    components: written,
  };
  // It was checked.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { components } = normalizeDefinition(definition as ProjectData);
  const hash = createHash("sha256").update(JSON.stringify(components));
  return { components: [...components], hash: hash.digest("hex") };
}

function assertName(name: string): void {
  if (PARTIAL_NAME.test(name) && name.length <= MAX_PARTIAL_NAME) return;
  throw new PlatenError(
    "invalid_request",
    `$.name: must have 1 to ${MAX_PARTIAL_NAME} characters: lower-case letters, digits and single hyphens between them, such as payment-details.`,
  );
}

const MAX_TITLE = 255;

function parseTitle(title: string): string {
  const trimmed = title.trim();
  if (trimmed.length > 0 && trimmed.length <= MAX_TITLE) return trimmed;
  throw new PlatenError(
    "invalid_request",
    `$.title: must have 1 to ${MAX_TITLE} characters.`,
  );
}

async function insertPartial(
  tx: EntityManager,
  row: TemplatePartial,
): Promise<void> {
  try {
    await insertRow(tx, TemplatePartial, row);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new PlatenError(
      "conflict",
      `There is already a block named ${JSON.stringify(row.name)}. Choose another name, or change that block.`,
    );
  }
}

async function findPartial(
  read: EntityManager,
  organizationId: string,
  name: string,
): Promise<TemplatePartial> {
  const row = await read.findOneBy(TemplatePartial, { organizationId, name });
  return row ?? throwPartialNotFound(read, organizationId, name);
}

async function lockPartial(
  tx: EntityManager,
  organizationId: string,
  name: string,
): Promise<TemplatePartial> {
  const where = { organizationId, name };
  const row = await findForUpdate(tx, TemplatePartial, where);
  return row ?? throwPartialNotFound(tx, organizationId, name);
}

async function throwPartialNotFound(
  read: EntityManager,
  organizationId: string,
  name: string,
): Promise<never> {
  const rows = await read.find(TemplatePartial, {
    where: { organizationId },
    select: { id: true, name: true },
  });
  const hint = suggestNames(
    name,
    rows.map((row) => row.name),
  );
  throw new PlatenError("not_found", `There is no such block. ${hint}`.trim());
}

function assertVersion(
  row: TemplatePartial,
  expected: number | undefined,
): void {
  if (expected !== undefined && expected !== row.version)
    throw createStaleError(row);
}

function createStaleError({ version }: TemplatePartial): PlatenError {
  const message = `This block, or a template that uses it, was changed since: its version is now ${version}.`;
  const hint = "Read it again, and send your change again.";
  return new PlatenError("conflict", `${message} ${hint}`, {
    problems: [
      { path: "$.expectedVersion", code: "stale_version", message, hint },
    ],
  });
}

const MAX_NAMES = 5;

function createUsedError(users: readonly PartialUser[]): PlatenError {
  const listed = users
    .slice(0, MAX_NAMES)
    .map(({ name }) => JSON.stringify(name));
  const more = users.length - listed.length;
  const names = listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
  return new PlatenError(
    "conflict",
    `Templates use this block: ${names}. Detach it in them, or remove it from them, first.`,
  );
}

async function noteChange(
  tx: EntityManager,
  actor: Actor,
  { id, organizationId, name, title, version }: TemplatePartial,
  action: "partial.created" | "partial.changed" | "partial.deleted",
): Promise<void> {
  const details = { name, title, version };
  const note = { organizationId, action, subject: id, details };
  await recordAudit(tx, actor, note);
}

type UserState = Pick<Template, "id" | "definitionHash" | "partials">;

/** The templates whose live definition uses a partial. */
async function findUserStates(
  read: EntityManager,
  { organizationId, name }: TemplatePartial,
): Promise<UserState[]> {
  const rows = await read.find(Template, {
    where: { organizationId, inlineHash: IsNull(), partials: Not(IsNull()) },
    select: { id: true, definitionHash: true, partials: true },
    order: { id: "ASC" },
  });
  return rows.filter(({ partials }) => Object.hasOwn(partials ?? {}, name));
}

function isSameState(
  now: readonly UserState[],
  then: readonly UserState[],
): boolean {
  return (
    now.length === then.length &&
    now.every(({ id, definitionHash }, index) => {
      const before = then[index];
      return before?.id === id && before.definitionHash === definitionHash;
    })
  );
}

/** Their thumbnails depend on these hashes. */
async function updateUsedHashes(
  tx: EntityManager,
  { name, hash, organizationId }: TemplatePartial,
  users: readonly UserState[],
): Promise<void> {
  for (const some of chunksOf(users, ROWS_AT_ONCE)) {
    // Another of their partials may have changed since.
    const rows = await findAllForUpdate(tx, Template, {
      where: { organizationId, id: In(some.map(({ id }) => id)) },
      select: { id: true, partials: true },
    });
    const byPartials = new Map<string, string[]>();
    for (const { id, partials } of rows) {
      const next = JSON.stringify({ ...partials, [name]: hash });
      byPartials.set(next, [...(byPartials.get(next) ?? []), id]);
    }
    for (const [partials, ids] of byPartials)
      await tx.update(
        Template,
        { organizationId, id: In(ids) },
        { partials: JSON.parse(partials) },
      );
  }
}

/** Templates whose live definition, newest version or draft uses partials. */
async function findUsers(
  read: EntityManager,
  organizationId: string,
): Promise<User[]> {
  const live = await read.find(Template, {
    where: { organizationId, inlineHash: IsNull(), partials: Not(IsNull()) },
    select: { id: true, name: true, partials: true },
  });
  // Batches render the newest version, which the live definition may differ from.
  const versions = await read
    .createQueryBuilder(TemplateVersion, "version")
    .innerJoin(
      Template,
      "template",
      "template.id = version.templateId AND template.version = version.version",
    )
    .where("version.organizationId = :organizationId", { organizationId })
    .andWhere("version.partials IS NOT NULL")
    .select("version.templateId", "id")
    .addSelect("template.name", "name")
    .addSelect("version.partials", "partials")
    .getRawMany<{ id: string; name: string; partials: string }>();
  const drafts = await read
    .createQueryBuilder(TemplateDraft, "draft")
    .innerJoin(Template, "template", "template.id = draft.templateId")
    .where("draft.organizationId = :organizationId", { organizationId })
    .andWhere("draft.definition LIKE '%\"partial\"%'")
    .select("draft.templateId", "id")
    .addSelect("template.name", "name")
    .addSelect("draft.definition", "definition")
    .getRawMany<{ id: string; name: string; definition: string }>();
  const users = new Map<string, User & { partials: string[] }>();
  const add = (id: string, name: string, names: string[], isLive: boolean) => {
    const user = users.get(id) ?? {
      id,
      name,
      isPublished: false,
      partials: [],
    };
    user.partials.push(...names);
    user.isPublished ||= isLive;
    users.set(id, user);
  };
  for (const { id, name, partials } of live)
    add(id, name, Object.keys(partials ?? {}), true);
  for (const { id, name, partials } of versions)
    add(id, name, Object.keys(JSON.parse(partials)), true);
  for (const { id, name, definition } of drafts)
    add(id, name, findPartialNames(JSON.parse(definition)), false);
  return [...users.values()];
}

function toPartialView(
  row: TemplatePartial,
  users: readonly User[],
): PartialView {
  return toView(partialSchema, row, {
    usedBy: users
      .filter(({ partials }) => partials.includes(row.name))
      .map(({ id, name, isPublished }) => ({ id, name, isPublished })),
  });
}
