/** What was sent at an even pace may arrive bunched: on a busy machine so many come early. */
const early = 2;

/** So many requests in any second for each key; who sends more is refused for 30 seconds. */
export class RateLimit {
  private readonly starts = new Map<string, number[]>();
  private readonly blockedUntil = new Map<string, number>();
  refused = 0;

  constructor(private readonly penaltyMs = 30_000) {}

  allows(key: string, perSecond: number): boolean {
    const now = Date.now();
    const recent = (this.starts.get(key) ?? []).filter((at) => at > now - 1000);
    if (recent.length >= perSecond + early)
      this.blockedUntil.set(key, now + this.penaltyMs);
    this.starts.set(key, [...recent, now]);
    const isAllowed = now >= (this.blockedUntil.get(key) ?? 0);
    if (!isAllowed) this.refused += 1;
    return isAllowed;
  }
}
