import { setTimeout as sleep } from "node:timers/promises";
import type { EntityManager } from "typeorm";
import {
  type DocumentToSign,
  type MergedSigning,
  type SignatureView,
  type Signing,
  type SigningOrder,
  type SigningPlan,
  type SigningRequest,
  toSignatureView,
} from "../documents/index.js";
import {
  type Deadline,
  PlatenError,
  type Problem,
} from "../plugin-api/index.js";
import {
  Connection,
  Document,
  insertRow,
  KeptFile,
  newId,
  type RequestSubmitter,
  SignatureRequest,
} from "../storage/database/index.js";
import type { SignaturePorts, ProviderConnection } from "./ports.js";
import {
  findRequest,
  SIGNATURE_JOB,
  toSignatureJob,
} from "./signature-request.js";
import {
  assertNoProblems,
  type Candidate,
  checkCandidate,
  checkCandidates,
  checkDuplicateRoles,
  checkExpiry,
  getTemplateExpiry,
  mergeCandidates,
  parseRequestExpiry,
  rejectSigning,
  toProblem,
} from "./validate-signers.js";

/** How often a waiting caller reads the row, since another process may start the request. */
const pollMs = 60;

type SigningPorts = Pick<
  SignaturePorts,
  "store" | "queue" | "connections" | "times" | "now"
>;

/** A signing request whose connection can be used. */
interface PreparedSigning {
  request: SigningRequest;
  connection: ProviderConnection;
  /** From the request; null leaves it to the template. */
  expiresAt: Date | null;
  now: Date;
}

/** Everything about a signature request that is known before its document is printed. */
interface PlannedRequest {
  organizationId: string;
  createdById: string;
  connection: ProviderConnection;
  submitters: readonly RequestSubmitter[];
  message: SignatureRequest["message"];
  expiresAt: Date | null;
  warnings: readonly string[];
}

/** Accepts documents for signature. */
export class SigningService implements Signing {
  constructor(private readonly ports: SigningPorts) {}

  async prepare(request: SigningRequest, now: Date): Promise<SigningPlan> {
    const { submitters = [], expiresAt: text } = request.esignSettings ?? {};
    const { expiresAt, problems } = parseRequestExpiry(text, now);
    const candidates = mergeCandidates(submitters, []);
    assertNoProblems([
      ...candidates.flatMap(checkCandidate),
      ...checkDuplicateRoles(candidates),
      ...problems,
    ]);
    const connection = await chooseConnection(this.ports, request);
    const prepared = { request, connection, expiresAt, now };
    return {
      settle: (merged) => {
        const planned = planRequest(prepared, merged);
        return createSigningOrder(this.ports, planned);
      },
    };
  }

  async startNow(
    organizationId: string,
    id: string,
    { at, signal }: Deadline,
  ): Promise<SignatureView> {
    this.nudge();
    const until = Math.min(at, Date.now() + this.ports.times.startWaitMs);
    for (;;) {
      const view = await this.view(organizationId, id);
      const isOver = signal.aborted || Date.now() + pollMs >= until;
      if (view.status !== "starting" || isOver) return view;
      await sleep(pollMs);
    }
  }

  async view(organizationId: string, id: string): Promise<SignatureView> {
    const { read } = this.ports.store;
    return toSignatureView(await findRequest(read, organizationId, id));
  }

  nudge(): void {
    this.ports.queue.nudge(SIGNATURE_JOB);
  }
}

/**
 * The connection in the request, or in the template, or the organization's only one.
 * @throws PlatenError `invalid_request` for one that cannot be used, with the reason.
 */
async function chooseConnection(
  { store, connections }: Pick<SignaturePorts, "store" | "connections">,
  { organizationId, esignConnection, connection }: SigningRequest,
): Promise<ProviderConnection> {
  const inTemplate = connection?.esignConnection;
  const id =
    esignConnection ??
    inTemplate ??
    (await findOnlyConnection(store, organizationId));
  try {
    return await connections.openEsign(organizationId, id);
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    const path =
      esignConnection === undefined && inTemplate !== undefined
        ? "$.schema[0].connection.esignConnection"
        : "$.esignConnection";
    const shown = JSON.stringify(id.slice(0, 100));
    const message =
      error.code === "not_found"
        ? `${shown} is not an e-signature connection of the organization.`
        : error.message;
    return rejectSigning([toProblem(path, "connection", message)], error);
  }
}

async function findOnlyConnection(
  { read }: SignaturePorts["store"],
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
    return rejectSigning([
      toProblem(
        "$.sendForSignature",
        "no_connection",
        "the organization has no connection to an e-signature provider.",
        "Save one with POST /api/connections or platen connection add, and set it as esignConnection.",
      ),
    ]);
  if (!second) return first.id;
  const listed = all.map((one) => `${one.id} ("${one.name}")`).join(", ");
  return rejectSigning([
    toProblem(
      "$.esignConnection",
      "which_connection",
      "the organization has several connections to e-signature providers.",
      `Set one of them: ${listed}.`,
    ),
  ]);
}

