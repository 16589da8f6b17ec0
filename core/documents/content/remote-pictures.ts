import CachePolicy from "http-cache-semantics";
import { LRUCache } from "lru-cache";
import { pictureFault, reasonOf } from "../../assets/index.js";
import type { Outbound, OutboundReply } from "../../lib/outbound/index.js";
import type { Picture, PictureCache, PictureLimits } from "./picture-cache.js";

const REDIRECTS = 5;

/** An address that failed is not toCacheRequest again for so long: a batch must not wait for a dead server at every document. */
const FAILED_MS = 30_000;

/** Answers whose terms are remembered; the images themselves are counted in bytes elsewhere. */
const KNOWN_ANSWERS = 5000;

/** Addresses are remembered, so none may be as long as a request. */
const LONGEST = 8192;

const HEADERS = {
  accept: "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8",
  "user-agent": "Platen",
};

/** What a server said of an image, and which image it was. */
interface Answer {
  policy: CachePolicy;
  contentHash: string;
}

/** Images of other machines, fetched once and toCacheRequest for again as HTTP's rules of caching (RFC 9111) say. */
export class RemotePictures {
  private readonly answers = new LRUCache<string, Answer>({
    max: KNOWN_ANSWERS,
  });
  private readonly failures = new LRUCache<string, string>({
    max: KNOWN_ANSWERS,
    ttl: FAILED_MS,
  });
  private readonly flights = new SingleFlight<Picture>();

  constructor(
    private readonly outbound: Outbound,
    private readonly cache: PictureCache,
    private readonly limits: PictureLimits,
  ) {}

  /** @throws PlatenError that says why it cannot be had. */
  async picture(organizationId: string, url: string): Promise<Picture> {
    if (!this.limits.isFetching)
      throw pictureFault(
        "Images are not fetched from other machines here (PLATEN_FETCH_ASSETS is off); upload it as an asset, or use a data URL.",
      );
    if (url.length > LONGEST)
      throw pictureFault(
        `The address is longer than ${LONGEST} characters. Use an asset or a data URL.`,
      );
    const key = `${organizationId} ${url}`;
    const known = this.getKnown(organizationId, key);
    if (known?.answer.policy.satisfiesWithoutRevalidation(toCacheRequest(url)))
      return known.picture;
    const failure = this.failures.get(key);
    if (failure !== undefined) throw pictureFault(failure);
    return this.flights.do(key, () => this.ask(organizationId, url));
  }

  private getKnown(organizationId: string, key: string) {
    const answer = this.answers.get(key);
    if (!answer) return null;
    const picture = this.cache.find(organizationId, answer.contentHash);
    return picture && { answer, picture };
  }

  private async ask(organizationId: string, url: string): Promise<Picture> {
    const key = `${organizationId} ${url}`;
    try {
      const known = this.getKnown(organizationId, key);
      const reply = await this.fetch(url, known?.answer.policy);
      if (known && reply.status === 304) {
        this.remember(key, known.answer.contentHash, url, reply, known.answer);
        return known.picture;
      }
      return await this.take(organizationId, url, reply);
    } catch (error) {
      this.failures.set(key, reasonOf(error));
      throw error;
    }
  }

  private fetch(
    url: string,
    policy: CachePolicy | undefined,
  ): Promise<OutboundReply> {
    const conditions = policy?.revalidationHeaders(toCacheRequest(url)) ?? {};
    return this.outbound.fetch(url, {
      headers: { ...HEADERS, ...textHeaders(conditions) },
      maxRedirects: REDIRECTS,
      timeoutMs: this.limits.timeoutMs,
      maxBytes: this.limits.maxBytes,
    });
  }

  private async take(
    organizationId: string,
    url: string,
    reply: OutboundReply,
  ): Promise<Picture> {
    if (reply.status !== 200)
      throw pictureFault(
        `${new URL(reply.url).host} answered with status ${reply.status}.`,
      );
    const { contentHash, picture } = await this.cache.encode(
      organizationId,
      reply.body,
    );
    this.remember(`${organizationId} ${url}`, contentHash, url, reply);
    return picture;
  }

  private remember(
    key: string,
    contentHash: string,
    url: string,
    { status, headers }: OutboundReply,
    before?: Answer,
  ): void {
    const response = { status, headers: freshness(headers) };
    const policy = before
      ? before.policy.revalidatedPolicy(toCacheRequest(url), {
          status,
          headers,
        }).policy
      : new CachePolicy(toCacheRequest(url), response, { shared: false });
    if (policy.storable()) this.answers.set(key, { policy, contentHash });
    else this.answers.delete(key);
  }
}

/** The request as the rules of caching see it. */
function toCacheRequest(url: string): CachePolicy.Request {
  return { url, method: "GET", headers: HEADERS };
}

function textHeaders(headers: CachePolicy.Headers): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    String(value),
  ]);
  return Object.fromEntries(entries);
}

type Headers = Readonly<Record<string, string>>;

/** Used as long as this where a server says nothing: a batch asks it once, and a new logo is seen soon. */
const SECONDS = 300;

/** The headers of an answer; with a time that it stays fresh, where they give none and do not forbid it. */
function freshness(headers: Headers): Headers {
  const { expires, pragma, "cache-control": control = "" } = headers;
  const isTold =
    expires !== undefined ||
    pragma !== undefined ||
    /max-age|no-store|no-cache|must-revalidate|immutable/i.test(control);
  if (isTold) return headers;
  const own = `max-age=${SECONDS}`;
  return { ...headers, "cache-control": control ? `${control}, ${own}` : own };
}

/** Work that is asked for several times at once is done once. */
class SingleFlight<T> {
  private readonly running = new Map<string, Promise<T>>();

  do(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.running.get(key);
    if (known) return known;
    const begun = work().finally(() => this.running.delete(key));
    this.running.set(key, begun);
    return begun;
  }
}
