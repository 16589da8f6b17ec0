import { PlatenError } from "../../plugin-api/index.js";
import { type Exchange, header } from "../door/exchange.js";
import { readBody } from "../door/read-message.js";

const timeoutMs = 15_000;
/** Marks what an instance has passed on, so that it goes no further. */
const passedOn = "x-platen-passed-on";
const passedHeaders = [
  "authorization",
  "content-type",
  "x-api-key",
  "x-request-id",
] as const;

/** The other instances, to which messages for their sessions are passed on. */
export class Peers {
  constructor(
    private readonly urls: ReadonlyMap<string, string>,
    private readonly maxBytes: number,
  ) {}

  /** Whether the messages for this instance's sessions can be passed on; not twice. */
  reaches(node: string, { request }: Exchange): boolean {
    return this.urls.has(node) && header(request, passedOn) === "";
  }

  /** @throws PlatenError `unavailable` when the instance does not answer. */
  async passOn(node: string, id: string, exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const body = await readBody(request, this.maxBytes);
    const headers = new Headers({ [passedOn]: "1" });
    for (const name of passedHeaders)
      if (header(request, name) !== "")
        headers.set(name, header(request, name));
    const url = `${this.urls.get(node)}/messages?sessionId=${encodeURIComponent(id)}`;
    const answer = await fetch(url, {
      method: "POST",
      headers,
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
    }).catch((error: unknown) => unreachable(error));
    const type = answer.headers.get("content-type") ?? "text/plain";
    response
      .writeHead(answer.status, { "content-type": type })
      .end(await answer.text());
  }
}

function unreachable(cause: unknown): never {
  throw new PlatenError(
    "unavailable",
    "The instance that holds this session does not answer. Open a new session.",
    { cause, retryAfterSeconds: 5 },
  );
}
