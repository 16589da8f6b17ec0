import CachePolicy from "http-cache-semantics";
import { LRUCache } from "lru-cache";
import { createImageError, getImageErrorMessage } from "../../assets/index.js";
import type { Outbound, OutboundReply } from "../../lib/outbound/index.js";
import type { Picture, PictureCache, PictureLimits } from "./picture-cache.js";

const REDIRECTS = 5;

/** A URL that failed is not fetched again for this long, so that a batch does not wait for a dead server at every document. */
const FAILED_MS = 30_000;

/** Number of cached responses; their images are limited by size in `PictureCache`. */
const MAX_RESPONSES = 5000;

/** URLs are cache keys, so their length is limited. */
const MAX_URL_CHARACTERS = 8192;

const HEADERS = {
  accept: "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8",
  "user-agent": "Platen",
};

/** The caching rules of a response, and the image it contained. */
interface CachedResponse {
  policy: CachePolicy;
  contentHash: string;
}

/** Images on other servers, fetched once and again when HTTP caching (RFC 9111) requires it. */
export class RemotePictures {
  private readonly responses = new LRUCache<string, CachedResponse>({
    max: MAX_RESPONSES,
  });
  private readonly failures = new LRUCache<string, string>({
    max: MAX_RESPONSES,
    ttl: FAILED_MS,
  });
  private readonly flights = new SingleFlight<Picture>();

  constructor(
    private readonly outbound: Outbound,
    private readonly cache: PictureCache,
    private readonly limits: PictureLimits,
  ) {}

  /** @throws PlatenError with the reason why the image is not available. */
  async load(organizationId: string, url: string): Promise<Picture> {
    if (!this.limits.isFetching)
      throw createImageError(
        "Remote images are not fetched because PLATEN_FETCH_ASSETS is off. Upload the image as an asset, or use a data URL.",
      );
    if (url.length > MAX_URL_CHARACTERS)
      throw createImageError(
        `The URL is longer than ${MAX_URL_CHARACTERS} characters. Use an asset or a data URL.`,
      );
    const key = `${organizationId} ${url}`;
    const known = this.getKnown(organizationId, key);
    if (known?.answer.policy.satisfiesWithoutRevalidation(toCacheRequest(url)))
      return known.picture;
    const failure = this.failures.get(key);
    if (failure !== undefined) throw createImageError(failure);
    return this.flights.do(key, () => this.ask(organizationId, url));
  }

  private getKnown(organizationId: string, key: string) {
    const answer = this.responses.get(key);
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
      this.failures.set(key, getImageErrorMessage(error));
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
      throw createImageError(
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
    before?: CachedResponse,
  ): void {
    const response = { status, headers: withFreshness(headers) };
    const policy = before
      ? before.policy.revalidatedPolicy(toCacheRequest(url), {
          status,
          headers,
        }).policy
      : new CachePolicy(toCacheRequest(url), response, { shared: false });
    if (policy.storable()) this.responses.set(key, { policy, contentHash });
    else this.responses.delete(key);
  }
}

/** The request as the cache policy sees it. */
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

/** Default freshness when the server gives none: a batch fetches an image once, and a new logo appears soon. */
const DEFAULT_MAX_AGE_SECONDS = 300;

/** The response's headers, with a default freshness unless they give or forbid one. */
function withFreshness(headers: Headers): Headers {
  const { expires, pragma, "cache-control": control = "" } = headers;
  const isExplicit =
    expires !== undefined ||
    pragma !== undefined ||
    /max-age|no-store|no-cache|must-revalidate|immutable/i.test(control);
  if (isExplicit) return headers;
  const maxAge = `max-age=${DEFAULT_MAX_AGE_SECONDS}`;
  return {
    ...headers,
    "cache-control": control ? `${control}, ${maxAge}` : maxAge,
  };
}

/** Runs concurrent calls with the same key once. */
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
