import { createHash } from "node:crypto";
import type { TableScope } from "../../../plugin-api/index.js";
import type { CallablePlugin } from "../callable-plugins.js";
import { Lane } from "./lane.js";

/** How many are kept before those that stand idle are forgotten. */
const mostLanes = 1000;

/** A lane for each limit of each platform and provider. */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();

  /** @param processes how many share these limits: each takes its part. */
  constructor(private readonly processes: number) {}

  laneOf(
    { meta, rate }: CallablePlugin,
    credentials: unknown,
    scope: Partial<TableScope>,
  ): Lane {
    const key = `${meta.kind} ${meta.id} ${digest(rate.key(credentials, scope))}`;
    const lane = this.lanes.get(key) ?? this.open(rate, credentials);
    this.lanes.set(key, lane);
    return lane;
  }

  private open(rate: CallablePlugin["rate"], credentials: unknown): Lane {
    const { maxPerMinute = Infinity, maxInFlight } = rate;
    const perSecond = rate.perSecond
      ? rate.perSecond(credentials)
      : rate.maxPerSecond;
    if (this.lanes.size >= mostLanes) this.forgetIdle();
    const { processes } = this;
    return new Lane({
      spacingMs: (1000 / (perSecond ?? Infinity)) * processes,
      maxPerMinute: Math.max(1, Math.floor(maxPerMinute / processes)),
      maxInFlight: Math.max(1, Math.floor(maxInFlight / processes)),
    });
  }

  private forgetIdle(): void {
    for (const [key, lane] of this.lanes)
      if (lane.isIdle) this.lanes.delete(key);
  }
}

/** Keys may hold credentials. */
function digest(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}
