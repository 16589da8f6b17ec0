import { googleRefusals } from "./google-refusal.js";

const minuteMs = 60_000;

/** So many reads and so many writes in any minute for each user. */
export class Quota {
  private readonly starts = new Map<string, number[]>();

  constructor(private readonly perMinute: number) {}

  use(user: string, metric: "Read" | "Write"): void {
    const key = `${metric} ${user}`;
    const now = Date.now();
    const recent = (this.starts.get(key) ?? []).filter(
      (at) => at > now - minuteMs,
    );
    if (recent.length >= this.perMinute) throw googleRefusals.quota(metric);
    this.starts.set(key, [...recent, now]);
  }
}
