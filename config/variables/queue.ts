import { z } from "zod";
import { duration } from "../duration.js";
import type { Variable } from "../variable.js";

const serverUrl = z
  .url({ protocol: /^postgres(ql)?$/ })
  .optional()
  .transform((url) => url ?? null);

/** How workers learn that there is something to do. */
export const queueVariables = {
  PLATEN_QUEUE_URL: {
    schema: serverUrl,
    expected:
      "postgres:// of the server that carries the wake-ups; unset for the service's own database",
    example: "postgres://platen:password@127.0.0.1:5432/platen",
    isSecret: true,
  },
  PLATEN_QUEUE_POLL: {
    schema: duration("1s").pipe(z.number().min(50).max(60_000)),
    expected: "how often to look for work of other processes, 50ms to 60s",
    example: "1s",
  },
} satisfies Record<string, Variable<unknown>>;
