import { setTimeout as pause } from "node:timers/promises";
import type { EntityManager } from "typeorm";
import {
  type SignatureView,
  toSignatureView,
  type Signing,
  type SigningPlan,
  type SigningRequest,
  type MergedSigning,
  type SigningOrder,
  type DocumentToSign,
} from "../documents/index.js";
import {
  type Deadline,
  PlatenError,
  type Problem,
} from "../plugin-api/index.js";
import type { Queue } from "../queue/index.js";
import {
  Connection,
  type Store,
  Document,
  insertRow,
  KeptFile,
  newId,
  type RequestSubmitter,
  SignatureRequest,
} from "../storage/database/index.js";
import type {
  EsignParts,
  ProviderConnection,
  ProviderConnections,
} from "./ports.js";
import {
  findRequest,
  SIGNATURE_JOB,
  signatureJob,
} from "./signature-request.js";
import {
  problemsOfOne,
  twice,
  candidatesOf,
  refuse,
  askedExpiry,
  problem,
  type Candidate,
  problemsOf,
  orderGroups,
  expiryProblems,
  toldExpiry,
} from "./validate-signers.js";

/** Another process may start it, so the row is what tells. */
const lookMs = 60;

/** Takes documents in that are to be signed. */
export class SignatureDesk implements Signing {
  constructor(
    private readonly parts: Pick<
      EsignParts,
      "store" | "queue" | "connections" | "times" | "now"
    >,
  ) {}

  async prepare(wish: SigningRequest, now: Date): Promise<SigningPlan> {
    const { submitters = [], expiresAt: text } = wish.esignSettings ?? {};
    const { expiresAt, problems } = askedExpiry(text, now);
    const asked = candidatesOf(submitters, []);
    refuse([...asked.flatMap(problemsOfOne), ...twice(asked), ...problems]);
    const connection = await chooseProvider(this.parts, wish);
    const prepared = { wish, connection, expiresAt, now };
    return new SignaturePlan(this.parts, prepared);
  }

  async startNow(
    organizationId: string,
    id: string,
    { at, signal }: Deadline,
  ): Promise<SignatureView> {
    this.nudge();
    const until = Math.min(at, Date.now() + this.parts.times.startWaitMs);
    for (;;) {
      const row = await this.find(organizationId, id);
      const isOver = signal.aborted || Date.now() + lookMs >= until;
      if (row.status !== "starting" || isOver) return toSignatureView(row);
      await pause(lookMs);
    }
  }

  async view(organizationId: string, id: string): Promise<SignatureView> {
    return toSignatureView(await this.find(organizationId, id));
  }

  nudge(): void {
    this.parts.queue.nudge(SIGNATURE_JOB);
  }

  private find(organizationId: string, id: string) {
    return findRequest(this.parts.store.read, organizationId, id);
  }
}

interface Parts {
  store: Pick<Store, "read">;
  connections: Pick<ProviderConnections, "openEsign">;
}

/**
 * The connection that the request names, or the template's, or the only one that the organization has.
 * @throws PlatenError `invalid_request` for one that cannot be used, with the reason.
 */
async function chooseProvider(
  { store, connections }: Parts,
  wish: SigningRequest,
): Promise<ProviderConnection> {
  const { organizationId, esignConnection, connection } = wish;
  const id =
    esignConnection ??
    connection?.esignConnection ??
    (await onlyOne(store, organizationId));
  const path =
    esignConnection === undefined && connection?.esignConnection !== undefined
      ? "$.schema[0].connection.esignConnection"
      : "$.esignConnection";
  try {
    return await connections.openEsign(organizationId, id);
  } catch (error) {
    throw refusalOf(error, path, id);
  }
}

async function onlyOne(
  { read }: Pick<Store, "read">,
  organizationId: string,
): Promise<string> {
  const all = await read.find(Connection, {
    where: { organizationId, kind: "esign" },
    select: { id: true, name: true },
    order: { createdAt: "ASC", id: "ASC" },
    take: 20,
  });
  const [first, second] = all;
  if (!first)
    refuse([
      problem(
        "$.sendForSignature",
        "no_connection",
        "there is no e-signature provider to send the document to.",
        "Save a connection to one with POST /api/connections or platen connection add, and name it as esignConnection.",
      ),
    ]);
  const listed = all.map((one) => `${one.id} ("${one.name}")`).join(", ");
  if (second)
    refuse([
      problem(
        "$.esignConnection",
        "which_connection",
        "there are several connections to e-signature providers.",
        `Name one of them: ${listed}.`,
      ),
    ]);
  return first?.id ?? "";
}

/** Whatever is wrong with it, it is the request that names it. */
function refusalOf(error: unknown, path: string, id: string): unknown {
  if (!(error instanceof PlatenError)) return error;
  const shown = JSON.stringify(id.slice(0, 100));
  const message =
    error.code === "not_found"
      ? `${shown} is no e-signature connection of the organization.`
      : error.message;
  return new PlatenError(
    "invalid_request",
    "This cannot be sent for signature.",
    { cause: error, problems: [problem(path, "connection", message)] },
  );
}

/** A wish whose connection can be used. */
interface PreparedWish {
  wish: SigningRequest;
  connection: ProviderConnection;
  /** As the caller asks for it. */
  expiresAt: Date | null;
  now: Date;
}

class SignaturePlan implements SigningPlan {
  constructor(
    private readonly parts: OrderParts,
    private readonly prepared: PreparedWish,
  ) {}

