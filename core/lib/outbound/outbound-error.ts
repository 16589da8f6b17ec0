import { PlatenError } from "../../plugin-api/index.js";

/** Words for the ends of a connection that people meet most. */
const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  ENOTFOUND: "there is no such host",
  ETIMEOUT: "its name could not be looked up",
  ESERVFAIL: "its name could not be looked up",
  EAI_AGAIN: "its name could not be looked up",
  UND_ERR_CONNECT_TIMEOUT: "it did not answer",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is one that it made itself",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
};

/** Whatever ended a call, as one of ours; the address is told by its host alone, since its rest may hold a secret. */
export function outboundError(
  thrown: unknown,
  url: string,
  signal: AbortSignal,
  { timeoutMs }: { timeoutMs: number },
): PlatenError {
  for (const error of chainOf(thrown))
    if (error instanceof PlatenError) return error;
  if (signal.reason instanceof PlatenError) return signal.reason;
  const host = URL.canParse(url) ? new URL(url).host : "The host";
  if (signal.aborted)
    return new PlatenError(
      "timeout",
      `${host} did not answer whole within ${timeoutMs} ms.`,
      { cause: thrown },
    );
  return new PlatenError(
    "unavailable",
    `${host} could not be called: ${wordsFor(thrown)}.`,
    { cause: thrown },
  );
}

function wordsFor(thrown: unknown): string {
  // The list of the Fetch standard, which gives this error no code.
  if (chainOf(thrown).some(({ message }) => message === "bad port"))
    return "its port is that of another protocol";
  const codes = chainOf(thrown).map((error) =>
    "code" in error ? String(error.code) : "",
  );
  const known = codes.find((code) => code in faults) ?? "";
  return faults[known] ?? "the connection failed";
}

/** An error and its causes; several addresses that failed are one error that holds them all. */
function chainOf(thrown: unknown): Error[] {
  if (!(thrown instanceof Error)) return [];
  const others = thrown instanceof AggregateError ? thrown.errors : [];
  return [thrown, ...others.flatMap(chainOf), ...chainOf(thrown.cause)];
}