/** @throws PlatenError `invalid_request`. */
function planRequest(
  { request, connection, expiresAt: requested, now }: PreparedSigning,
  merged: MergedSigning,
): PlannedRequest {
  const { esignSettings = {}, organizationId, createdById } = request;
  const { title, capabilities } = connection.provider;
  const candidates = mergeCandidates(
    esignSettings.submitters ?? [],
    merged.submitters,
  );
  const roles = new Set(merged.fields.map(({ role }) => role));
  const [signing, leftOut] = partition(
    candidates,
    ({ isRequested, role }) => isRequested || roles.has(role),
  );
  const orders = normalizeOrders(signing);
  const expiresAt = requested ?? getTemplateExpiry(merged.expiresInDays, now);
  assertNoProblems([
    ...checkCandidates(signing, merged.fields),
    ...checkOrders(orders, connection.provider),
    ...checkExpiry(expiresAt, capabilities, title),
  ]);
  return {
    organizationId,
    createdById,
    connection,
    submitters: signing.map((one, at) => toSubmitter(one, orders[at] ?? 0)),
    message: mergeMessages(merged.message, esignSettings.message),
    expiresAt,
    warnings: leftOut.map(
      ({ role }) =>
        `The template names a signer for the role "${role}", but this document has no field for it, so this signer is not asked to sign.`,
    ),
  };
}

function partition<T>(
  items: readonly T[],
  isFirst: (item: T) => boolean,
): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** The signing order as numbers from 0 without gaps; a missing one counts as 0. */
function normalizeOrders(signing: readonly Candidate[]): number[] {
  const orders = signing.map(({ order }) => order ?? 0);
  const sorted = [...new Set(orders)].toSorted((a, b) => a - b);
  return orders.map((order) => sorted.indexOf(order));
}

function checkOrders(
  orders: readonly number[],
  { title, capabilities }: ProviderConnection["provider"],
): Problem[] {
  if (capabilities.order || orders.every((order) => order === 0)) return [];
  return [
    toProblem(
      "$.esignSettings.submitters",
      "order",
      `${title} asks all signers at the same time and does not support an order.`,
      "Leave out order.",
    ),
  ];
}

function toSubmitter(one: Candidate, order: number): RequestSubmitter {
  const { role, email, name = null, values = {} } = one;
  return {
    role,
    email,
    name: name === "" ? null : name,
    order,
    values: { ...values },
    status: "waiting",
    url: null,
    reason: null,
  };
}

/** The request's subject and body win over the template's, independently of each other. */
function mergeMessages(
  inTemplate: MergedSigning["message"],
  inRequest: NonNullable<SigningRequest["esignSettings"]>["message"],
): PlannedRequest["message"] {
  const subject = inRequest?.subject ?? inTemplate?.subject;
  const body = inRequest?.body ?? inTemplate?.body;
  if (subject === undefined && body === undefined) return null;
  return {
    ...(subject !== undefined && { subject }),
    ...(body !== undefined && { body }),
  };
}

function createSigningOrder(
  { queue, now }: Pick<SignaturePorts, "queue" | "now">,
  planned: PlannedRequest,
): SigningOrder {
  return {
    /** A request that the provider would certainly reject is written as `failed`, since the document exists anyway. */
    async record(tx, document) {
      const { documentId, pdf } = document;
      const row = await createRow(tx, planned, document, now());
      await insertRow(tx, SignatureRequest, row);
      if (row.status === "failed") return row.id;
      const { storageKey } = pdf.output;
      const kept = { storageKey, documentId, keepUntil: null };
      await insertRow(tx, KeptFile, kept);
      await queue.enqueue(tx, [toSignatureJob(row)]);
      return row.id;
    },
  };
}

async function createRow(
  tx: EntityManager,
  { connection, submitters, warnings, ...planned }: PlannedRequest,
  { documentId, title, fileName, pdf, pages, boxes }: DocumentToSign,
  now: Date,
): Promise<Omit<SignatureRequest, never>> {
  const { id: provider, title: name, capabilities } = connection.provider;
  const { storageKey, sizeBytes } = pdf.output;
  const { maxFileBytes } = capabilities;
  const hasFailed = sizeBytes > maxFileBytes;
  const document = await tx.findOne(Document, {
    where: { id: documentId },
    select: { id: true, batchId: true },
  });
  return {
    ...planned,
    id: newId(),
    documentId,
    batchId: document?.batchId ?? null,
    connectionId: connection.id,
    provider,
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
    error: hasFailed
      ? `${name}: the PDF has ${sizeBytes} bytes, but at most ${maxFileBytes} are allowed. Use smaller images or fewer pages.`
      : null,
    nextLookAt: hasFailed ? null : now,
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    completedAt: hasFailed ? now : null,
  };
}
