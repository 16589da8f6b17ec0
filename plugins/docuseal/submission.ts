import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type {
  FieldBox,
  Notice,
  RawNotice,
  RequestState,
  Signer,
  SignerStatus,
  SignRequest,
} from "../../core/plugin-api/index.js";
import type { EsignCredentials } from "../lib/esign-server.js";
import { parseJson } from "../lib/http-api.js";
import { getSigningUrl } from "./client.js";

// A signature request as a DocuSeal submission: how it is created, what its state means, and how webhooks name it.

/** DocuSeal replaces this with the signer's link; a message without it has no link. */
const linkPlaceholder = "{{submitter.link}}";

/** The body of `POST /submissions/pdf`. */
export function createSubmissionBody(
  request: SignRequest,
  sendEmail: boolean,
): Record<string, unknown> {
  const { title, pdf, fields, submitters, expiresAt, message } = request;
  const { subject, body } = message ?? {};
  const isOrdered = submitters.some(({ order }) => order > 0);
  return {
    name: title,
    send_email: sendEmail,
    order: isOrdered ? "preserved" : "random",
    ...(expiresAt && { expire_at: formatTime(expiresAt) }),
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

/** A submission as the API returns it. */
export const submissionSchema = z.looseObject({
  id: z.number(),
  status: z.enum(["pending", "completed", "declined", "expired"]),
  archived_at: z.string().nullish(),
  audit_log_url: z.string().nullish(),
  submitters: z.array(submitterSchema).min(1),
  submission_events: z.array(eventSchema).optional(),
});
export type DocusealSubmission = z.infer<typeof submissionSchema>;

const signerStatuses: Record<DocusealSubmitter["status"], SignerStatus> = {
  awaiting: "waiting",
  sent: "sent",
  opened: "opened",
  completed: "completed",
  declined: "declined",
};

export function toRequestState(
  submission: DocusealSubmission,
  credentials: EsignCredentials,
): RequestState {
  const { id, status, archived_at: archivedAt, submitters } = submission;
  const isArchived = typeof archivedAt === "string";
  return {
    externalId: String(id),
    status: isArchived && status === "pending" ? "canceled" : status,
    signers: submitters.map((one) => toSigner(one, submission, credentials)),
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
    status: signerStatuses[status],
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
export function parseNotice(
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
