import { type RateLimits, refuseExcess } from "../../accounts/limits/index.js";
import type { KeyHolder } from "../../accounts/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { Endpoint } from "./endpoint.js";
import type { Exchange } from "./exchange.js";
import { missingKey, shownKey } from "./shown-key.js";

interface Parts {
  /** Rejects with PlatenError `unauthorized` for a key that is not good. */
  authenticate(key: string): Promise<KeyHolder>;
  rateLimits: Pick<RateLimits, "count">;
}

/** Lets nobody pass without a good key, nor too often. */
export class DoorKeeper {
  constructor(private readonly parts: Parts) {}

  /** @throws PlatenError `unauthorized` or `busy`. */
  async admit(exchange: Exchange, endpoint: Endpoint): Promise<KeyHolder> {
    const caller = await this.callerOf(exchange, endpoint);
    if (caller === null) throw challenged(exchange, missingKey(endpoint));
    await this.count(exchange, caller);
    return caller;
  }

  /** Whose key a request shows; null for none. @throws PlatenError `unauthorized` for one that is not good. */
  async callerOf(
    exchange: Exchange,
    endpoint: Endpoint,
  ): Promise<KeyHolder | null> {
    try {
      const key = shownKey(exchange.request, endpoint);
      return key === null ? null : await this.parts.authenticate(key);
    } catch (error) {
      throw error instanceof PlatenError ? challenged(exchange, error) : error;
    }
  }

  /** Counts a request among its organization's, and tells how they stand. @throws PlatenError `busy`. */
  async count({ response }: Exchange, caller: KeyHolder): Promise<void> {
    const standing = await this.parts.rateLimits.count(caller, new Date());
    if (standing === null) return;
    const { limit, remaining, resetSeconds } = standing;
    const left = Math.max(0, remaining);
    response.setHeader("ratelimit-policy", `"minute";q=${limit};w=60`);
    response.setHeader("ratelimit", `"minute";r=${left};t=${resetSeconds}`);
    refuseExcess(standing);
  }
}

/**
 * Asks for a key in the header that every 401 must have. It names no OAuth metadata: clients that find them go looking for a
 * sign-in, and there is none.
 */
function challenged({ response }: Exchange, error: PlatenError): PlatenError {
  if (error.code === "unauthorized")
    response.setHeader("www-authenticate", 'Bearer realm="platen"');
  return error;
}
