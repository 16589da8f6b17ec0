import type { AuditLine } from "../../../../../../core/plugin-api/app-audit.js";
import type { AuditAction } from "../../../../../../core/plugin-api/audit-action.js";

/** Every act, as people say it. */
export const actWords: Record<AuditAction, string> = {
  "organization.created": "Organization created",
  "user.created": "Person added",
  "user.joined": "Person joined from another organization",
  "user.role_changed": "Role changed",
  "user.removed": "Person removed",
  "login_link.created": "Sign-in link made",
  "session.started": "Signed in",
  "session.revoked": "Session ended",
  "api_key.created": "API key made",
  "api_key.revoked": "API key revoked",
  "template.imported": "Template imported",
  "template.created": "Template created",
  "template.redefined": "Template changed",
  "template.draft_discarded": "Draft of a template discarded",
  "template.trashed": "Template moved to the trash",
  "template.restored": "Template restored",
  "asset.created": "Asset uploaded",
  "asset.trashed": "Asset moved to the trash",
  "asset.restored": "Asset restored",
  "asset.deleted": "Asset deleted for good",
  "link.created": "Button link made",
  "link.revoked": "Button link revoked",
  "signature.canceled": "Signature request cancelled",
  "signature.resent": "Signature request sent again",
  "webhook.created": "Webhook added",
  "webhook.changed": "Webhook changed",
  "webhook.deleted": "Webhook deleted",
  "webhook.secret_rotated": "Webhook given a new secret",
  "webhook.disabled": "Webhook disabled",
  "connection.created": "Connection added",
  "connection.changed": "Connection changed",
  "connection.deleted": "Connection deleted",
  "connection.resealed": "Connection’s credentials sealed anew",
};

/** Those of one kind of thing, under its name. */
export const actGroups: readonly [name: string, things: readonly string[]][] = [
  ["People", ["organization", "user", "login_link", "session"]],
  ["API keys", ["api_key"]],
  ["Templates", ["template"]],
  ["Assets", ["asset"]],
  ["Buttons", ["link"]],
  ["Signatures", ["signature"]],
  ["Webhooks", ["webhook"]],
  ["Connections", ["connection"]],
];

export function wordsOfAct(action: string): string {
  return (
    Object.entries(actWords).find(([one]) => one === action)?.[1] ?? action
  );
}

const doors: Record<AuditLine["origin"], string> = {
  studio: "in the studio",
  rest: "over the API",
  mcp: "by an assistant",
  cli: "on the command line",
  service: "by itself",
};

/** Such as "Ada, over the API with the key Shop". */
export function whoOf({ person, key, origin }: AuditLine): string {
  const nobody = origin === "service" ? "The service" : "The operator";
  const name = person?.name ?? nobody;
  return `${name}, ${doors[origin]}${key === null ? "" : ` with the key ${key}`}`;
}

/** What else is to be said of an act, in a few words; empty for nothing. */
export function moreOf({ details }: AuditLine): string {
  const { from, to, role, version, way } = details ?? {};
  if (typeof from === "string" && typeof to === "string")
    return `from ${from} to ${to}`;
  if (typeof role === "string") return `as ${role}`;
  if (typeof version === "number") return `version ${version}`;
  if (way === "link") return "by a link";
  return way === "openid" ? "by single sign-on" : "";
}
