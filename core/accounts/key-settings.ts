import { z } from "zod";
import type { ApiKey } from "../storage/database/index.js";

/** How many requests a minute a key may be limited to. */
export const requestsPerMinute = z
  .int("must be a whole number")
  .min(1, "must be at least 1")
  .max(1_000_000, "must be at most 1000000");

const settings = z.object({ requestsPerMinute: requestsPerMinute.optional() });

/** The limit of this key alone; null for none. */
export function requestsPerMinuteOf(
  key: Pick<ApiKey, "settings">,
): number | null {
  return settings.safeParse(key.settings).data?.requestsPerMinute ?? null;
}
