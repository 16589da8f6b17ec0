import * as z from "zod";
import type {
  RequestState,
  Signer,
  SignerStatus,
} from "../../core/plugin-api/index.js";
import { type DocusealCredentials, signingUrl } from "./credentials.js";

const submitter = z.looseObject({
  id: z.number(),
  slug: z.string(),
  role: z.string(),
  status: z.enum(["awaiting", "sent", "opened", "completed", "declined"]),
});
export type DocusealSubmitter = z.infer<typeof submitter>;

const event = z.looseObject({
  submitter_id: z.number().nullish(),
  event_type: z.string(),
  data: z.looseObject({ reason: z.string().nullish() }).nullish(),
});

/** As the API tells it. */
export const submission = z.looseObject({
  id: z.number(),
  status: z.enum(["pending", "completed", "declined", "expired"]),
  archived_at: z.string().nullish(),
  audit_log_url: z.string().nullish(),
  submitters: z.array(submitter).min(1),
  submission_events: z.array(event).optional(),
});
export type DocusealSubmission = z.infer<typeof submission>;

const statuses: Record<DocusealSubmitter["status"], SignerStatus> = {
  awaiting: "waiting",
  sent: "sent",
  opened: "opened",
  completed: "completed",
  declined: "declined",
};

export function stateOf(
  whole: DocusealSubmission,
  credentials: DocusealCredentials,
): RequestState {
  const { id, status, archived_at: archivedAt, submitters } = whole;
  const isArchived = typeof archivedAt === "string";
  return {
    externalId: String(id),
    status: isArchived && status === "pending" ? "canceled" : status,
    signers: submitters.map((one) => signerOf(one, whole, credentials)),
  };
}

function signerOf(
  { id, slug, role, status }: DocusealSubmitter,
  { submission_events: events = [] }: DocusealSubmission,
  credentials: DocusealCredentials,
): Signer {
  const declined = events.find(
    ({ submitter_id: by, event_type: type }) =>
      by === id && type === "decline_form",
  );
  const reason = declined?.data?.reason;
  return {
    role,
    externalId: String(id),
    url: signingUrl(credentials, slug),
    status: statuses[status],
    ...(reason && { reason }),
  };
}
