import { numberOf } from "../../format.js";
import type { BatchLine as Batch } from "../../../../../../core/plugin-api/app-ledgers.js";

/** How many of a batch's documents have ended, as a bar and in figures. */
export function BatchProgress({ batch }: { batch: Batch }) {
  const { totalCount, remaining, failed } = batch;
  const ended = totalCount - remaining;
  const share = (count: number) => ({
    width: `${(100 * count) / totalCount}%`,
  });
  return (
    <div class="progress">
      <div
        class="track"
        role="progressbar"
        aria-label="Documents that have ended"
        aria-valuemin={0}
        aria-valuemax={totalCount}
        aria-valuenow={ended}
      >
        <span class="made" style={share(ended - failed)} />
        <span class="lost" style={share(failed)} />
      </div>
      <span class="muted small figures">
        {numberOf(ended)} of {numberOf(totalCount)}
      </span>
    </div>
  );
}
