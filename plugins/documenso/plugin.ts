import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import {
  clock,
  type EsignProvider,
  type Notice,
  PlatformError,
  type RawNotice,
  type RequestState,
  type SignRequest,
  type EsignContext,
  type FieldBox,
  type SignFieldType,
  type Signer,
  type SignerStatus,
  type Submitter,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import {
  createSignedFile,
  type EsignCredentials,
  warnAboutWebhooks,
  createRefusal,
  isPdf,
} from "../lib/esign-server.js";
import {
  parseJson,
  readReply,
  type ReplyErrors,
  sendForm,
  decodeUriText,
} from "../lib/http-api.js";
import { credentialsSchema } from "./credentials.js";

type Context = EsignContext<EsignCredentials>;

const fieldTypes = {
  signature: "SIGNATURE",
  initials: "INITIALS",
  date: "DATE",
  text: "TEXT",
  checkbox: "CHECKBOX",
  select: "DROPDOWN",
  number: "NUMBER",
} as const satisfies Partial<Record<SignFieldType, string>>;

type DocumensoField = keyof typeof fieldTypes;

function isDocumensoField(type: string): type is DocumensoField {
  return Object.hasOwn(fieldTypes, type);
}

const supportedFields: readonly SignFieldType[] =
  Object.keys(fieldTypes).filter(isDocumensoField);

/** Documenso 2: its cloud, or a self-hosted server. */
export const documensoPlugin: EsignProvider<EsignCredentials> = {
  meta: createMeta("esign", "documenso", "Documenso"),
  credentials: { schema: credentialsSchema },
  capabilities: {
    order: true,
    values: true,
    expiry: "days",
    message: true,
    redirect: true,
    cancel: true,
    resend: true,
    noticeProof: "secret",
    fields: supportedFields,
    maxFileBytes: 50 * 1024 * 1024,
  },
  rate: {
    key: (credentials) => `${getServerUrl(credentials)} ${credentials.apiKey}`,
    // Documenso allows 100 per minute.
    maxPerMinute: 90,
    maxInFlight: 4,
    cooldownMs: 10_000,
  },
  async check(context) {
    const list = z.looseObject({ data: z.array(z.unknown()) });
    await send(context, "/envelope?perPage=1", list);
    return { warnings: warnAboutWebhooks("Documenso", context.credentials) };
  },

  /**
   * Takes two calls: one creates a draft with its recipients and fields, one sends it. A draft that an earlier attempt left
   * between them, or after a lost reply, is found by the request's id and sent, so that there is never a second one.
   */
  async start(context, request) {
    const existing = await findEnvelope(context, request.requestId);
    const id = existing?.id ?? (await createDraft(context, request));
    if (existing === null || existing.status === "DRAFT")
      await sendDraft(context, id);
    const envelope = await readEnvelope(context, id).catch((cause: unknown) => {
      // The request was sent: from here on, a failure must not look like a refusal.
      throw new PlatformError(
        "unavailable",
        "The request was sent, but its state could not be read.",
        { cause },
      );
    });
    return {
      ...toRequestState(envelope, context.credentials, clock.date()),
      warnings: listDifferences(request),
    };
  },

  /** Ignores a draft: its signers do not know of it, and the next `start` sends it. */
  async find(context, requestId) {
    const envelope = await findEnvelope(context, requestId);
    if (envelope === null || envelope.status === "DRAFT") return null;
    return toRequestState(envelope, context.credentials, clock.date());
  },

  async status(context, externalId) {
    const envelope = await readEnvelope(context, externalId);
    return toRequestState(envelope, context.credentials, clock.date());
  },

  async download(context, externalId) {
    const { envelopeItems = [] } = await readEnvelope(context, externalId);
    const [item] = envelopeItems;
    if (!item)
      throw new PlatformError(
        "not_found",
        "The envelope no longer contains a PDF.",
      );
    const path = `/envelope/item/${encodeURIComponent(item.id)}/download?version=signed`;
    const signed = await fetchPdf(context, path);
    const audit = await fetchAuditTrail(context, externalId);
    return [
      createSignedFile("signed", signed),
      ...(audit ? [createSignedFile("audit", audit)] : []),
    ];
  },

  async cancel(context, envelopeId) {
    const envelope = await readEnvelope(context, envelopeId);
    if (envelope.status === "CANCELLED") return;
    const body = { envelopeId };
    await send(context, "/envelope/cancel", z.unknown(), body);
  },

  async resend(context, envelopeId) {
    const due = findDueRecipients(await readEnvelope(context, envelopeId));
    if (due.length === 0) return;
    const recipients = due.map(({ id }) => id);
    const body = { envelopeId, recipients };
    await send(context, "/envelope/redistribute", z.unknown(), body);
  },

  parseNotice,
};

/** What Documenso does in another way than the request asks, as messages for users. */
function listDifferences({ submitters, fields }: SignRequest): string[] {
  const orders = submitters.map(({ order }) => order);
  const groupCount = new Set(orders).size;
  const places = new Map<string, { name: string; count: number }>();
  for (const { role, name, type } of fields) {
    if (signedTypes.includes(type)) continue;
    const key = JSON.stringify([role, name]);
    const { count } = places.get(key) ?? { count: 0 };
    places.set(key, { name, count: count + 1 });
  }
  return [
    ...(groupCount > 1 && groupCount < orders.length
      ? [
          "Documenso asks signers strictly one after the other, even those of the same group.",
        ]
      : []),
    ...[...places.values()]
      .filter(({ count }) => count > 1)
      .map(
        ({ name }) =>
          `Documenso asks for "${name}" at each of its places: it does not copy the answer.`,
      ),
  ];
}

/** Filled in by Documenso itself, or in the same way at each place. */
const signedTypes: readonly SignFieldType[] = ["signature", "initials", "date"];

const envelopeList = z.looseObject({
  data: z.array(
    z.looseObject({ id: z.string(), externalId: z.string().nullish() }),
  ),
});

async function createDraft(
  context: Context,
  request: SignRequest,
): Promise<string> {
  const { sendEmail = true } = context.credentials;
  const payload = createEnvelopeBody(request, { sendEmail, now: clock.date() });
  const { name, bytes } = request.pdf;
  const form = new FormData();
  form.append("payload", JSON.stringify(payload));
  const file = new Blob([Buffer.from(bytes)], { type: "application/pdf" });
  form.append("files", file, `${name}.pdf`);
  const url = getApiUrl(context, "/envelope/create");
  const reply = await sendForm(context, url, form, {
    authorization: context.credentials.apiKey,
    accept: "application/json",
  });
  const created = z.looseObject({ id: z.string() });
  return readReply(reply, created, replyErrors).id;
}

/** Deletes a draft that Documenso refuses to send. */
async function sendDraft(context: Context, envelopeId: string): Promise<void> {
  const body = { envelopeId };
  try {
    await send(context, "/envelope/distribute", z.unknown(), body);
  } catch (error) {
    const isFinal = error instanceof PlatformError && !error.retryable;
    // If this fails too, an unsent draft remains that can be deleted by hand.
    if (isFinal)
      await send(context, "/envelope/delete", z.unknown(), body).catch(
        () => undefined,
      );
    throw error;
  }
}

/** The envelope of a request, drafts included; the oldest when others have copied it. */
async function findEnvelope(
  context: Context,
  requestId: string,
): Promise<Envelope | null> {
  const query = new URLSearchParams({
    query: requestId,
    type: "DOCUMENT",
    perPage: "100",
    orderByColumn: "createdAt",
    orderByDirection: "asc",
  });
  const path = `/envelope?${query.toString()}`;
  const { data } = await send(context, path, envelopeList);
  const first = data.find((envelope) =>
    belongsToRequest(envelope.externalId, requestId),
  );
  return first ? readEnvelope(context, first.id) : null;
}

/** Documenso renamed the path in 2026: older servers answer 404 to the first one, newer ones to the second. */
const auditTrailPaths = ["audit-log/download", "audit-log/pdf"];

/** Returns null, and says so in the log, when the server offers it at none of its paths. */
async function fetchAuditTrail(
  context: Context,
  externalId: string,
): Promise<Uint8Array | null> {
  for (const path of auditTrailPaths)
    try {
      return await fetchPdf(
        context,
        `/envelope/${encodeURIComponent(externalId)}/${path}`,
      );
    } catch (error) {
      const isMissing =
        error instanceof PlatformError && error.code === "not_found";
      if (!isMissing) throw error;
    }
  context.log.warn(
    { envelopeId: externalId, paths: auditTrailPaths },
    "This Documenso server has no audit log to download, so the signed document is stored without it.",
  );
  return null;
}

function readEnvelope(context: Context, id: string): Promise<Envelope> {
  const path = `/envelope/${encodeURIComponent(id)}`;
  return send(context, path, envelopeSchema);
}

/** Servers before 2.3 name only a number that the API does not accept; their requests are polled. */
const noticeSchema = z.object({
  event: z.string().startsWith("DOCUMENT_"),
  payload: z.object({ envelopeId: z.string().min(1) }),
});

/** The header carries the secret itself: it proves the sender, but not the body. */
function parseNotice(
  { webhookSecret }: EsignCredentials,
  { body, headers }: RawNotice,
): Notice | null {
  const sent = headers["x-documenso-secret"];
  if (!webhookSecret || !sent) return null;
  // Digests have the same length, which timingSafeEqual requires.
  if (!timingSafeEqual(digest(sent), digest(webhookSecret))) return null;
  const notice = noticeSchema.safeParse(parseJson(body)).data;
  return notice ? { externalId: notice.payload.envelopeId } : null;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The server's address, without a trailing slash. */
function getServerUrl({
  url = "https://app.documenso.com",
}: EsignCredentials): string {
  return url.replace(/\/+$/, "");
}

function getSigningUrl(credentials: EsignCredentials, token: string): string {
  return `${getServerUrl(credentials)}/sign/${token}`;
}

/** Sends a GET request, or a POST request with `json`. @throws PlatformError. */
async function send<T>(
  context: Context,
  path: string,
  schema: z.ZodType<T>,
  json?: unknown,
): Promise<T> {
  const reply = await context.json(getApiUrl(context, path), {
    headers: { authorization: context.credentials.apiKey },
    ...(json !== undefined && { json }),
  });
  return readReply(reply, schema, replyErrors);
}

/** @throws PlatformError `unavailable` for anything but a PDF. */
async function fetchPdf(context: Context, path: string): Promise<Uint8Array> {
  const { status, body } = await context.http(getApiUrl(context, path), {
    headers: { authorization: context.credentials.apiKey },
  });
  if (status !== 200) throw refused(status, parseJson(body));
  if (isPdf(body)) return body;
  throw new PlatformError("unavailable", replyErrors.unexpected, { status });
}

function getApiUrl({ credentials }: Context, path: string): string {
  return `${getServerUrl(credentials)}/api/v2${path}`;
}

const errorReply = z.looseObject({ message: z.string() });

const replyErrors: ReplyErrors = {
  refused,
  unexpected:
    "The server sent an unexpected response. Check that the address is that of a Documenso server of version 2.",
};

function refused(status: number, body: unknown): PlatformError {
  return createRefusal(status, errorReply.safeParse(body).data?.message, {
    401: "The API token is not valid. Create a new one in the team's settings.",
    403: "The API token lacks a permission for this. Use the token of a member who may manage documents.",
  });
}

// A signature request as a Documenso envelope: how it is created, and what its state means.

const dayMs = 24 * 60 * 60 * 1000;
const maxTitleLength = 255;
const maxExternalIdLength = 255;

/** The `payload` of `POST /envelope/create`. */
function createEnvelopeBody(
  request: SignRequest,
  { sendEmail, now }: { sendEmail: boolean; now: Date },
): Record<string, unknown> {
  const { title, requestId, submitters, fields, expiresAt, message } = request;
  const { redirectUrl } = request;
  const isOrdered = submitters.some(({ order }) => order > 0);
  return {
    type: "DOCUMENT",
    title: title.slice(0, maxTitleLength),
    externalId: createExternalId(requestId, submitters),
    recipients: submitters.map((submitter) =>
      createRecipient(submitter, fields),
    ),
    meta: {
      distributionMethod: sendEmail ? "EMAIL" : "NONE",
      signingOrder: isOrdered ? "SEQUENTIAL" : "PARALLEL",
      ...(message?.subject !== undefined && { subject: message.subject }),
      ...(message?.body !== undefined && { message: message.body }),
      ...(redirectUrl !== undefined && { redirectUrl }),
      ...(expiresAt && {
        envelopeExpirationPeriod: {
          unit: "day",
          amount: Math.max(
            1,
            Math.ceil((expiresAt.getTime() - now.getTime()) / dayMs),
          ),
        },
      }),
    },
  };
}

function createRecipient(
  { role, email, name = "", order, values = {} }: Submitter,
  fields: readonly FieldBox[],
) {
  return {
    email,
    name,
    role: "SIGNER",
    signingOrder: order + 1,
    fields: fields
      .filter((field) => field.role === role)
      .map((field) => createField(field, values[field.name])),
  };
}

function createField(field: FieldBox, value: unknown) {
  const { page, x, y, w, h } = field;
  const type = isDocumensoField(field.type) ? field.type : "text";
  const fieldMeta = createFieldMeta(field, type, value);
  return {
    identifier: 0,
    type: fieldTypes[type],
    page,
    positionX: x * 100,
    positionY: y * 100,
    width: w * 100,
    height: h * 100,
    ...(fieldMeta && { fieldMeta }),
  };
}

/** The signer sees the label. A signature has none and is always required. */
function createFieldMeta(
  { name: label, required, options = [] }: FieldBox,
  type: DocumensoField,
  value: unknown,
) {
  const text =
    typeof value === "string" || typeof value === "number"
      ? String(value)
      : null;
  const base = { label, required };
  switch (type) {
    case "signature":
      return null;
    case "select":
      return {
        type: "dropdown",
        ...base,
        values: options.map((option) => ({ value: option })),
        ...(text !== null && options.includes(text) && { defaultValue: text }),
      };
    case "checkbox": {
      const box = { id: 1, checked: value === true, value: label };
      return { type, ...base, values: [box] };
    }
    case "text":
      return { type, ...base, ...(text !== null && { text }) };
    case "number":
      return { type, ...base, ...(text !== null && { value: text }) };
    default:
      return { type, ...base };
  }
}

/**
 * The id by which an envelope is found again: the request's id and the roles of its recipients in their order, which
 * Documenso does not store. @throws PlatformError `invalid_field` when the names of the roles are too long.
 */
function createExternalId(
  requestId: string,
  submitters: readonly Submitter[],
): string {
  const roles = submitters.map(({ role }) => encodeURIComponent(role));
  const id = `${requestId}:${roles.join(",")}`;
  if (id.length <= maxExternalIdLength) return id;
  throw new PlatformError(
    "invalid_field",
    "The names of the signers' roles are too long in total. Shorten them in the template.",
  );
}

function belongsToRequest(
  externalId: string | null | undefined,
  requestId: string,
): boolean {
  return externalId?.startsWith(`${requestId}:`) ?? false;
}

const recipientSchema = z.looseObject({
  id: z.number(),
  token: z.string(),
  signingStatus: z.enum(["NOT_SIGNED", "SIGNED", "REJECTED"]),
  sendStatus: z.enum(["NOT_SENT", "SENT"]),
  readStatus: z.enum(["NOT_OPENED", "OPENED"]),
  rejectionReason: z.string().nullish(),
  expiresAt: z.string().nullish(),
});
type Recipient = z.infer<typeof recipientSchema>;

const envelopeSchema = z.looseObject({
  id: z.string(),
  status: z.enum(["DRAFT", "PENDING", "COMPLETED", "REJECTED", "CANCELLED"]),
  externalId: z.string().nullable(),
  recipients: z.array(recipientSchema),
  envelopeItems: z.array(z.looseObject({ id: z.string() })).optional(),
});
type Envelope = z.infer<typeof envelopeSchema>;

const finalStatuses = {
  COMPLETED: "completed",
  REJECTED: "declined",
  CANCELLED: "canceled",
} as const;

/** Documenso has no status for an expired envelope, only the expiry of its recipients. */
function toRequestState(
  envelope: Envelope,
  credentials: EsignCredentials,
  now: Date,
): RequestState {
  const { id, status, externalId } = envelope;
  const [, roles = ""] = (externalId ?? "").split(":");
  const roleNames = roles.split(",").map(decodeUriText);
  const recipients = sortRecipients(envelope);
  const isExpired = recipients.some(
    ({ signingStatus, expiresAt }) =>
      signingStatus === "NOT_SIGNED" &&
      typeof expiresAt === "string" &&
      new Date(expiresAt) <= now,
  );
  const openStatus = isExpired ? "expired" : "pending";
  return {
    externalId: id,
    status:
      status === "DRAFT" || status === "PENDING"
        ? openStatus
        : finalStatuses[status],
    signers: recipients.map((recipient, at) =>
      toSigner(recipient, roleNames[at] ?? "", credentials),
    ),
  };
}

function findDueRecipients(envelope: Envelope): Recipient[] {
  return sortRecipients(envelope).filter(
    ({ sendStatus, signingStatus }) =>
      sendStatus === "SENT" && signingStatus === "NOT_SIGNED",
  );
}

/** Sorts by creation, which is the order of the roles. */
function sortRecipients({ recipients }: Envelope): Recipient[] {
  return recipients.toSorted((a, b) => a.id - b.id);
}

function toSigner(
  recipient: Recipient,
  role: string,
  credentials: EsignCredentials,
): Signer {
  const { id, token, rejectionReason: reason } = recipient;
  return {
    role,
    externalId: String(id),
    url: getSigningUrl(credentials, token),
    status: getSignerStatus(recipient),
    ...(reason && { reason }),
  };
}

function getSignerStatus(recipient: Recipient): SignerStatus {
  if (recipient.signingStatus === "SIGNED") return "completed";
  if (recipient.signingStatus === "REJECTED") return "declined";
  if (recipient.readStatus === "OPENED") return "opened";
  return recipient.sendStatus === "SENT" ? "sent" : "waiting";
}
