import { PlatenError } from "../contract/index.js";
import type { OpenPlatform } from "../host/index.js";

export interface PlatformCheck {
  /** As whom the platform knows us, where it tells. */
  account: string | null;
  warnings: string[];
  /** What the platform or its plugin has against it; null when it works. */
  error: string | null;
}

/** Asks a platform whether it lets us in. Rejects only for what is a fault of ours. */
export async function checkPlatform(
  platform: OpenPlatform,
): Promise<PlatformCheck> {
  try {
    const { account = null, warnings } = await platform.check();
    return { account, warnings, error: null };
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return { account: null, warnings: [], error: error.message };
  }
}
