import type {
  EsignStatus,
  PlatformStatus,
} from "../integrations/host/index.js";

/** What an answer tells of an installed plugin. Where it lies on the machine is for whoever runs it. */
export function installedReply(status: PlatformStatus | EsignStatus) {
  const { id, title, version, source, state, reason, credentials } = status;
  return {
    id,
    title,
    version,
    isShipped: source === "shipped",
    state,
    reason,
    credentials: credentials && { ...credentials },
  };
}
