import type { IncomingMessage } from "node:http";
import { PlatenError } from "../../plugin-api/index.js";
import type { Endpoint } from "./endpoint.js";
import { header, queryValue } from "./exchange.js";

const inHeaders =
  "Send it in the header `Authorization: Bearer <key>`, or in `x-api-key`";

/**
 * The key that a request shows: in a header, or, for clients that cannot send headers, as `apiKey` in the query of `/sse`.
 * Null for none.
 * @throws PlatenError `unauthorized` where the query is no place for a key: addresses are logged and shared.
 */
export function shownKey(
  request: IncomingMessage,
  endpoint: Endpoint,
): string | null {
  const inQuery = queryValue(request, "apiKey");
  if (inQuery !== null && endpoint !== "/sse")
    throw new PlatenError(
      "unauthorized",
      `A key in the address is taken at /sse alone. ${inHeaders}.`,
    );
  const own = header(request, "x-api-key").trim();
  if (own !== "") return own;
  const authorization = header(request, "authorization").trim();
  if (authorization !== "") return bearer(authorization);
  return inQuery?.trim() || null;
}

/** @throws PlatenError `unauthorized` for a request without a key. */
export function missingKey(endpoint: Endpoint): PlatenError {
  const orQuery = endpoint === "/sse" ? ", or as ?apiKey=<key>" : "";
  return new PlatenError(
    "unauthorized",
    `No API key was sent. ${inHeaders}${orQuery}.`,
  );
}

function bearer(authorization: string): string {
  const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (key !== undefined) return key;
  throw new PlatenError(
    "unauthorized",
    "The header Authorization must hold `Bearer <key>`, where the key is one of Platen's.",
  );
}
