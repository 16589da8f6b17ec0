import { Piscina } from "piscina";
import type { FinishAnswer, FinishRequest } from "./finish-messages.js";

export type FinishPool = Piscina<FinishRequest, FinishAnswer>;

/** One thread. Its file lies beside this one, with its ending: `.js` when built, `.ts` when tests run the sources. */
export function startFinishPool(): FinishPool {
  const ending = import.meta.url.slice(-3);
  return new Piscina<FinishRequest, FinishAnswer>({
    filename: new URL(`./finish-worker${ending}`, import.meta.url).href,
    name: "finishInThread",
    // None at least would leave what waits without a thread when one is ended.
    minThreads: 1,
    maxThreads: 1,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
}
