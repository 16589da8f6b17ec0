import { Piscina } from "piscina";
import type { FinishAnswer, FinishRequest } from "./finish-messages.js";

/** The thread ends when nobody has needed it for a while. */
const IDLE_MS = 60_000;

export type FinishPool = Piscina<FinishRequest, FinishAnswer>;

/** One thread. Its file lies beside this one, with its ending: `.js` when built, `.ts` when tests run the sources. */
export function startFinishPool(): FinishPool {
  const ending = import.meta.url.slice(-3);
  return new Piscina<FinishRequest, FinishAnswer>({
    filename: new URL(`./finish-worker${ending}`, import.meta.url).href,
    name: "finishInThread",
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
}
