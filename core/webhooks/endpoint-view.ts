import type { WebhookEndpoint } from "../storage/database/index.js";

/** An endpoint as its owner sees it: never its secret. Times are ISO 8601. */
export interface EndpointView {
  id: string;
  organizationId: string;
  url: string;
  description: string | null;
  events: string[];
  isEnabled: boolean;
  disabledReason: string | null;
  disabledAt: string | null;
  failingSince: string | null;
  /** Until when the secret before the last rotation signs too; null when it does not. */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
}

/** With a new secret, which is shown this once. */
export interface EndpointWithSecret extends EndpointView {
  secret: string;
}

export function endpointView(row: WebhookEndpoint): EndpointView {
  const { id, organizationId, url, description, events, isEnabled } = row;
  const until = row.previousSecret === null ? null : row.previousSecretUntil;
  const isPast = until !== null && until.getTime() <= Date.now();
  return {
    id,
    organizationId,
    url,
    description,
    events,
    isEnabled,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    failingSince: row.failingSince?.toISOString() ?? null,
    previousSecretUntil: isPast ? null : (until?.toISOString() ?? null),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
