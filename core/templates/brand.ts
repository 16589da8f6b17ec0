import { isDeepStrictEqual } from "node:util";
import {
  type EntityManager,
  IsNull,
  type QueryDeepPartialEntity,
} from "typeorm";
import { z } from "zod";
import { type Actor, recordAudit } from "../accounts/index.js";
import { Compute } from "../compute/index.js";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  Asset,
  findForUpdate,
  isId,
  Organization,
  type Store,
  Template,
  TemplateDraft,
  STORE,
} from "../storage/database/index.js";
import {
  type BrandKit,
  brandSchema,
  type BrandView,
  readBrand,
  rewriteBrand,
  toBrandView,
} from "./apply-brand.js";
import { checkEdit, editTemplate, runChecked } from "./edit-template.js";
import {
  findTemplate,
  findTemplateForUpdate,
  LISTED,
  type TemplateOwner,
} from "./template-repository.js";

// The brand kit of an organization. Definitions contain plain colors, fonts and images: templates that are made from
// blueprints get those of the kit, and a change of the kit replaces the old values in the templates that follow it.

interface BrandChange {
  kit: BrandKit;
  /** The change is rejected when the kit has another version. */
  expectedVersion?: number | undefined;
  /** The templates that follow. */
  templateIds?: readonly string[] | undefined;
}

export const changedBrandSchema = brandSchema
  .extend({
    templates: z
      .array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          error: z.string().nullable().meta({
            description: "Why it stayed as it was; null when it follows.",
          }),
        }),
      )
      .meta({ description: "The result of each template that follows." }),
  })
  .meta({ id: "ChangedBrand" });

type ChangedBrand = z.output<typeof changedBrandSchema>;
type FollowedTemplate = ChangedBrand["templates"][number];

