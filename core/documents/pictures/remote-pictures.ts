import CachePolicy from "http-cache-semantics";
import { LRUCache } from "lru-cache";
import type { Outbound, OutboundReply } from "../../lib/outbound/index.js";
import type { Picture } from "./encode-picture.js";
import { freshness } from "./freshness.js";
import type { PictureCache } from "./picture-cache.js";
import { pictureFault, reasonOf } from "../../assets/index.js";
import type { PictureLimits } from "./picture-limits.js";
import { SingleFlight } from "./single-flight.js";

const REDIRECTS = 5;

/** An address that failed is not asked again for so long: a batch must not wait for a dead server at every document. */
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

/** Images of other machines, fetched once and asked for again as HTTP's rules of caching (RFC 9111) say. */
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
    const known = this.known(organizationId, key);
    if (known?.answer.policy.satisfiesWithoutRevalidation(asked(url)))
      return known.picture;
    const failure = this.failures.get(key);
    if (failure !== undefined) throw pictureFault(failure);
    return this.flights.do(key, () => this.ask(organizationId, url));
  }

  private known(organizationId: string, key: string) {
    const answer = this.answers.get(key);
    if (!answer) return null;
    const picture = this.cache.find(organizationId, answer.contentHash);
    return picture && { answer, picture };
  }

  private async ask(organizationId: string, url: string): Promise<Picture> {
    const key = `${organizationId} ${url}`;
    try {
      const known = this.known(organizationId, key);
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
    const conditions = policy?.revalidationHeaders(asked(url)) ?? {};
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
      ? before.policy.revalidatedPolicy(asked(url), { status, headers }).policy
      : new CachePolicy(asked(url), response, { shared: false });
    if (policy.storable()) this.answers.set(key, { policy, contentHash });
    else this.answers.delete(key);
  }
}

/** The request as the rules of caching see it. */
function asked(url: string): CachePolicy.Request {
  return { url, method: "GET", headers: HEADERS };
}

function textHeaders(headers: CachePolicy.Headers): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    String(value),
  ]);
  return Object.fromEntries(entries);
}
