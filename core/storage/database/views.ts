// What the studio shows of this capability: types and lists alone, since its pages import this file.

export const DOCUMENT_STATUSES = [
  "queued",
  "rendering",
  "succeeded",
  "failed",
  "expired",
] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** Roles in an organization. Each includes the permissions of those before it. */
export const MEMBER_ROLES = ["viewer", "editor", "owner"] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];
