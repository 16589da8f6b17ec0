import type {
  FieldBox,
  SignFieldType,
  SignRequest,
  Submitter,
} from "../../core/plugin-api/index.js";
import { externalIdOf } from "./external-id.js";

const dayMs = 24 * 60 * 60 * 1000;
const longestTitle = 255;

export const documensoTypes = {
  signature: "SIGNATURE",
  initials: "INITIALS",
  date: "DATE",
  text: "TEXT",
  checkbox: "CHECKBOX",
  select: "DROPDOWN",
  number: "NUMBER",
} as const satisfies Partial<Record<SignFieldType, string>>;

export type DocumensoField = keyof typeof documensoTypes;

/** What `POST /envelope/create` takes beside the file. */
export function envelopeBody(
  request: SignRequest,
  { sendEmail, now }: { sendEmail: boolean; now: Date },
): Record<string, unknown> {
  const { title, requestId, submitters, fields } = request;
  return {
    type: "DOCUMENT",
    title: title.slice(0, longestTitle),
    externalId: externalIdOf(requestId, submitters),
    recipients: submitters.map((one) => recipientOf(one, fields)),
    meta: metaOf(request, sendEmail, now),
  };
}

function metaOf(
  { expiresAt, message, submitters }: SignRequest,
  sendEmail: boolean,
  now: Date,
) {
  const isOrdered = submitters.some(({ order }) => order > 0);
  return {
    distributionMethod: sendEmail ? "EMAIL" : "NONE",
    signingOrder: isOrdered ? "SEQUENTIAL" : "PARALLEL",
    ...(message?.subject !== undefined && { subject: message.subject }),
    ...(message?.body !== undefined && { message: message.body }),
    ...(expiresAt && { envelopeExpirationPeriod: daysUntil(expiresAt, now) }),
  };
}

function daysUntil(time: Date, now: Date) {
  const days = Math.ceil((time.getTime() - now.getTime()) / dayMs);
  return { unit: "day", amount: Math.max(1, days) };
}

function recipientOf(
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
      .map((field) => fieldOf(field, values[field.name])),
  };
}

function fieldOf(field: FieldBox, value: unknown) {
  const { page, x, y, w, h, type } = field;
  const known = isDocumensoField(type) ? type : "text";
  const meta = metaOfField(field, known, value);
  return {
    identifier: 0,
    type: documensoTypes[known],
    page,
    positionX: x * 100,
    positionY: y * 100,
    width: w * 100,
    height: h * 100,
    ...(meta && { fieldMeta: meta }),
  };
}

export function isDocumensoField(type: string): type is DocumensoField {
  return Object.hasOwn(documensoTypes, type);
}

/** Its name is what the signer reads; a signature has none, and is always required. */
function metaOfField(
  { name: label, required, options = [] }: FieldBox,
  type: DocumensoField,
  value: unknown,
) {
  if (type === "signature") return null;
  const text = textOf(value);
  const base = { label, required };
  if (type === "select")
    return {
      type: "dropdown",
      ...base,
      values: options.map((option) => ({ value: option })),
      ...(text !== null && options.includes(text) && { defaultValue: text }),
    };
  if (type === "checkbox") {
    const box = { id: 1, checked: value === true, value: label };
    return { type, ...base, values: [box] };
  }
  const filled = { text: { text }, number: { value: text } };
  const own = type === "text" || type === "number" ? filled[type] : {};
  return { type, ...base, ...(text !== null && own) };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number"
    ? String(value)
    : null;
}
