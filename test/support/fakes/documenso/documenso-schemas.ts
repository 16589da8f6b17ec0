import { strictObject } from "../esign/strict-schemas.js";

// What Documenso's API v2 takes, closed: packages/trpc/server/envelope-router of documenso/documenso.

const text = { type: "string" };
const named = { type: "string", minLength: 1 };
const percent = { type: "number", minimum: 0, maximum: 100 };

const meta = strictObject(
  {
    type: {
      enum: ["initials", "date", "text", "number", "checkbox", "dropdown"],
    },
  },
  {
    label: text,
    placeholder: text,
    required: { type: "boolean" },
    readOnly: { type: "boolean" },
    text,
    value: text,
    defaultValue: text,
    values: {
      type: "array",
      items: strictObject(
        { value: text },
        { id: { type: "number" }, checked: { type: "boolean" } },
      ),
    },
  },
);

const field = strictObject(
  {
    type: {
      enum: [
        "SIGNATURE",
        "INITIALS",
        "NAME",
        "EMAIL",
        "DATE",
        "TEXT",
        "NUMBER",
        "CHECKBOX",
        "RADIO",
        "DROPDOWN",
      ],
    },
    page: { type: "integer", minimum: 1 },
    positionX: percent,
    positionY: percent,
    width: percent,
    height: percent,
  },
  { identifier: { type: ["string", "integer"] }, fieldMeta: meta },
);

const recipient = strictObject(
  {
    email: { type: "string", format: "email" },
    name: { type: "string", maxLength: 255 },
    role: { enum: ["CC", "SIGNER", "VIEWER", "APPROVER", "ASSISTANT"] },
  },
  { signingOrder: { type: "number", minimum: 1 }, fields: list(field) },
);

const settings = strictObject(
  {},
  {
    subject: { type: "string", maxLength: 254 },
    message: { type: "string", maxLength: 5000 },
    timezone: text,
    dateFormat: text,
    distributionMethod: { enum: ["EMAIL", "NONE"] },
    signingOrder: { enum: ["PARALLEL", "SEQUENTIAL"] },
    redirectUrl: text,
    language: text,
    envelopeExpirationPeriod: strictObject({
      unit: { enum: ["day", "week", "month", "year"] },
      amount: { type: "integer", minimum: 1 },
    }),
  },
);

/** The part `payload` of `POST /envelope/create`. */
export const newEnvelope = strictObject(
  { title: { ...named, maxLength: 255 }, type: { enum: ["DOCUMENT"] } },
  {
    externalId: { type: "string", maxLength: 255 },
    recipients: list(recipient),
    meta: settings,
  },
);

export const distribution = strictObject(
  { envelopeId: named },
  { meta: settings },
);

export const redistribution = strictObject({
  envelopeId: named,
  recipients: { type: "array", minItems: 1, items: { type: "integer" } },
});

export const cancellation = strictObject(
  { envelopeId: named },
  { reason: text },
);

export const deletion = strictObject({ envelopeId: named });

function list(items: object) {
  return { type: "array", items };
}
