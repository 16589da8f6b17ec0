import type { EntityManager } from "typeorm";
import { z } from "zod";
import {
  type DocumentToSign,
  type MergedSigning,
  type SignatureView,
  type Signing,
  type SigningOrder,
  type SigningPlan,
  type SigningRequest,
  toSignatureView,
  type NamedSubmitter,
  parseExpiry,
  SIGNING,
} from "../documents/index.js";
import {
  ConnectionService,
  type EsignConnection,
} from "../integrations/connections/index.js";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped, provide } from "../lib/injection.js";
import {
  type Deadline,
  PlatenError,
  type Problem,
  type EsignCapabilities,
} from "../plugin-api/index.js";
import { type Queue, QUEUE } from "../queue/index.js";
import {
  Connection,
  Document,
  insertRow,
  KeptFile,
  newId,
  type RequestSubmitter,
  SignatureRequest,
  type Store,
  STORE,
} from "../storage/database/index.js";
import { METRICS } from "../lib/process-values.js";
import {
  findRequest,
  SIGNATURE_JOB,
  toSignatureJob,
} from "./signature-request.js";
import { registerSignatureMetrics } from "./signatures.js";

/** How often a waiting caller reads the row, since another process may start the request. */
const pollMs = 60;

/** How long a single render waits until the provider has its request. */
const startWaitMs = 15_000;

/** A signing request whose connection can be used. */
interface PreparedSigning {
  request: SigningRequest;
  connection: EsignConnection;
  /** From the request; null leaves it to the template. */
  expiresAt: Date | null;
  now: Date;
}

/** Everything about a signature request that is known before its document is printed. */
interface PlannedRequest {
  organizationId: string;
  createdById: string;
  connection: EsignConnection;
  submitters: readonly RequestSubmitter[];
  message: SignatureRequest["message"];
  redirectUrl: string | null;
  expiresAt: Date | null;
  warnings: readonly string[];
}

/** Accepts documents for signature. */
@scoped(Lifecycle.ContainerScoped)
class SigningService implements Signing {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(ConnectionService) private readonly connections: ConnectionService,
  ) {}

  async prepare(request: SigningRequest, now: Date): Promise<SigningPlan> {
    const {
      submitters = [],
      expiresAt: text,
      redirectUrl,
    } = request.esignSettings ?? {};
    const { expiresAt, problems } = parseRequestExpiry(text, now);
    const candidates = mergeCandidates(submitters, []);
    assertNoProblems([
      ...candidates.flatMap(checkCandidate),
      ...checkDuplicateRoles(candidates),
      ...problems,
      ...checkRedirect(redirectUrl, "$.esignSettings.redirectUrl"),
    ]);
    const connection = await this.#chooseConnection(request);
    const prepared = { request, connection, expiresAt, now };
    return {
      settle: (merged) =>
        createSigningOrder(this.queue, planRequest(prepared, merged)),
    };
  }

  async startNow(
    organizationId: string,
    id: string,
    { at, signal }: Deadline,
  ): Promise<SignatureView> {
    this.nudge();
    const until = Math.min(at, clock.now() + startWaitMs);
    for (;;) {
      const view = await this.view(organizationId, id);
      const isOver = signal.aborted || clock.now() + pollMs >= until;
      if (view.status !== "starting" || isOver) return view;
      await clock.sleep(pollMs);
    }
  }

  async view(organizationId: string, id: string): Promise<SignatureView> {
    return toSignatureView(
      await findRequest(this.store.read, organizationId, id),
    );
  }

  nudge(): void {
    this.queue.nudge(SIGNATURE_JOB);
  }

  /**
   * The connection in the request, or in the template, or the organization's only one.
   * @throws PlatenError `invalid_request` for one that cannot be used, with the reason.
   */
  async #chooseConnection({
    organizationId,
    esignConnection,
    connection,
  }: SigningRequest): Promise<EsignConnection> {
    const inTemplate = connection?.esignConnection;
    const id =
      esignConnection ??
      inTemplate ??
      (await this.#findOnlyConnection(organizationId));
    try {
      return await this.connections.openEsign(organizationId, id);
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      const path =
        esignConnection === undefined && inTemplate !== undefined
          ? "$.schema[0].connection.esignConnection"
          : "$.esignConnection";
      const quotedId = JSON.stringify(id.slice(0, 100));
      const isUnknown = error.code === "not_found";
      const message = isUnknown
        ? `${quotedId} is not an e-signature connection of the organization.`
        : error.message;
      const listed = isUnknown
        ? listConnections(await this.#findConnections(organizationId))
        : "";
      const hint = listed === "" ? undefined : `Set one of them: ${listed}.`;
      return rejectSigning(
        [toProblem(path, "connection", message, hint)],
        error,
      );
    }
  }

  #findConnections(
    organizationId: string,
  ): Promise<Pick<Connection, "id" | "name">[]> {
    return this.store.read.find(Connection, {
      where: { organizationId, kind: "esign" },
      select: { id: true, name: true },
      order: { createdAt: "ASC", id: "ASC" },
      take: 20,
    });
  }

  async #findOnlyConnection(organizationId: string): Promise<string> {
    const all = await this.#findConnections(organizationId);
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
    const listed = listConnections(all);
    return rejectSigning([
      toProblem(
        "$.esignConnection",
        "which_connection",
        "the organization has several connections to e-signature providers.",
        `Set one of them: ${listed}.`,
      ),
    ]);
  }
}

