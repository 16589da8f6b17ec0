import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import {
  type EsignProvider,
  type Notice,
  PLUGIN_API,
  PlatformError,
  type RawNotice,
  type RequestState,
  type SignedFile,
  type SignRequest,
  type StartedRequest,
} from "../../core/plugin-api/index.js";
import {
  createSignedFile,
  type EsignCredentials,
  warnAboutWebhooks,
} from "../lib/esign-server.js";
import { parseJson } from "../lib/http-api.js";
import {
  credentialsSchema,
  type DocumensoContext,
  fetchPdf,
  getServerUrl,
  sendForm,
  sendRequest,
} from "./client.js";
import {
  belongsToRequest,
  createEnvelopeBody,
  type Envelope,
  envelopeSchema,
  findDueRecipients,
  supportedFields,
  toRequestState,
} from "./envelope.js";

/** Documenso 2: its cloud, or a self-hosted server. */
export const documensoPlugin: EsignProvider<EsignCredentials> = {
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
  check,
  start,
  find,
  status,
  download,
  cancel,
  resend,
  parseNotice,
};

const envelopeList = z.looseObject({
  data: z.array(
    z.looseObject({ id: z.string(), externalId: z.string().nullish() }),
  ),
});

async function check(context: DocumensoContext) {
  const list = z.looseObject({ data: z.array(z.unknown()) });
  await sendRequest(context, "/envelope?perPage=1", list);
  return { warnings: warnAboutWebhooks("Documenso", context.credentials) };
}

/**
 * Takes two calls: one creates a draft with its recipients and fields, one sends it. A draft that an earlier attempt left
 * between them, or after a lost reply, is found by the request's id and sent, so that there is never a second one.
 */
async function start(
  context: DocumensoContext,
  request: SignRequest,
): Promise<StartedRequest> {
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
  const orders = request.submitters.map(({ order }) => order);
  const groupCount = new Set(orders).size;
  return {
    ...toRequestState(envelope, context.credentials, new Date()),
    warnings:
      groupCount > 1 && groupCount < orders.length
        ? [
            "Documenso asks signers strictly one after the other, even those of the same group.",
          ]
        : [],
  };
}

async function createDraft(
  context: DocumensoContext,
  request: SignRequest,
): Promise<string> {
  const { sendEmail = true } = context.credentials;
  const payload = createEnvelopeBody(request, { sendEmail, now: new Date() });
  const { name, bytes } = request.pdf;
  const form = new FormData();
  form.append("payload", JSON.stringify(payload));
  const file = new Blob([Buffer.from(bytes)], { type: "application/pdf" });
  form.append("files", file, `${name}.pdf`);
  const created = z.looseObject({ id: z.string() });
  return (await sendForm(context, "/envelope/create", created, form)).id;
}

/** Deletes a draft that Documenso refuses to send. */
async function sendDraft(
  context: DocumensoContext,
  envelopeId: string,
): Promise<void> {
  const body = { envelopeId };
  try {
    await sendRequest(context, "/envelope/distribute", z.unknown(), body);
  } catch (error) {
    const isFinal = error instanceof PlatformError && !error.retryable;
    // If this fails too, an unsent draft remains that can be deleted by hand.
    if (isFinal)
      await sendRequest(context, "/envelope/delete", z.unknown(), body).catch(
        () => undefined,
      );
    throw error;
  }
}

/** Ignores a draft: its signers do not know of it, and the next `start` sends it. */
async function find(
  context: DocumensoContext,
  requestId: string,
): Promise<StartedRequest | null> {
  const envelope = await findEnvelope(context, requestId);
  if (envelope === null || envelope.status === "DRAFT") return null;
  return toRequestState(envelope, context.credentials, new Date());
}

/** The envelope of a request, drafts included; the oldest when others have copied it. */
async function findEnvelope(
  context: DocumensoContext,
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
  const { data } = await sendRequest(context, path, envelopeList);
  const first = data.find((one) => belongsToRequest(one.externalId, requestId));
  return first ? readEnvelope(context, first.id) : null;
}

async function status(
  context: DocumensoContext,
  externalId: string,
): Promise<RequestState> {
  const envelope = await readEnvelope(context, externalId);
  return toRequestState(envelope, context.credentials, new Date());
}

async function download(
  context: DocumensoContext,
  externalId: string,
): Promise<SignedFile[]> {
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
}

/** Returns null when the server is too old to offer it. */
async function fetchAuditTrail(
  context: DocumensoContext,
  externalId: string,
): Promise<Uint8Array | null> {
  const path = `/envelope/${encodeURIComponent(externalId)}/audit-log/pdf`;
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
  const envelope = await readEnvelope(context, envelopeId);
  if (envelope.status === "CANCELLED") return;
  const body = { envelopeId };
  await sendRequest(context, "/envelope/cancel", z.unknown(), body);
}

async function resend(
  context: DocumensoContext,
  envelopeId: string,
): Promise<void> {
  const due = findDueRecipients(await readEnvelope(context, envelopeId));
  if (due.length === 0) return;
  const recipients = due.map(({ id }) => id);
  const body = { envelopeId, recipients };
  await sendRequest(context, "/envelope/redistribute", z.unknown(), body);
}

function readEnvelope(
  context: DocumensoContext,
  id: string,
): Promise<Envelope> {
  const path = `/envelope/${encodeURIComponent(id)}`;
  return sendRequest(context, path, envelopeSchema);
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
