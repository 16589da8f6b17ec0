import type { FakeSubmission, FakeSubmitter } from "./fake-submission.js";

const text = (at: Date | null) => at?.toISOString() ?? null;

/** `SubmissionSubmitter` of the API. */
export function submitterView(
  one: FakeSubmitter,
  { id: submissionId }: FakeSubmission,
) {
  return {
    id: one.id,
    submission_id: submissionId,
    uuid: one.uuid,
    email: one.email,
    slug: one.slug,
    sent_at: text(one.sentAt),
    opened_at: text(one.openedAt),
    completed_at: text(one.completedAt),
    declined_at: text(one.declinedAt),
    name: one.name,
    phone: null,
    external_id: one.externalId,
    status: statusOf(one),
    values: Object.entries(one.values).map(([field, value]) => ({
      field,
      value,
    })),
    documents: [],
    role: one.role,
    metadata: {},
    preferences: {},
  };
}

/** `Submission` of the API. */
export function submissionView(
  submission: FakeSubmission,
  auditUrl: string | null,
) {
  return {
    id: submission.id,
    name: submission.made.name,
    slug: submission.slug,
    source: "api",
    submitters_order: submission.made.order,
    audit_log_url: auditUrl,
    combined_document_url: null,
    archived_at: text(submission.archivedAt),
    expire_at: text(submission.expiresAt),
    variables: {},
    submitters: submission.submitters.map((one) =>
      submitterView(one, submission),
    ),
    submission_events: submission.events,
    documents: [],
    status: submission.status,
    completed_at: text(submission.completedAt),
  };
}

/** `data` of a `form.*` event. */
export function formView(one: FakeSubmitter, submission: FakeSubmission) {
  return {
    ...submitterView(one, submission),
    decline_reason: one.reason,
    ip: "203.0.113.7",
    ua: "A browser",
    audit_log_url: null,
    submission: {
      id: submission.id,
      audit_log_url: null,
      combined_document_url: null,
      status: submission.status,
    },
  };
}

function statusOf(one: FakeSubmitter): string {
  if (one.declinedAt) return "declined";
  if (one.completedAt) return "completed";
  if (one.openedAt) return "opened";
  return one.sentAt ? "sent" : "awaiting";
}