  settle(merged: MergedSigning): SigningOrder {
    const { wish, connection, now } = this.prepared;
    const { esignSettings = {}, organizationId, createdById } = wish;
    const { provider } = connection;
    const candidates = candidatesOf(
      esignSettings.submitters ?? [],
      merged.submitters,
    );
    const roles = new Set(merged.fields.map(({ role }) => role));
    const signing = candidates.filter(
      (one) => one.isAsked || roles.has(one.role),
    );
    const orders = orderGroups(signing.map(({ order }) => order));
    const expiresAt =
      this.prepared.expiresAt ?? toldExpiry(merged.expiresInDays, now);
    refuse([
      ...problemsOf(signing, merged.fields),
      ...orderProblems(orders, provider),
      ...expiryProblems(expiresAt, provider.capabilities, provider.title),
    ]);
    return new SignatureOrder(this.parts, {
      organizationId,
      createdById,
      connection,
      submitters: signing.map((one, at) => submitterOf(one, orders[at] ?? 0)),
      message: messageOf(merged, esignSettings),
      expiresAt,
      warnings: leftOut(candidates, roles),
    });
  }
}

function orderProblems(
  orders: readonly number[],
  { title, capabilities }: ProviderConnection["provider"],
): Problem[] {
  if (capabilities.order || orders.every((order) => order === 0)) return [];
  return [
    problem(
      "$.esignSettings.submitters",
      "order",
      `${title} asks all signers at the same time, so that no order can be kept.`,
      "Leave out order.",
    ),
  ];
}

function leftOut(
  candidates: readonly Candidate[],
  roles: ReadonlySet<string>,
): string[] {
  return candidates
    .filter(({ isAsked, role }) => !isAsked && !roles.has(role))
    .map(
      ({ role }) =>
        `The template names a signer for the role "${role}", but this document has no field for it: nobody is asked to sign as that.`,
    );
}

function submitterOf(one: Candidate, order: number) {
  const { role, email, name = null, values = {} } = one;
  return {
    role,
    email,
    name: name === "" ? null : name,
    order,
    values: { ...values },
    status: "waiting" as const,
    url: null,
    reason: null,
  };
}

/** The caller's words win over the template's, each for itself. */
function messageOf(
  { message: told }: MergedSigning,
  { message: asked }: NonNullable<SigningRequest["esignSettings"]>,
): { subject?: string; body?: string } | null {
  const subject = asked?.subject ?? told?.subject;
  const body = asked?.body ?? told?.body;
  if (subject === undefined && body === undefined) return null;
  return {
    ...(subject !== undefined && { subject }),
    ...(body !== undefined && { body }),
  };
}

interface OrderParts {
  queue: Pick<Queue, "enqueue">;
  now: () => Date;
}

/** All that is settled of a request before its document is printed. */
interface SettledRequest {
  organizationId: string;
  createdById: string;
  connection: ProviderConnection;
  submitters: readonly RequestSubmitter[];
  message: SignatureRequest["message"];
  expiresAt: Date | null;
  warnings: readonly string[];
}

class SignatureOrder implements SigningOrder {
  constructor(
    private readonly parts: OrderParts,
    private readonly settled: SettledRequest,
  ) {}

  /** What the provider would surely refuse is written as `failed`: the document is there all the same. */
  async record(tx: EntityManager, document: DocumentToSign): Promise<string> {
    const fault = this.faultOf(document);
    const row = await this.rowOf(tx, document, fault);
    await insertRow(tx, SignatureRequest, row);
    if (fault !== null) return row.id;
    await insertRow(tx, KeptFile, {
      storageKey: document.pdf.output.storageKey,
      documentId: document.documentId,
      keepUntil: null,
    });
    await this.parts.queue.enqueue(tx, [signatureJob(row)]);
    return row.id;
  }

  private faultOf({ pdf }: DocumentToSign): string | null {
    const { title, capabilities } = this.settled.connection.provider;
    const { sizeBytes } = pdf.output;
    if (sizeBytes <= capabilities.maxFileBytes) return null;
    return `${title}: the PDF has ${sizeBytes} bytes, and it takes at most ${capabilities.maxFileBytes}. Use smaller images, or fewer pages.`;
  }

  private async rowOf(
    tx: EntityManager,
    document: DocumentToSign,
    fault: string | null,
  ): Promise<SignatureRequest> {
    const { connection, submitters, warnings, ...settled } = this.settled;
    const { documentId, title, fileName, pdf, pages, boxes } = document;
    const { storageKey } = pdf.output;
    const now = this.parts.now();
    const hasFailed = fault !== null;
    return {
      ...settled,
      id: newId(),
      documentId,
      batchId: await batchOf(tx, documentId),
      connectionId: connection.id,
      provider: connection.provider.id,
      status: hasFailed ? "failed" : "starting",
      externalId: null,
      title,
      submitters: [...submitters],
      boxes: hasFailed ? [] : [...boxes],
      warnings: [...warnings],
      source: hasFailed ? null : { storageKey, fileName, pages },
      sentAt: null,
      lookups: 0,
      attempts: 0,
      error: fault,
      nextLookAt: hasFailed ? null : now,
      createdAt: now,
      updatedAt: now,
      startedAt: null,
      completedAt: hasFailed ? now : null,
    };
  }
}

async function batchOf(tx: EntityManager, id: string): Promise<string | null> {
  const row = await tx.findOne(Document, {
    where: { id },
    select: { id: true, batchId: true },
  });
  return row?.batchId ?? null;
}
