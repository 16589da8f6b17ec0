/** What a proxy does to a request in place of carrying it through. */
export type Fault =
  | {
      kind: "reply";
      status: number;
      headers?: Readonly<Record<string, string>>;
      body: string;
    }
  /** The request arrives nowhere and is never answered. */
  | { kind: "stall" }
  /** The connection breaks before the request arrives. */
  | { kind: "reset" }
  /** The server does what it was asked, and the connection breaks before it says so. */
  | { kind: "lost-reply" };

function plainReply(status: number, body: string): Fault {
  return {
    kind: "reply",
    status,
    headers: { "content-type": "text/plain" },
    body,
  };
}

export const faults = {
  stall: { kind: "stall" },
  reset: { kind: "reset" },
  lostReply: { kind: "lost-reply" },
  unauthorized: plainReply(401, "Unauthorized"),
  forbidden: plainReply(403, "Forbidden"),
  notFound: plainReply(404, "Not Found"),
  tooLarge: plainReply(413, "Payload Too Large"),
  unavailable: plainReply(503, "Service Unavailable"),
  /** At once again: what is tested is that it is asked again, not how long it waits. */
  tooMany: {
    kind: "reply",
    status: 429,
    headers: { "content-type": "text/plain", "retry-after": "0" },
    body: "Too Many Requests",
  },
  /** As login pages and proxies answer. */
  html: {
    kind: "reply",
    status: 200,
    headers: { "content-type": "text/html" },
    body: "<!doctype html><title>Sign in</title><p>Please sign in.",
  },
} as const satisfies Record<string, Fault>;

/** Which requests a fault meets, counted from 1 since it was set. */
export interface FaultPlan {
  fault: Fault;
  from: number;
  to: number;
}

/** A proxy before one address of the server. */
export interface Door {
  /** Where the plugin finds it. */
  readonly url: string;
  /** Whether it sees single requests; else it only cuts and stalls connections. */
  readonly seesRequests: boolean;
  /** Since `watch`. */
  readonly requests: number;
  /** Requests, or connections, that were open at the same moment, since `watch`. */
  readonly mostAtOnce: number;
  /** Counts anew; from here on, requests meet the plan. */
  watch(plan: FaultPlan | null): void;
  /** Resolves when the plan has met something. */
  met(): Promise<void>;
  close(): Promise<void>;
}
