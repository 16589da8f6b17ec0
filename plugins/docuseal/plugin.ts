import * as z from "zod";
import {
  type EsignProvider,
  PLUGIN_API,
  PlatformError,
  type RequestState,
  SIGN_FIELD_TYPES,
  type SignedFile,
  type SignRequest,
  type StartedRequest,
} from "../../core/plugin-api/index.js";
import {
  createSignedFile,
  type EsignCredentials,
  warnAboutWebhooks,
} from "../lib/esign-server.js";
import {
  credentialsSchema,
  type DocusealContext,
  fetchPdf,
  getApiUrl,
  isCloud,
  sendRequest,
} from "./client.js";
import {
  createSubmissionBody,
  type DocusealSubmission,
  parseNotice,
  submissionSchema,
  toRequestState,
} from "./submission.js";

/** DocuSeal: its cloud, or a self-hosted server with the Pro Edition. */
export const docusealPlugin: EsignProvider<EsignCredentials> = {
  meta: {
    kind: "esign",
    id: "docuseal",
    title: "DocuSeal",
    version: "1.0.0",
    api: PLUGIN_API,
    platen: "*",
  },
  credentials: { schema: credentialsSchema },
  capabilities: {
    order: true,
    values: true,
    expiry: "instant",
    message: true,
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
  check,
  start,
  find,
  status,
  download,
  cancel,
  resend,
  parseNotice,
};

const submissionList = z.looseObject({ data: z.array(z.unknown()) });

async function check(context: DocusealContext) {
  await sendRequest(context, "/submissions?limit=1", submissionList);
  const warnings = warnAboutWebhooks("DocuSeal", context.credentials);
  // No call reveals the edition without creating something.
  if (!isCloud(context.credentials))
    warnings.push(
      "A self-hosted DocuSeal needs the Pro Edition: the API of the free one does not accept PDFs.",
    );
  return { warnings };
}

async function start(
  context: DocusealContext,
  request: SignRequest,
): Promise<StartedRequest> {
  const { sendEmail = true } = context.credentials;
  const created = await sendRequest(
    context,
    "/submissions/pdf",
    submissionSchema,
    { json: createSubmissionBody(request, sendEmail) },
  );
  return toRequestState(created, context.credentials);
}

const submitterList = z.looseObject({
  data: z.array(z.looseObject({ submission_id: z.number() })),
});

/** When there are several, somebody else has copied the first. */
async function find(
  context: DocusealContext,
  requestId: string,
): Promise<StartedRequest | null> {
  const query = new URLSearchParams({ external_id: requestId, limit: "100" });
  const path = `/submitters?${query.toString()}`;
  const { data } = await sendRequest(context, path, submitterList);
  if (data.length === 0) return null;
  const first = Math.min(...data.map((one) => one.submission_id));
  return status(context, String(first));
}

async function status(
  context: DocusealContext,
  externalId: string,
): Promise<RequestState> {
  const submission = await readSubmission(context, externalId);
  return toRequestState(submission, context.credentials);
}

const documentList = z.looseObject({
  documents: z.array(z.looseObject({ url: z.string() })),
});

/** The links to the files are valid for 40 minutes, so each is requested just before it is fetched. */
async function download(
  context: DocusealContext,
  externalId: string,
): Promise<SignedFile[]> {
  const path = `${getPath(externalId)}/documents?merge=true`;
  const { documents } = await sendRequest(context, path, documentList);
  const [first] = documents;
  if (!first)
    throw new PlatformError(
      "unavailable",
      "The signed PDF is not ready yet. Try again.",
    );
  const files = [
    createSignedFile("signed", await fetchPdf(context, first.url)),
  ];
  const { audit_log_url: auditUrl } = await readSubmission(context, externalId);
  if (auditUrl)
    files.push(createSignedFile("audit", await fetchPdf(context, auditUrl)));
  return files;
}

/** DocuSeal archives the submission: nobody can sign it any more. */
async function cancel(
  context: DocusealContext,
  externalId: string,
): Promise<void> {
  await sendRequest(context, getPath(externalId), z.unknown(), {
    method: "DELETE",
  });
}

async function resend(
  context: DocusealContext,
  externalId: string,
): Promise<void> {
  const { submitters } = await readSubmission(context, externalId);
  for (const { id, status: submitterStatus } of submitters)
    if (submitterStatus === "sent" || submitterStatus === "opened")
      await sendRequest(context, `/submitters/${id}`, z.unknown(), {
        method: "PUT",
        json: { send_email: true },
      });
}

function readSubmission(
  context: DocusealContext,
  externalId: string,
): Promise<DocusealSubmission> {
  return sendRequest(context, getPath(externalId), submissionSchema);
}

function getPath(externalId: string): string {
  return `/submissions/${encodeURIComponent(externalId)}`;
}
