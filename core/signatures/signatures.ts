import { type EntityManager, In } from "typeorm";
import { z } from "zod";
import { type Actor, recordAudit } from "../accounts/index.js";
import { ConnectionService } from "../integrations/connections/index.js";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import { outputSchema, timestampSchema, toView } from "../lib/schemas.js";
import {
  isSignedOutput,
  type Output,
  PlatenError,
  SIGNER_STATUSES,
  type Metrics,
} from "../plugin-api/index.js";
import { type Queue, QUEUE } from "../queue/index.js";
import {
  Document,
  listPage,
  type PageRequest,
  SignatureRequest,
  type SignatureStatus,
  type Store,
  STORE,
} from "../storage/database/index.js";
import {
  findRequest,
  RequestEnder,
  SIGNATURE_JOB,
  toSignatureJob,
} from "./signature-request.js";

const submitterSchema = z.strictObject({
  role: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  order: z.number().int().meta({
    description: "From 0. Signers with the same number sign in parallel.",
  }),
  status: z.enum(SIGNER_STATUSES),
  url: z.string().nullable().meta({
    description: "Where they sign, if the provider reports it.",
  }),
  reason: z.string().nullable().meta({ description: "Why they declined." }),
});

export const signatureSchema = z
  .strictObject({
    id: z.string(),
    organizationId: z.string(),
    documentId: z.string(),
    batchId: z.string().nullable(),
    connectionId: z.string(),
    provider: z.string().meta({ example: "docuseal" }),
    externalId: z
      .string()
      .nullable()
      .meta({ description: "The provider's id of the request." }),
    status: z.enum([
      "starting",
      "pending",
      "completed",
      "declined",
      "expired",
      "canceled",
      "failed",
    ]),
    title: z.string(),
    message: z
      .strictObject({
        subject: z.string().exactOptional(),
        body: z.string().exactOptional(),
      })
      .nullable(),
    submitters: z.array(submitterSchema),
    outputs: z.array(outputSchema).meta({
      description:
        "Available once completed: `signed` and, if the provider creates one, `audit`. Kept longer than the document's other files.",
    }),
    warnings: z
      .array(z.string())
      .meta({ description: "Settings that the provider does not support." }),
    error: z.string().nullable().meta({
      description: "Why it failed, or what currently blocks it.",
    }),
    expiresAt: timestampSchema.nullable(),
    createdById: z.string(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    startedAt: timestampSchema
      .nullable()
      .meta({ description: "When the provider received it." }),
    completedAt: timestampSchema
      .nullable()
      .meta({ description: "When it ended." }),
  })
  .meta({ id: "Signature" });

export type SignatureDetail = z.output<typeof signatureSchema>;

interface SignatureQuery extends PageRequest {
  status?: SignatureStatus | undefined;
  documentId?: string | undefined;
}

@scoped(Lifecycle.ContainerScoped)
export class Signatures {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(ConnectionService)
    private readonly connections: Pick<ConnectionService, "openEsign">,
    @inject(RequestEnder) private readonly ender: RequestEnder,
  ) {}

  /** The newest first. */
  list(
    organizationId: string,
    { status, documentId, ...page }: SignatureQuery,
  ) {
    return this.store.snapshot(async (read) => {
      const where = {
        organizationId,
        ...(status && { status }),
        ...(documentId !== undefined && { documentId }),
      };
      const { rows, ...pagination } = await listPage(read, SignatureRequest, {
        ...page,
        where,
        newestBy: "createdAt",
      });
      const signed = await findSignedFiles(read, rows);
      const data = rows.map((row) =>
        toSignatureDetail(row, signed.get(row.documentId)),
      );
      return { data, pagination };
    });
  }

  /** @throws PlatenError `not_found`. */
  get(organizationId: string, id: string): Promise<SignatureDetail> {
    return this.store.snapshot(async (read) => {
      const row = await findRequest(read, organizationId, id);
      const signed = await findSignedFiles(read, [row]);
      return toSignatureDetail(row, signed.get(row.documentId));
    });
  }

  /**
   * Also withdraws it at the provider; does nothing when it is already canceled.
   * @throws PlatenError `not_found`; `conflict` when it has ended otherwise or is being sent; and as the provider does.
   */
  async cancel(
    organizationId: string,
    id: string,
    actor: Actor,
  ): Promise<SignatureDetail> {
    const row = await this.find(organizationId, id);
    if (row.status === "starting") await this.cancelUnsent(row, actor);
    else if (row.status === "pending") await this.withdraw(row, actor);
    else if (row.status !== "canceled") throw ended(row);
    return this.get(organizationId, id);
  }

  /**
   * Sends a reminder to the current signers.
   * @throws PlatenError `not_found`; `conflict` unless it is pending; and as the provider does.
   */
  async resend(
    organizationId: string,
    id: string,
    actor: Actor,
  ): Promise<SignatureDetail> {
    const row = await this.find(organizationId, id);
    if (row.status === "starting") throw beingSent();
    if (row.status !== "pending") throw ended(row);
    const { provider } = await this.open(row);
    await provider.resend(row.externalId ?? "");
    const action = "signature.resent";
    await this.store.unitOfWork.run((tx) =>
      recordAudit(tx, actor, { organizationId, action, subject: id }),
    );
    return this.get(organizationId, id);
  }

  private async cancelUnsent(
    row: SignatureRequest,
    actor: Actor,
  ): Promise<void> {
    if (row.sentAt !== null) throw beingSent();
    if (!(await this.endCanceled(row, actor))) throw beingSent();
  }

  private endCanceled(row: SignatureRequest, actor: Actor): Promise<boolean> {
    const outcome = {
      status: "canceled" as const,
      inTransaction: (tx: EntityManager) =>
        recordAudit(tx, actor, canceledNote(row)),
    };
    return this.ender.end(row, outcome, null);
  }

  /**
   * A request that has ended at the provider meanwhile is not withdrawn: its result is fetched. Whatever the provider
   * answers, the row is polled soon.
   */
  private async withdraw(row: SignatureRequest, actor: Actor): Promise<void> {
    const { provider } = await this.open(row);
    const externalId = row.externalId ?? "";
    try {
      const { status } = await provider.status(externalId);
      if (status !== "pending" && status !== "canceled")
        throw endedThere(provider.title, status);
      await provider.cancel(externalId);
    } catch (error) {
      await this.pollSoon(row);
      throw error;
    }
    // A poll may have ended it first; who withdrew it is audited anyway.
    if (!(await this.endCanceled(row, actor)))
      await this.store.unitOfWork.run((tx) =>
        recordAudit(tx, actor, canceledNote(row)),
      );
  }

  private async pollSoon(row: SignatureRequest): Promise<void> {
    await this.store.unitOfWork.run((tx) =>
      this.queue.enqueue(tx, [toSignatureJob(row)]),
    );
    this.queue.nudge(SIGNATURE_JOB);
  }

  private find(organizationId: string, id: string) {
    return findRequest(this.store.read, organizationId, id);
  }

  private open({ organizationId, connectionId }: SignatureRequest) {
    return this.connections.openEsign(organizationId, connectionId);
  }
}

