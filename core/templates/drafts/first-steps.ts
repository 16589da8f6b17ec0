import { isDeepStrictEqual } from "node:util";
import { type EntityManager, In, IsNull } from "typeorm";
import type { FirstSteps } from "./views.js";
import type { AuditAction, Visitor } from "../../accounts/index.js";
import {
  AuditEvent,
  Document,
  type Store,
  Template,
  TemplateDraft,
  STORE,
} from "../../storage/database/index.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import { blueprints } from "../index.js";

const connectingActions: readonly AuditAction[] = [
  "connection.created",
  "link.created",
  "api_key.created",
  "assistant.connected",
  "user.created",
  "user.joined",
];

/** Their definitions are read as a whole. */
const maxTemplates = 20;

/** Reads what a person has done so far from what they have created. Examples of a demo were created by the service. */
@scoped(Lifecycle.ContainerScoped)
export class PersonFirstSteps {
  constructor(@inject(STORE) private readonly store: Pick<Store, "snapshot">) {}

  get({ organizationId, userId }: Visitor): Promise<FirstSteps> {
    const mine = { organizationId, createdById: userId, inlineHash: IsNull() };
    return this.store.snapshot(async (read) => {
      const templates = await read.find(Template, {
        where: mine,
        select: {
          id: true,
          definition: true,
          dataSource: true,
          trashedAt: true,
        },
        order: { createdAt: "DESC" },
        take: maxTemplates,
      });
      const templateId = In(templates.map(({ id }) => id));
      const drafts = await read.findBy(TemplateDraft, { templateId });
      const samples = blueprints().map(({ definition }) => definition.sample);
      const hasOwnSample = ({ sample }: Record<string, unknown>) =>
        isFilled(sample) &&
        !samples.some((blueprintSample) =>
          isDeepStrictEqual(blueprintSample, sample),
        );
      const owner = { organizationId, userId };
      return {
        template: await hasDone(read, owner, ["template.created"]),
        data:
          templates.some(({ dataSource }) => dataSource !== null) ||
          [...templates, ...drafts].some(({ definition }) =>
            hasOwnSample(definition ?? {}),
          ),
        document: await read.existsBy(Document, {
          organizationId,
          templateId,
          status: "succeeded",
        }),
        connection: await hasDone(read, owner, connectingActions),
        templateId:
          templates.find(({ trashedAt }) => trashedAt === null)?.id ?? null,
      };
    });
  }
}

function hasDone(
  read: EntityManager,
  by: { organizationId: string; userId: string },
  actions: readonly AuditAction[],
): Promise<boolean> {
  return read.existsBy(AuditEvent, { ...by, action: In([...actions]) });
}

function isFilled(sample: unknown): boolean {
  return (
    typeof sample === "object" &&
    sample !== null &&
    Object.keys(sample).length > 0
  );
}