provide(SIGNING, (c) => {
  registerSignatureMetrics(c.resolve(METRICS), c.resolve(STORE));
  return c.resolve(SigningService);
});

function listConnections(
  all: readonly Pick<Connection, "id" | "name">[],
): string {
  return all.map(({ id, name }) => `${id} ("${name}")`).join(", ");
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
  const redirectUrl = esignSettings.redirectUrl ?? merged.redirectUrl;
  assertNoProblems([
    ...checkRedirect(redirectUrl, "$.schema[0].connection.redirectUrl"),
    ...checkCandidates(signing, merged.fields),
    ...checkOrders(orders, connection.provider),
    ...checkExpiry(expiresAt, capabilities, title),
  ]);
  return {
    organizationId,
    createdById,
    connection,
    submitters: signing.map((candidate, at) =>
      toSubmitter(candidate, orders[at] ?? 0),
    ),
    message: mergeMessages(merged.message, esignSettings.message),
    redirectUrl: redirectUrl === null ? null : new URL(redirectUrl).href,
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
  { title, capabilities }: EsignConnection["provider"],
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

function toSubmitter(candidate: Candidate, order: number): RequestSubmitter {
  const { role, email, name = null, values = {} } = candidate;
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
  queue: Pick<Queue, "enqueue">,
  planned: PlannedRequest,
): SigningOrder {
  return {
    /** A request that the provider would certainly reject is written as `failed`, since the document exists anyway. */
    async record(tx, document) {
      const { documentId, pdf } = document;
      const row = await createRow(tx, planned, document);
      await insertRow(tx, SignatureRequest, row);
      if (row.status === "failed") return row.id;
      const { storageKey } = pdf;
      const keptFile = { storageKey, documentId, keepUntil: null };
      await insertRow(tx, KeptFile, keptFile);
      await queue.enqueue(tx, [toSignatureJob(row)]);
      return row.id;
    },
  };
}

async function createRow(
  tx: EntityManager,
  { connection, submitters, warnings, redirectUrl, ...planned }: PlannedRequest,
  { documentId, title, fileName, pdf, pages, boxes }: DocumentToSign,
): Promise<SignatureRequest> {
  const now = clock.date();
  const { id: provider, title: name, capabilities } = connection.provider;
  const { storageKey, sizeBytes } = pdf;
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
    source: hasFailed
      ? null
      : {
          storageKey,
          fileName,
          pages,
          ...(redirectUrl !== null && { redirectUrl }),
        },
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

type SignField = MergedSigning["fields"][number];

const emailSchema = z.email();
const maxEmailLength = 254;
const maxNameLength = 255;
const maxSubmitters = 50;
const maxFields = 1000;
const dayMs = 24 * 60 * 60_000;
/** Databases support no later year than 9999. */
const latest = Date.UTC(9999, 0);

/** A possible signer. */
interface Candidate extends NamedSubmitter {
  /** Where the signer is named, as a JSON path. */
  path: string;
  /** Named by the request, and not only by the template and the record. */
  isRequested: boolean;
}

/** The signers of request and template, each role once. The request's values win over the template's, key by key. */
function mergeCandidates(
  requested: readonly NamedSubmitter[],
  fromTemplate: readonly NamedSubmitter[],
): Candidate[] {
  const byRole = new Map(
    requested.map((submitter) => [submitter.role, submitter]),
  );
  const toRequested = (
    submitter: NamedSubmitter,
    values: NamedSubmitter,
  ): Candidate => {
    const path = `$.esignSettings.submitters[${requested.indexOf(submitter)}]`;
    return { ...values, path, isRequested: true };
  };
  const template = fromTemplate.flatMap((submitter, index): Candidate[] => {
    const request = byRole.get(submitter.role);
    if (request === undefined) {
      const path = `$.schema[0].connection.submitters[${index}]`;
      return [
        { ...submitter, path: submitter.path ?? path, isRequested: false },
      ];
    }
    const first = fromTemplate.find(({ role }) => role === submitter.role);
    if (first !== submitter) return [];
    const values = { ...submitter.values, ...request.values };
    const name = request.name ?? submitter.name;
    const order = request.order ?? submitter.order;
    return [toRequested(request, { ...request, name, order, values })];
  });
  const added = requested
    .filter(({ role }) =>
      fromTemplate.every((submitter) => submitter.role !== role),
    )
    .map((submitter) => toRequested(submitter, submitter));
  return [...template, ...added];
}

/** Everything that prevents these people from signing these fields. */
function checkCandidates(
  candidates: readonly Candidate[],
  fields: readonly SignField[],
): Problem[] {
  if (fields.length === 0)
    return [
      toProblem(
        "$.components",
        "no_sign_field",
        "the document has no sign-field, so there is nothing to sign.",
        "Add a sign-field to the template, or leave out sendForSignature.",
      ),
    ];
  return [
    ...checkCount("sign-fields", fields.length, maxFields),
    ...checkCount("submitters", candidates.length, maxSubmitters),
    ...checkDuplicateRoles(candidates),
    ...candidates.flatMap(checkCandidate),
    ...checkRoles(candidates, fields),
  ];
}

/** What can be checked before the document is known. */
function checkCandidate(candidate: Candidate): Problem[] {
  const { path, role, email, order, name = "" } = candidate;
  const problems: Problem[] = [];
  if (email.length > maxEmailLength || !emailSchema.safeParse(email).success) {
    const quotedEmail = JSON.stringify(email.slice(0, 100));
    const message = `${quotedEmail} of the role "${role}" is not a valid email address.`;
    problems.push(toProblem(`${path}.email`, "email", message));
  }
  if (order !== undefined && !Number.isFinite(order))
    problems.push(toProblem(`${path}.order`, "order", "must be a number."));
  if (name.length > maxNameLength) {
    const message = `must have at most ${maxNameLength} characters.`;
    problems.push(toProblem(`${path}.name`, "name", message));
  }
  if (role.trim() === "")
    problems.push(toProblem(`${path}.role`, "role", "must not be empty."));
  return problems;
}

function checkDuplicateRoles(candidates: readonly Candidate[]): Problem[] {
  return candidates
    .filter(({ role }, index) =>
      candidates.slice(0, index).some((other) => other.role === role),
    )
    .map(({ role, path }) =>
      toProblem(
        `${path}.role`,
        "duplicate_role",
        `the role "${role}" is named twice; each role has one signer.`,
        'Give each a role of its own; signers of a collection by a Template, such as "Party {{ submitter.number }}".',
      ),
    );
}

/**
 * Roles without a signer, and requested signers without a field. A signer whom only the template names may have no
 * field, since a condition may have hidden it.
 */
function checkRoles(
  candidates: readonly Candidate[],
  fields: readonly SignField[],
): Problem[] {
  const named = new Set(candidates.map(({ role }) => role));
  const roles = [...new Set(fields.map(({ role }) => role))];
  const unsigned = roles
    .filter((role) => !named.has(role))
    .map((role) =>
      toProblem(
        "$.esignSettings.submitters",
        "role_without_submitter",
        `no signer is named for the role "${role}", for which the document has fields.`,
        `Name one here, or in the template's connection.submitters.${suggestRole(role, candidates)}`,
      ),
    );
  const withoutField = candidates
    .filter(({ role, isRequested }) => isRequested && !roles.includes(role))
    .map(({ role, path }) =>
      toProblem(
        `${path}.role`,
        "submitter_without_field",
        `the document has no field for the role "${role}".`,
        `Its roles are: ${roles.map((fieldRole) => `"${fieldRole}"`).join(", ")}.`,
      ),
    );
  return [...unsigned, ...withoutField];
}

function suggestRole(role: string, candidates: readonly Candidate[]): string {
  const similar = candidates.find(
    (candidate) => normalize(candidate.role) === normalize(role),
  );
  return similar
    ? ` There is one for "${similar.role}": did you mean that?`
    : "";
}

function normalize(text: string): string {
  return text.trim().toLowerCase();
}

function checkCount(what: string, count: number, max: number): Problem[] {
  if (count <= max) return [];
  const message = `there are ${count} ${what}; a request can have at most ${max}.`;
  return [toProblem("$", "too_many", message)];
}

/** The expiry in the request; null leaves it to the template. */
function parseRequestExpiry(
  text: string | undefined,
  now: Date,
): { expiresAt: Date | null; problems: Problem[] } {
  if (text === undefined) return { expiresAt: null, problems: [] };
  try {
    return { expiresAt: parseExpiry(text, now), problems: [] };
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    const path = "$.esignSettings.expiresAt";
    const problems = error.problems.map((problem) => ({ ...problem, path }));
    return { expiresAt: null, problems };
  }
}

function getTemplateExpiry(days: number | null, now: Date): Date | null {
  if (days === null) return null;
  return new Date(Math.min(now.getTime() + days * dayMs, latest));
}

/** A request that its provider does not expire by itself must be withdrawn there, which the provider must support. */
function checkExpiry(
  expiresAt: Date | null,
  { expiry, cancel }: Pick<EsignCapabilities, "expiry" | "cancel">,
  title: string,
): Problem[] {
  if (expiresAt === null || expiry !== "none" || cancel) return [];
  return [
    toProblem(
      "$.esignSettings.expiresAt",
      "expiry",
      `${title} can neither expire a request by itself nor withdraw one.`,
      "Leave it out.",
    ),
  ];
}

const maxRedirectLength = 2000;

/** The address may come from data: only a web page of http or https may open in a signer's browser. */
function checkRedirect(
  redirectUrl: string | null | undefined,
  path: string,
): Problem[] {
  if (redirectUrl === null || redirectUrl === undefined) return [];
  const isWebPage =
    redirectUrl.length <= maxRedirectLength &&
    URL.canParse(redirectUrl) &&
    /^https?:$/.test(new URL(redirectUrl).protocol);
  if (isWebPage) return [];
  const quotedUrl = JSON.stringify(redirectUrl.slice(0, 100));
  return [
    toProblem(
      path,
      "redirect",
      `${quotedUrl} is not the address of a web page.`,
      `Write a complete address of at most ${maxRedirectLength} characters, such as https://example.com/signed.`,
    ),
  ];
}

/** @throws PlatenError `invalid_request` with all problems, if there are any. */
function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) rejectSigning(problems);
}

/** @throws PlatenError `invalid_request`, always. */
function rejectSigning(problems: readonly Problem[], cause?: Error): never {
  throw new PlatenError(
    "invalid_request",
    "The document cannot be sent for signature.",
    { problems, ...(cause && { cause }) },
  );
}

function toProblem(
  path: string,
  code: string,
  message: string,
  hint?: string,
): Problem {
  return { path, code, message, ...(hint !== undefined && { hint }) };
}
