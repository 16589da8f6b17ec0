import { PlatenError, type Deadline } from "../plugin-api/index.js";
import type { RenderDocument } from "./render-pipeline.js";

/** How many documents of one organization this process renders at once for callers who wait. */
export interface RenderLimit {
  /** null: no limit. */
  max: number | null;
  /** How long a further one waits for its turn. */
  maxWaitMs: number;
}

const retryAfterSeconds = 5;
const waitingPhase = "it waited for other documents of its organization";
/** More callers of one organization than this do not wait at all, since each request is kept in memory. */
const maxWaiting = 256;

/** The renders of one organization; they take their turns in the order in which they came. */
interface Turns {
  running: number;
  waiting: (() => void)[];
}

/** Keeps one organization from occupying the whole process: its further renders wait for a short time, then are `busy`. */
export function limitRenders(
  render: RenderDocument,
  { max, maxWaitMs }: RenderLimit,
): RenderDocument {
  if (max === null) return render;
  const organizations = new Map<string, Turns>();
  const busy = () =>
    new PlatenError(
      "busy",
      `This organization already renders ${max} documents at once. Send fewer at a time, or send a batch.`,
      { retryAfterSeconds },
    );

  const enter = async (turns: Turns, deadline: Deadline): Promise<void> => {
    if (turns.running < max) {
      turns.running += 1;
      return;
    }
    deadline.check(waitingPhase);
    if (turns.waiting.length >= maxWaiting) throw busy();
    const { signal } = deadline;
    await new Promise<void>((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const start = () => {
        stopWaiting();
        resolve();
      };
      const fail = (error: unknown) => {
        stopWaiting();
        turns.waiting.splice(turns.waiting.indexOf(start), 1);
        reject(error);
      };
      const onAbort = () =>
        fail(
          signal.reason instanceof PlatenError
            ? signal.reason
            : deadline.error(waitingPhase),
        );
      const timer = setTimeout(() => fail(busy()), maxWaitMs);
      signal.addEventListener("abort", onAbort, { once: true });
      turns.waiting.push(start);
    });
  };

  return async (request, watch) => {
    const { organizationId } = request;
    const turns = organizations.get(organizationId) ?? {
      running: 0,
      waiting: [],
    };
    organizations.set(organizationId, turns);
    await enter(turns, watch.deadline);
    try {
      return await render(request, watch);
    } finally {
      // The next waiting render takes over the slot.
      const next = turns.waiting.shift();
      if (next) next();
      else turns.running -= 1;
      if (turns.running === 0) organizations.delete(organizationId);
    }
  };
}
