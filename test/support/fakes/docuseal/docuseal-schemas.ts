import { strictObject } from "../esign/provider-server.js";

// What DocuSeal's API takes, closed: https://www.docuseal.com/docs/api and the types of @docuseal/api 1.0.25.

const text = { type: "string", minLength: 1 };
const part = { type: "number", minimum: 0, maximum: 1 };

const area = strictObject(
  { x: part, y: part, w: part, h: part, page: { type: "integer", minimum: 1 } },
  { option: text },
);

const field = strictObject(
  {
    name: text,
    type: {
      enum: [
        "heading",
        "text",
        "signature",
        "initials",
        "date",
        "number",
        "image",
        "checkbox",
        "multiple",
        "file",
        "radio",
        "select",
        "cells",
        "stamp",
        "payment",
        "phone",
        "verification",
        "kba",
        "strikethrough",
      ],
    },
    role: text,
    areas: { type: "array", items: area, minItems: 1 },
  },
  {
    required: { type: "boolean" },
    title: text,
    description: text,
    options: { type: "array", items: text },
  },
);

const document = strictObject(
  { name: text, file: { type: "string", pattern: "^[A-Za-z0-9+/]+=*$" } },
  {
    fields: { type: "array", items: field },
    position: { type: "integer", minimum: 0 },
  },
);

const message = strictObject({}, { subject: text, body: text });

const submitter = strictObject(
  { role: text, email: { type: "string", format: "email" } },
  {
    name: text,
    phone: text,
    values: { type: "object" },
    external_id: text,
    completed: { type: "boolean" },
    metadata: { type: "object" },
    send_email: { type: "boolean" },
    send_sms: { type: "boolean" },
    reply_to: text,
    completed_redirect_url: text,
    order: { type: "integer", minimum: 0 },
    message,
  },
);

/** `POST /submissions/pdf` */
export const newSubmission = strictObject(
  {
    documents: { type: "array", items: document, minItems: 1 },
    submitters: { type: "array", items: submitter, minItems: 1 },
  },
  {
    name: text,
    send_email: { type: "boolean" },
    send_sms: { type: "boolean" },
    order: { enum: ["preserved", "random"] },
    completed_redirect_url: text,
    bcc_completed: text,
    reply_to: text,
    expire_at: {
      type: "string",
      pattern: String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$`,
    },
    message,
    flatten: { type: "boolean" },
    merge_documents: { type: "boolean" },
    remove_tags: { type: "boolean" },
  },
);

/** `PUT /submitters/:id`, as far as it is used. */
export const submitterChange = strictObject(
  {},
  {
    name: text,
    email: text,
    values: { type: "object" },
    external_id: text,
    send_email: { type: "boolean" },
    message,
  },
);
