import { createToken } from "../tokens.js";
import type { Outbound } from "./index.js";

/** The private networks to which an organization is narrowed; null for all that are allowed. */
export const FIND_ORGANIZATION_NETWORKS = createToken<
  (organizationId: string) => Promise<readonly string[] | null>
>("private networks of an organization");
export const OUTBOUND = createToken<Outbound>("Outbound");
