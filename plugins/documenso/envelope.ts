import * as z from "zod";
import {
  type FieldBox,
  PlatformError,
  type RequestState,
  type SignFieldType,
  type Signer,
  type SignerStatus,
  type SignRequest,
  type Submitter,
} from "../../core/plugin-api/index.js";
import type { EsignCredentials } from "../lib/esign-server.js";
import { decodeUriText } from "../lib/http-api.js";
import { getSigningUrl } from "./client.js";

// A signature request as a Documenso envelope: how it is created, and what its state means.

const dayMs = 24 * 60 * 60 * 1000;
const maxTitleLength = 255;
const maxExternalIdLength = 255;

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

export const supportedFields: readonly SignFieldType[] =
  Object.keys(fieldTypes).filter(isDocumensoField);

/** The `payload` of `POST /envelope/create`. */
export function createEnvelopeBody(
  request: SignRequest,
  { sendEmail, now }: { sendEmail: boolean; now: Date },
): Record<string, unknown> {
  const { title, requestId, submitters, fields, expiresAt, message } = request;
  const isOrdered = submitters.some(({ order }) => order > 0);
  return {
    type: "DOCUMENT",
    title: title.slice(0, maxTitleLength),
    externalId: createExternalId(requestId, submitters),
    recipients: submitters.map((one) => createRecipient(one, fields)),
    meta: {
      distributionMethod: sendEmail ? "EMAIL" : "NONE",
      signingOrder: isOrdered ? "SEQUENTIAL" : "PARALLEL",
      ...(message?.subject !== undefined && { subject: message.subject }),
      ...(message?.body !== undefined && { message: message.body }),
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

export function belongsToRequest(
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

/** An envelope as the API returns it. */
export const envelopeSchema = z.looseObject({
  id: z.string(),
  status: z.enum(["DRAFT", "PENDING", "COMPLETED", "REJECTED", "CANCELLED"]),
  externalId: z.string().nullable(),
  recipients: z.array(recipientSchema),
  envelopeItems: z.array(z.looseObject({ id: z.string() })).optional(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

const finalStatuses = {
  COMPLETED: "completed",
  REJECTED: "declined",
  CANCELLED: "canceled",
} as const;

/** Documenso has no status for an expired envelope, only the expiry of its recipients. */
export function toRequestState(
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
    signers: recipients.map((one, at) =>
      toSigner(one, roleNames[at] ?? "", credentials),
    ),
  };
}

/** The recipients who can sign now. */
export function findDueRecipients(envelope: Envelope): Recipient[] {
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
