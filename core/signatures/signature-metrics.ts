import type { Metrics } from "../plugin-api/index.js";
import { SignatureRequest, type Store } from "../storage/database/index.js";

const open = ["starting", "pending"] as const;

/** Registers how many requests have not ended, and whether they are stuck. */
export function registerSignatureMetrics(
  metrics: Metrics,
  { read }: Pick<Store, "read">,
  now: () => Date,
): void {
  metrics.gauge(
    {
      name: "platen_signatures",
      help: "Signature requests in progress, in all processes.",
      labels: ["status"],
    },
    () =>
      Promise.all(
        open.map(async (status) => ({
          labels: { status },
          value: await read.countBy(SignatureRequest, { status }),
        })),
      ),
  );
  metrics.gauge(
    {
      name: "platen_signature_oldest_starting_seconds",
      help: "How long the oldest request that its provider does not have yet has waited.",
    },
    async () => {
      const oldest = await read.findOne(SignatureRequest, {
        where: { status: "starting" },
        select: { id: true, createdAt: true },
        order: { createdAt: "ASC" },
      });
      const since = oldest?.createdAt.getTime() ?? Infinity;
      const value = Math.max(0, (now().getTime() - since) / 1000);
      return [{ labels: {}, value }];
    },
  );
}
