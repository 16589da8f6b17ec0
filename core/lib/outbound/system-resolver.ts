import { lookup, Resolver } from "node:dns/promises";
import pLimit from "p-limit";

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Every address of a host. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

const ASKING = { timeout: 2000, tries: 2 };

/** The system's own look-ups each hold a thread that files and pictures need too; this many may do so at once. */
const LOOKUPS_AT_ONCE = 2;

/** Asking the name servers ended so because they do not know the name, or because there are none. */
const UNKNOWN: readonly string[] = [
  "ENOTFOUND",
  "ENODATA",
  "EBADNAME",
  "EREFUSED",
  "ECONNREFUSED",
];

/**
 * Asks the name servers, which holds no thread, so that names whose servers never answer stop nobody; and only for
 * names that these do not know the system, with its hosts file and search domains.
 */
export function systemResolver(
  servers: Resolver = new Resolver(ASKING),
): Resolve {
  const limit = pLimit(LOOKUPS_AT_ONCE);
  return async (host) => {
    const [four, six] = await Promise.allSettled([
      servers.resolve4(host),
      servers.resolve6(host),
    ]);
    const found = [...addressesIn(four, 4), ...addressesIn(six, 6)];
    if (found.length > 0) return found;
    for (const result of [four, six])
      if (result.status === "rejected" && !isUnknown(result.reason))
        throw result.reason;
    return limit(() => lookup(host, { all: true, verbatim: true }));
  };
}

function addressesIn(
  result: PromiseSettledResult<string[]>,
  family: number,
): ResolvedAddress[] {
  if (result.status === "rejected") return [];
  return result.value.map((address) => ({ address, family }));
}

function isUnknown(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    UNKNOWN.includes(String(error.code))
  );
}
