/** What the tool server answers: Streamable HTTP, and the older transport's stream and messages. */
export type Endpoint = "/mcp" | "/sse" | "/messages";

const endpoints: readonly Endpoint[] = ["/mcp", "/sse", "/messages"];

/**
 * Which endpoint a request is for, under whichever of the prefixes it came: a proxy in front may take its own off, or
 * leave it on. A slash at the end makes no difference.
 */
export function endpointOf(
  url: string,
  prefixes: readonly string[],
): Endpoint | null {
  const path = (url.split("?", 1)[0] ?? "").replace(/\/$/, "");
  const candidates = [...prefixes, ""].map((prefix) =>
    path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : null,
  );
  return endpoints.find((endpoint) => candidates.includes(endpoint)) ?? null;
}

/** The path of an address, without a slash at the end; empty for none. */
export function prefixOf(url: string): string {
  return new URL(url).pathname.replace(/\/$/, "");
}