@scoped(Lifecycle.ContainerScoped)
export class Brands {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(Compute) private readonly compute: Compute,
  ) {}

  /** An empty kit of version 0 when there is none. */
  get(organizationId: string): Promise<BrandView> {
    return readBrand(this.store.read, organizationId);
  }

  /** The templates, without those in the trash, that use values of the present kit which another one would change. */
  async findUses(
    organizationId: string,
    kit: BrandKit,
  ): Promise<Pick<Template, "id" | "name">[]> {
    const { read } = this.store;
    const { kit: from } = await readBrand(read, organizationId);
    if (isDeepStrictEqual(from, kit)) return [];
    const rows = await read.find(Template, {
      where: { organizationId, ...LISTED, trashedAt: IsNull() },
      select: { id: true, name: true },
      order: { name: "ASC", id: "ASC" },
    });
    const uses: Pick<Template, "id" | "name">[] = [];
    // One at a time: definitions may be large.
    for (const { id, name } of rows) {
      const { definition } = await findTemplate(read, organizationId, id);
      const draft = await read.findOneBy(TemplateDraft, {
        templateId: id,
        organizationId,
      });
      const isUsed = [definition, draft?.definition].some(
        (candidate) =>
          candidate && rewriteBrand(candidate, from, kit) !== candidate,
      );
      if (isUsed) uses.push({ id, name });
    }
    return uses;
  }

  /**
   * Replaces the kit, then its old values in the templates that follow, each in a transaction of its own: the published
   * definition as a new version, and the draft.
   * @throws PlatenError `invalid_request`, `invalid_definition` for text styles, `conflict` for another version
   */
  async replace(
    owner: TemplateOwner,
    { kit, expectedVersion, templateIds = [] }: BrandChange,
    actor: Actor,
  ): Promise<ChangedBrand> {
    const { organizationId } = owner;
    await this.#check(organizationId, kit);
    const changed = await this.store.unitOfWork.run(async (tx) => {
      const where = { id: organizationId };
      const before = toBrandView(await findForUpdate(tx, Organization, where));
      if (expectedVersion !== undefined && expectedVersion !== before.version)
        throw createStaleError(before);
      const after = {
        kit,
        version: before.version + 1,
        updatedAt: clock.date().toISOString(),
      };
      // TypeORM's type of a change does not accept JSON columns.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const change = { brand: after } as QueryDeepPartialEntity<Organization>;
      await tx.update(Organization, where, change);
      await recordAudit(tx, actor, {
        organizationId,
        action: "brand.changed",
        subject: organizationId,
        details: { version: after.version },
      });
      return { before: before.kit, after };
    });
    const templates: FollowedTemplate[] = [];
    for (const id of new Set(templateIds))
      templates.push(await this.#follow(owner, id, changed.before, kit, actor));
    return { ...changed.after, templates };
  }

  async #check(organizationId: string, kit: BrandKit): Promise<void> {
    const { logo, textStyles } = kit;
    const where = {
      id: logo ?? "",
      organizationId,
      assetType: "image",
    } as const;
    const isKnown =
      logo === null ||
      (isId(logo) && (await this.store.read.existsBy(Asset, where)));
    if (!isKnown)
      throw new PlatenError(
        "invalid_request",
        "$.kit.logo: is not an image of this organization. Use the id of an image from GET /api/assets.",
      );
    const schema = [{ id: "root", fields: [] }];
    const { problems } = await this.compute.check(
      {
        written: { schema, components: [], styles: textStyles },
        templateType: "document",
      },
      { organizationId, subject: "The brand kit" },
    );
    const [first] = problems;
    if (first)
      throw new PlatenError(
        "invalid_definition",
        `${first.path.replace("$.styles", "$.kit.textStyles")}: ${first.message} ${first.hint ?? ""}`.trim(),
        { problems },
      );
  }

  async #follow(
    owner: TemplateOwner,
    id: string,
    from: BrandKit,
    to: BrandKit,
    actor: Actor,
  ): Promise<FollowedTemplate> {
    const { store, compute } = this;
    const { organizationId } = owner;
    let name = id;
    try {
      await runChecked(
        async () => {
          const template = await findTemplate(store.read, organizationId, id);
          ({ name } = template);
          const definition = rewriteBrand(template.definition, from, to);
          const edit =
            definition === template.definition
              ? {}
              : { definition, createVersion: true, versionNote: NOTE };
          const checked = await checkEdit(
            store.read,
            compute,
            organizationId,
            id,
            edit,
          );
          return { ...checked, edit };
        },
        ({ edit, ...checked }) =>
          store.unitOfWork.run(async (tx) => {
            const template = await findTemplateForUpdate(
              tx,
              organizationId,
              id,
            );
            const { definitionHash } = template;
            const order = { edit, checked };
            const edited = await editTemplate(tx, owner, id, order, actor);
            await rewriteDraft(tx, edited.template, definitionHash, [from, to]);
          }),
      );
      return { id, name, error: null };
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      return { id, name, error: error.message };
    }
  }
}

const NOTE = "Brand kit changed";

/** Changes the draft like the published definition, on which it is then based again. */
async function rewriteDraft(
  tx: EntityManager,
  template: Template,
  /** Of the published definition before. */
  definitionHash: string,
  [from, to]: readonly [BrandKit, BrandKit],
): Promise<void> {
  const { id: templateId, organizationId } = template;
  const where = { templateId, organizationId };
  const draft = await findForUpdate(tx, TemplateDraft, where);
  if (!draft?.definition) return;
  const columns = {
    definition: rewriteBrand(draft.definition, from, to),
    revision: draft.revision + 1,
    ...(draft.baseHash === definitionHash && {
      baseDefinition: template.definition,
      baseHash: template.definitionHash,
      baseUpdatedAt: template.updatedAt,
      baseVersion: template.version,
    }),
  };
  // TypeORM's type of a change does not accept JSON columns.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const change = columns as QueryDeepPartialEntity<TemplateDraft>;
  await tx.update(TemplateDraft, where, change);
}

function createStaleError({ version }: BrandView): PlatenError {
  const message = `The brand kit was changed since: its version is now ${version}.`;
  const hint = "Read it again, and send your change again.";
  return new PlatenError("conflict", `${message} ${hint}`, {
    problems: [
      { path: "$.expectedVersion", code: "stale_version", message, hint },
    ],
  });
}
