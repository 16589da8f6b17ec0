import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import {
  type EsignProvider,
  PlatformError,
  type RequestState,
  SIGN_FIELD_TYPES,
  type SignRequest,
  type EsignContext,
  type PlatformJsonRequest,
  type FieldBox,
  type Notice,
  type RawNotice,
  type Signer,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import {
  createSignedFile,
  type EsignCredentials,
  warnAboutWebhooks,
  createRefusal,
  isPdf,
} from "../lib/esign-server.js";
import { readReply, parseJson } from "../lib/http-api.js";
import { credentialsSchema } from "./credentials.js";

type Context = EsignContext<EsignCredentials>;

/** DocuSeal: its cloud, or a self-hosted server with the Pro Edition. */
export const docusealPlugin: EsignProvider<EsignCredentials> = {
  meta: createMeta("esign", "docuseal", "DocuSeal"),
  credentials: { schema: credentialsSchema },
  capabilities: {
    order: true,
    values: true,
    expiry: "instant",
    message: true,
    redirect: true,
    cancel: true,
    resend: true,
    noticeProof: "hmac",
    fields: SIGN_FIELD_TYPES,
    maxFileBytes: 40 * 1024 * 1024,
  },
  rate: {
    key: (credentials) => `${getApiUrl(credentials)} ${credentials.apiKey}`,
    maxInFlight: 4,
    cooldownMs: 5000,
  },
  async check(context) {
    await send(context, "/submissions?limit=1", submissionList);
    const warnings = warnAboutWebhooks("DocuSeal", context.credentials);
    // No call reveals the edition without creating something.
    if (!isCloud(context.credentials))
      warnings.push(
        "A self-hosted DocuSeal needs the Pro Edition: the API of the free one does not accept PDFs.",
      );
    return { warnings };
  },

  async start(context, request) {
    const { credentials } = context;
    const json = createSubmissionBody(request, credentials.sendEmail ?? true);
    const path = "/submissions/pdf";
    const created = await send(context, path, submissionSchema, { json });
    return toRequestState(created, credentials);
  },

  /** When there are several, somebody else has copied the first. */
  async find(context, requestId) {
    const query = new URLSearchParams({ external_id: requestId, limit: "100" });
    const path = `/submitters?${query.toString()}`;
    const { data } = await send(context, path, submitterList);
    if (data.length === 0) return null;
    const first = Math.min(...data.map((submitter) => submitter.submission_id));
    const submission = await readSubmission(context, String(first));
    return toRequestState(submission, context.credentials);
  },

  async status(context, externalId) {
    const submission = await readSubmission(context, externalId);
    return toRequestState(submission, context.credentials);
  },

  /** The links to the files are valid for 40 minutes, so each is requested just before it is fetched. */
  async download(context, externalId) {
    const path = `${getPath(externalId)}/documents?merge=true`;
    const { documents } = await send(context, path, documentList);
    const [first] = documents;
    if (!first)
      throw new PlatformError(
        "unavailable",
        "The signed PDF is not ready yet. Try again.",
      );
    const signed = await fetchPdf(context, first.url);
    const files = [createSignedFile("signed", signed)];
    const submission = await readSubmission(context, externalId);
    const { audit_log_url: auditUrl } = submission;
    if (auditUrl)
      files.push(createSignedFile("audit", await fetchPdf(context, auditUrl)));
    return files;
  },

  /** DocuSeal archives the submission: nobody can sign it any more. */
  async cancel(context, externalId) {
    const request = { method: "DELETE" } as const;
    await send(context, getPath(externalId), z.unknown(), request);
  },

  async resend(context, externalId) {
    const { submitters } = await readSubmission(context, externalId);
    const request = { method: "PUT", json: { send_email: true } } as const;
    for (const { id, status } of submitters)
      if (status === "sent" || status === "opened")
        await send(context, `/submitters/${id}`, z.unknown(), request);
  },

  parseNotice,
};

const submissionList = z.looseObject({ data: z.array(z.unknown()) });
const submitterList = z.looseObject({
  data: z.array(z.looseObject({ submission_id: z.number() })),
});
const documentList = z.looseObject({
  documents: z.array(z.looseObject({ url: z.string() })),
});

function readSubmission(
  context: Context,
  externalId: string,
): Promise<DocusealSubmission> {
  return send(context, getPath(externalId), submissionSchema);
}

function getPath(externalId: string): string {
  return `/submissions/${encodeURIComponent(externalId)}`;
}

/** The base URL of the API, without a trailing slash. A self-hosted server serves it below `/api`. */
export function getApiUrl({
  url = "https://api.docuseal.com",
}: EsignCredentials): string {
  const address = url.replace(/\/+$/, "");
  const { hostname, pathname } = new URL(address);
  const isComplete = hostname.startsWith("api.") || pathname !== "/";
  return isComplete ? address : `${address}/api`;
}

function isCloud(credentials: EsignCredentials): boolean {
  const { hostname } = new URL(getApiUrl(credentials));
  return /^api\.docuseal\.(com|eu)$/.test(hostname);
}

export function getSigningUrl(
  credentials: EsignCredentials,
  slug: string,
): string {
  const { protocol, host } = new URL(getApiUrl(credentials));
  return `${protocol}//${host.replace(/^api\./, "")}/s/${slug}`;
}

/** @throws PlatformError. */
async function send<T>(
  context: Context,
  path: string,
  schema: z.ZodType<T>,
  request: PlatformJsonRequest = {},
): Promise<T> {
  const { credentials } = context;
  const reply = await context.json(getApiUrl(credentials) + path, {
    ...request,
    headers: { "x-auth-token": credentials.apiKey },
  });
  return readReply(reply, schema, {
    refused,
    unexpected:
      "The server sent an unexpected response. Check that the address is that of a DocuSeal API.",
  });
}

/** How the free edition answers calls that need the Pro Edition. */
const proEditionReply = z.object({
  status: z.unknown(),
  message: z.string().regex(/\bPro\b/i),
});
const errorReply = z.object({ error: z.string() });

function refused(status: number, body: unknown): PlatformError {
  const edition = proEditionReply.safeParse(body).data;
  if (status === 404 && edition)
    return new PlatformError(
      "unsupported",
      `This DocuSeal is the free edition, whose API does not accept PDFs. Use the Pro Edition or DocuSeal's cloud. It says: ${edition.message}`,
      { status },
    );
  return createRefusal(status, errorReply.safeParse(body).data?.error, {
    401: "The API key is not valid. Copy it again from DocuSeal's API settings.",
    403: "The API key lacks a permission for this. Use the key of an administrator.",
  });
}

/**
 * Fetches a signed file without the API key, because DocuSeal may redirect to another provider's storage.
 * @throws PlatformError `unavailable` for anything but a PDF.
 */
async function fetchPdf(
  context: Context,
  url: string,
  maxRedirects = 3,
): Promise<Uint8Array> {
  const { status, headers, body } = await context.http(url);
  const { location } = headers;
  const isRedirect = status >= 300 && status <= 399 && location !== undefined;
  if (isRedirect && maxRedirects > 0 && URL.canParse(location, url))
    return fetchPdf(context, new URL(location, url).href, maxRedirects - 1);
  if (status !== 200)
    throw new PlatformError(
      "unavailable",
      `The server answered with status ${status} for a signed file. Try again.`,
    );
  if (isPdf(body)) return body;
  throw new PlatformError(
    "unavailable",
    "The server sent something other than a PDF for a signed file. Try again.",
  );
}

// A signature request as a DocuSeal submission: how it is created, what its state means, and how webhooks name it.

/** DocuSeal replaces this with the signer's link; a message without it has no link. */
const linkPlaceholder = "{{submitter.link}}";

/** The body of `POST /submissions/pdf`. */
function createSubmissionBody(
  request: SignRequest,
  sendEmail: boolean,
): Record<string, unknown> {
  const { title, pdf, fields, submitters, expiresAt, message, redirectUrl } =
    request;
  const { subject, body } = message ?? {};
  const isOrdered = submitters.some(({ order }) => order > 0);
  return {
    name: title,
    send_email: sendEmail,
    order: isOrdered ? "preserved" : "random",
    ...(expiresAt && { expire_at: formatTime(expiresAt) }),
    ...(redirectUrl !== undefined && { completed_redirect_url: redirectUrl }),
    ...(message && {
      message: {
        ...(subject !== undefined && { subject }),
        ...(body !== undefined && { body: `${body}\n\n${linkPlaceholder}` }),
      },
    }),
    documents: [
      {
        name: pdf.name,
        file: Buffer.from(pdf.bytes).toString("base64"),
        fields: createFields(fields),
      },
    ],
    submitters: submitters.map(({ role, email, name, values, order }, at) => ({
      role,
      email,
      ...(name !== undefined && { name }),
      ...(values && { values }),
      order,
      // `find` searches for the first submitter's, which is the id of the request.
      external_id: at === 0 ? request.requestId : `${request.requestId}/${at}`,
    })),
  };
}

/** "2024-09-01 12:00:00 UTC". */
function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Boxes with the same name and role are areas of one field. */
function createFields(boxes: readonly FieldBox[]) {
  const groups = new Map<string, FieldBox[]>();
  for (const box of boxes) {
    const key = JSON.stringify([box.role, box.name]);
    groups.set(key, [...(groups.get(key) ?? []), box]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { name, type, role, options = [] } = first;
    return {
      name,
      type,
      role,
      required: group.some(({ required }) => required),
      ...(options.length > 0 && { options: [...options] }),
      areas: group.map(({ x, y, w, h, page }) => ({ x, y, w, h, page })),
    };
  });
}

const submitterSchema = z.looseObject({
  id: z.number(),
  slug: z.string(),
  role: z.string(),
  status: z.enum(["awaiting", "sent", "opened", "completed", "declined"]),
});
type DocusealSubmitter = z.infer<typeof submitterSchema>;

const eventSchema = z.looseObject({
  submitter_id: z.number().nullish(),
  event_type: z.string(),
  data: z.looseObject({ reason: z.string().nullish() }).nullish(),
});

const submissionSchema = z.looseObject({
  id: z.number(),
  status: z.enum(["pending", "completed", "declined", "expired"]),
  archived_at: z.string().nullish(),
  audit_log_url: z.string().nullish(),
  submitters: z.array(submitterSchema).min(1),
  submission_events: z.array(eventSchema).optional(),
});
type DocusealSubmission = z.infer<typeof submissionSchema>;

function toRequestState(
  submission: DocusealSubmission,
  credentials: EsignCredentials,
): RequestState {
  const { id, status, archived_at: archivedAt, submitters } = submission;
  const isArchived = typeof archivedAt === "string";
  return {
    externalId: String(id),
    status: isArchived && status === "pending" ? "canceled" : status,
    signers: submitters.map((submitter) =>
      toSigner(submitter, submission, credentials),
    ),
  };
}

function toSigner(
  { id, slug, role, status }: DocusealSubmitter,
  { submission_events: events = [] }: DocusealSubmission,
  credentials: EsignCredentials,
): Signer {
  const declined = events.find(
    (event) => event.submitter_id === id && event.event_type === "decline_form",
  );
  const reason = declined?.data?.reason;
  return {
    role,
    externalId: String(id),
    url: getSigningUrl(credentials, slug),
    status: status === "awaiting" ? "waiting" : status,
    ...(reason && { reason }),
  };
}

const maxNoticeAgeMs = 5 * 60_000;

const id = z.number().int().positive();
/** Events of a submitter (`form.*`) name the submission; events of a submission (`submission.*`) are about it. */
const noticeSchema = z.union([
  z.object({
    event_type: z.string().startsWith("form."),
    data: z.union([
      z.object({ submission_id: id }),
      z.object({ submission: z.object({ id }) }),
    ]),
  }),
  z.object({
    event_type: z.string().startsWith("submission."),
    data: z.object({ id }),
  }),
]);

/** `X-Docuseal-Signature: <seconds>.<hex>` is an HMAC of `<seconds>.<body>`, keyed with the secret as it is written. */
function parseNotice(
  { webhookSecret }: EsignCredentials,
  { body, headers, receivedAt }: RawNotice,
): Notice | null {
  const header = headers["x-docuseal-signature"] ?? "";
  const [, seconds, signature] =
    /^(\d{1,12})\.([0-9a-f]{64})$/.exec(header) ?? [];
  if (!webhookSecret || !seconds || !signature) return null;
  const age = Math.abs(receivedAt.getTime() - Number(seconds) * 1000);
  if (age > maxNoticeAgeMs) return null;
  const expected = createHmac("sha256", webhookSecret)
    .update(`${seconds}.`)
    .update(body)
    .digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, "hex"))) return null;
  const notice = noticeSchema.safeParse(parseJson(body)).data;
  if (!notice) return null;
  // DocuSeal's events have no id; the signature differs for each.
  return { externalId: String(getSubmissionId(notice)), id: signature };
}

function getSubmissionId({ data }: z.infer<typeof noticeSchema>): number {
  if ("submission_id" in data) return data.submission_id;
  return "submission" in data ? data.submission.id : data.id;
}
