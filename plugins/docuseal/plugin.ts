import * as z from "zod";
import {
  type EsignProvider,
  PLUGIN_API,
  type RequestState,
  SIGN_FIELD_TYPES,
  type SignRequest,
  type StartedRequest,
} from "../../core/plugin-api/index.js";
import { ask, type DocusealContext } from "./client.js";
import {
  apiOf,
  credentialsSchema,
  type DocusealCredentials,
  isCloud,
} from "./credentials.js";
import { download } from "./download.js";
import { parseNotice } from "./notice.js";
import { type DocusealSubmission, stateOf, submission } from "./submission.js";
import { submissionBody } from "./submission-body.js";

const found = z.looseObject({
  data: z.array(z.looseObject({ submission_id: z.number() })),
});
const list = z.looseObject({ data: z.array(z.unknown()) });

const unheard =
  "There is no webhook secret, so that DocuSeal's notices are not heard: it is asked now and then in their place.";
/** No call tells the edition without making something. */
const proOnly =
  "On a server of your own, DocuSeal's Pro Edition is needed: the free one takes no PDFs over its API.";

/** DocuSeal: its cloud, or a server of one's own with the Pro Edition. */
export const docusealPlugin: EsignProvider<DocusealCredentials> = {
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
    key: (credentials) => `${apiOf(credentials)} ${credentials.apiKey}`,
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

async function check(context: DocusealContext) {
  await ask(context, "/submissions?limit=1", list);
  const { webhookSecret } = context.credentials;
  return {
    warnings: [
      ...(webhookSecret === undefined ? [unheard] : []),
      ...(isCloud(context.credentials) ? [] : [proOnly]),
    ],
  };
}

async function start(
  context: DocusealContext,
  request: SignRequest,
): Promise<StartedRequest> {
  const { sendEmail = true } = context.credentials;
  const json = submissionBody(request, sendEmail);
  const made = await ask(context, "/submissions/pdf", submission, { json });
  return stateOf(made, context.credentials);
}

/** Several would be the work of somebody else: the first one is ours. */
async function find(
  context: DocusealContext,
  requestId: string,
): Promise<StartedRequest | null> {
  const query = new URLSearchParams({ external_id: requestId, limit: "100" });
  const { data } = await ask(context, `/submitters?${query.toString()}`, found);
  if (data.length === 0) return null;
  const first = Math.min(...data.map((one) => one.submission_id));
  return status(context, String(first));
}

async function status(
  context: DocusealContext,
  externalId: string,
): Promise<RequestState> {
  return stateOf(await read(context, externalId), context.credentials);
}

/** DocuSeal calls it archiving: nobody can sign any more. */
async function cancel(
  context: DocusealContext,
  externalId: string,
): Promise<void> {
  const path = `/submissions/${encodeURIComponent(externalId)}`;
  await ask(context, path, z.unknown(), { method: "DELETE" });
}

async function resend(
  context: DocusealContext,
  externalId: string,
): Promise<void> {
  const { submitters } = await read(context, externalId);
  const due = submitters.filter(({ status: is }) =>
    ["sent", "opened"].includes(is),
  );
  for (const { id } of due)
    await ask(context, `/submitters/${id}`, z.unknown(), {
      method: "PUT",
      json: { send_email: true },
    });
}

function read(
  context: DocusealContext,
  externalId: string,
): Promise<DocusealSubmission> {
  const path = `/submissions/${encodeURIComponent(externalId)}`;
  return ask(context, path, submission);
}