/** The signed outputs of completed requests, by document id. */
async function findSignedFiles(
  read: EntityManager,
  rows: readonly SignatureRequest[],
): Promise<Map<string, Output[]>> {
  const ids = rows
    .filter(({ status }) => status === "completed")
    .map(({ documentId }) => documentId);
  const documents = await read.find(Document, {
    where: { id: In(ids) },
    select: { id: true, outputs: true },
  });
  return new Map(
    documents.map(({ id, outputs }) => [id, outputs.filter(isSignedOutput)]),
  );
}

function canceledNote({ organizationId, id: subject }: SignatureRequest) {
  return { organizationId, action: "signature.canceled", subject } as const;
}

function beingSent(): PlatenError {
  return new PlatenError(
    "conflict",
    "The request is being sent to the provider. Try again in a minute.",
  );
}

function endedThere(provider: string, status: string): PlatenError {
  return new PlatenError(
    "conflict",
    `The request has just ended at ${provider}: it is ${status}. The result will be available here in a minute.`,
  );
}

function ended({ status }: SignatureRequest): PlatenError {
  return new PlatenError(
    "conflict",
    `The request has already ended: it is ${status}.`,
  );
}

function toSignatureDetail(
  row: SignatureRequest,
  outputs: Output[] = [],
): SignatureDetail {
  const submitters = row.submitters.map((submitter) =>
    toView(submitterSchema, submitter),
  );
  return toView(signatureSchema, row, { submitters, outputs });
}

const open = ["starting", "pending"] as const;

/** Registers how many requests have not ended, and whether they are stuck. */
export function registerSignatureMetrics(
  metrics: Metrics,
  { read }: Pick<Store, "read">,
): void {
  metrics.gauge(
    {
      name: "platen_signatures",
      help: "Signature requests in progress, in all processes.",
      labels: ["status"],
    },
    () =>
      Promise.all(
        open.map(async (status) => ({
          labels: { status },
          value: await read.countBy(SignatureRequest, { status }),
        })),
      ),
  );
  metrics.gauge(
    {
      name: "platen_signature_oldest_starting_seconds",
      help: "How long the oldest request that its provider does not have yet has waited.",
    },
    async () => {
      const oldest = await read.findOne(SignatureRequest, {
        where: { status: "starting" },
        select: { id: true, createdAt: true },
        order: { createdAt: "ASC" },
      });
      const since = oldest?.createdAt.getTime() ?? Infinity;
      const value = Math.max(0, (clock.now() - since) / 1000);
      return [{ labels: {}, value }];
    },
  );
}
