import type { EntityManager } from "typeorm";
import { type Actor, recordAudit } from "../../accounts/index.js";
import type {
  DraftChange,
  DraftPulse,
  DraftSaved,
  DraftView,
  Publication,
} from "../../plugin-api/index.js";
import {
  findTemplate,
  findTemplateForUpdate,
  type TemplateOwner,
} from "../index.js";
import { type Store, TemplateDraft } from "../../storage/database/index.js";
import { endDraft, staleDraft } from "./change-draft.js";
import { draftFacts } from "./check-draft.js";
import { draftDefinition } from "./draft-definition.js";
import { draftView } from "./draft-view.js";
import { findDraft } from "./find-draft.js";
import { findPublished } from "./find-published.js";
import { publishDraft } from "./publish-draft.js";
import { saveDraft } from "./save-draft.js";

/** The stored drafts of an organization's templates. Errors are those of `AppDrafts`. */
export class Drafts {
  constructor(private readonly store: Pick<Store, "snapshot" | "unitOfWork">) {}

  open(organizationId: string, templateId: string): Promise<DraftView> {
    return this.store.snapshot(async (read) => {
      const template = await findTemplate(read, organizationId, templateId);
      const found = await findDraft(read, organizationId, templateId);
      return draftView(template, found);
    });
  }

  pulse(organizationId: string, id: string): Promise<DraftPulse> {
    return this.store.snapshot((read) => readPulse(read, organizationId, id));
  }

  async save(
    owner: TemplateOwner,
    templateId: string,
    change: DraftChange,
  ): Promise<DraftSaved> {
    const { organizationId } = owner;
    const definition = draftDefinition(change.definition);
    const at = new Date();
    const saved = await this.store.unitOfWork.run(async (tx) => {
      const template = await findTemplate(tx, organizationId, templateId);
      const found = await findDraft(tx, organizationId, templateId);
      const whole = { ...change, definition };
      await saveDraft(tx, owner, { template, found }, whole, at);
      return { template, revision: found.revision + 1 };
    });
    // After the transaction, so that no lock is held while the definition is validated.
    const facts = draftFacts(
      { templateType: saved.template.templateType, definition },
      saved.template,
    );
    return { revision: saved.revision, savedAt: at.toISOString(), facts };
  }

  async discard(
    { organizationId }: TemplateOwner,
    templateId: string,
    expectedRevision: number,
    actor: Actor,
  ): Promise<DraftView> {
    await this.store.unitOfWork.run(async (tx) => {
      await findTemplate(tx, organizationId, templateId);
      const found = await findDraft(tx, organizationId, templateId);
      if (found.revision !== expectedRevision) throw staleDraft();
      if (found.draft === null) return;
      await endDraft(tx, { id: templateId, organizationId }, expectedRevision);
      await recordAudit(tx, actor, {
        organizationId,
        action: "template.draft_discarded",
        subject: templateId,
        details: { revision: expectedRevision },
      });
    });
    return this.open(organizationId, templateId);
  }

  async publish(
    owner: TemplateOwner,
    templateId: string,
    publication: Publication,
    actor: Actor,
  ): Promise<DraftView> {
    const { organizationId } = owner;
    await this.store.unitOfWork.run(async (tx) => {
      const template = await findTemplateForUpdate(
        tx,
        organizationId,
        templateId,
      );
      await publishDraft(tx, owner, template, publication, actor);
    });
    return this.open(organizationId, templateId);
  }
}

async function readPulse(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<DraftPulse> {
  const template = await findPublished(read, organizationId, id);
  const row = await read.findOne(TemplateDraft, {
    where: { templateId: id, organizationId },
    relations: { savedBy: true },
    select: {
      templateId: true,
      revision: true,
      savedAt: true,
      savedBy: { id: true, name: true },
    },
  });
  return {
    revision: row?.revision ?? 0,
    savedAt: row?.savedAt?.toISOString() ?? null,
    savedBy: row?.savedBy?.name ?? null,
    ...template,
  };
}
