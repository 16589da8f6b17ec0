import * as z from "zod";
import {
  type EsignProvider,
  PLUGIN_API,
  PlatformError,
  type RequestState,
  type SignedFile,
  type StartedRequest,
} from "../../core/plugin-api/index.js";
import { ask, type DocumensoContext, fetchPdf } from "./client.js";
import {
  credentialsSchema,
  type DocumensoCredentials,
  serverOf,
} from "./credentials.js";
import { dueRecipients, stateOf } from "./envelope.js";
import { documensoTypes, isDocumensoField } from "./envelope-body.js";
import { parseNotice } from "./notice.js";
import { findEnvelope, readEnvelope, start } from "./start.js";

/** Documenso 2: its cloud, or a server of one's own. */
export const documensoPlugin: EsignProvider<DocumensoCredentials> = {
  meta: {
    kind: "esign",
    id: "documenso",
    title: "Documenso",
    version: "1.0.0",
    api: PLUGIN_API,
    platen: "*",
  },
  credentials: { schema: credentialsSchema },
  capabilities: {
    order: true,
    values: true,
    expiry: "days",
    message: true,
    cancel: true,
    resend: true,
    noticeProof: "secret",
    fields: Object.keys(documensoTypes).filter(isDocumensoField),
    maxFileBytes: 50 * 1024 * 1024,
  },
  rate: {
    key: (credentials) => `${serverOf(credentials)} ${credentials.apiKey}`,
    // It takes 100 a minute.
    maxPerMinute: 90,
    maxInFlight: 4,
    cooldownMs: 10_000,
  },
  check,
  start,
  find,
  status,
  download,
  cancel,
  resend,
  parseNotice,
};

async function check(context: DocumensoContext) {
  const list = z.looseObject({ data: z.array(z.unknown()) });
  await ask(context, "/envelope?perPage=1", list);
  return context.credentials.webhookSecret === undefined
    ? {
        warnings: [
          "There is no webhook secret, so that Documenso's notices are not heard: it is asked now and then in their place.",
        ],
      }
    : {};
}

/** A draft is not there for its signers: the next start takes it up. */
async function find(
  context: DocumensoContext,
  requestId: string,
): Promise<StartedRequest | null> {
  const whole = await findEnvelope(context, requestId);
  if (whole === null || whole.status === "DRAFT") return null;
  return stateOf(whole, context.credentials, new Date());
}

async function status(
  context: DocumensoContext,
  externalId: string,
): Promise<RequestState> {
  const whole = await readEnvelope(context, externalId);
  return stateOf(whole, context.credentials, new Date());
}

async function download(
  context: DocumensoContext,
  externalId: string,
): Promise<SignedFile[]> {
  const { envelopeItems: [item] = [] } = await readEnvelope(
    context,
    externalId,
  );
  if (!item)
    throw new PlatformError("not_found", "the envelope holds no PDF any more.");
  const path = `/envelope/item/${encodeURIComponent(item.id)}/download?version=signed`;
  const signed = await fetchPdf(context, path);
  const audit = await auditOf(context, externalId);
  const mimeType = "application/pdf";
  return [
    { label: "signed", mimeType, bytes: signed },
    ...(audit ? [{ label: "audit" as const, mimeType, bytes: audit }] : []),
  ];
}

/** Null: this server is too old to tell it. */
async function auditOf(
  context: DocumensoContext,
  id: string,
): Promise<Uint8Array | null> {
  const path = `/envelope/${encodeURIComponent(id)}/audit-log/pdf`;
  try {
    return await fetchPdf(context, path);
  } catch (error) {
    if (error instanceof PlatformError && error.code === "not_found")
      return null;
    throw error;
  }
}

async function cancel(
  context: DocumensoContext,
  envelopeId: string,
): Promise<void> {
  const { status: is } = await readEnvelope(context, envelopeId);
  if (is === "CANCELLED") return;
  await ask(context, "/envelope/cancel", z.unknown(), { envelopeId });
}

async function resend(
  context: DocumensoContext,
  envelopeId: string,
): Promise<void> {
  const due = dueRecipients(await readEnvelope(context, envelopeId));
  if (due.length === 0) return;
  const recipients = due.map(({ id }) => id);
  const body = { envelopeId, recipients };
  await ask(context, "/envelope/redistribute", z.unknown(), body);
}
