type Headers = Readonly<Record<string, string>>;

/** Used as long as this where a server says nothing: a batch asks it once, and a new logo is seen soon. */
const SECONDS = 300;

/** The headers of an answer; with a time that it stays fresh, where they give none and do not forbid it. */
export function freshness(headers: Headers): Headers {
  const { expires, pragma, "cache-control": control = "" } = headers;
  const isTold =
    expires !== undefined ||
    pragma !== undefined ||
    /max-age|no-store|no-cache|must-revalidate|immutable/i.test(control);
  if (isTold) return headers;
  const own = `max-age=${SECONDS}`;
  return { ...headers, "cache-control": control ? `${control}, ${own}` : own };
}
