import { PlatenError } from "../../plugin-api/index.js";
import type { OpenEsign, OpenPlatform } from "../host/index.js";

export interface AccessCheck {
  /** As whom the other side knows us, where it tells. */
  account: string | null;
  warnings: string[];
  /** What it or its plugin has against it; null when it works. */
  error: string | null;
}

/** Asks a platform or a provider whether it lets us in. Rejects only for what is a fault of ours. */
export async function checkAccess(
  opened: Pick<OpenPlatform | OpenEsign, "check">,
): Promise<AccessCheck> {
  try {
    const { account = null, warnings } = await opened.check();
    return { account, warnings, error: null };
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return { account: null, warnings: [], error: error.message };
  }
}
