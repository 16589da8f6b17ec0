import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "puppeteer-core";

/** Answers that wait on their way to the page. */
export interface LateAnswer {
  /** Until the service was asked. */
  asked: Promise<void>;
  /** Lets what waits go on, and what will be asked. */
  release: () => unknown;
}

interface HeldAnswersOptions {
  /** Whether already the request waits; by default the service has done what it was asked for. */
  isRequest?: boolean;
}

/** Holds what the page asks of addresses with this part, such as `show=trash`, until it is released. */
export async function holdAnswers(
  page: Page,
  part: string,
  { isRequest = false }: HeldAnswersOptions = {},
): Promise<LateAnswer> {
  const asked = newSignal();
  const released = newSignal();
  const stage = isRequest ? "Request" : "Response";
  await passing(page, part, stage, () => {
    asked.give();
    return released.given;
  });
  return { asked: asked.given, release: released.give };
}

/** Has each answer from addresses with this part come so much later, as over a slow network. */
export function delayAnswers(
  page: Page,
  part: string,
  ms: number,
): Promise<void> {
  return passing(page, part, "Response", () => pause(ms));
}

function newSignal(): { given: Promise<void>; give: () => unknown } {
  const bell = new EventTarget();
  const given = once(bell, "ring").then(() => undefined);
  return { given, give: () => bell.dispatchEvent(new Event("ring")) };
}

async function passing(
  page: Page,
  part: string,
  requestStage: "Request" | "Response",
  wait: () => Promise<void>,
): Promise<void> {
  const session = await page.createCDPSession();
  session.on("Fetch.requestPaused", ({ requestId }) => {
    void wait()
      .then(() => session.send("Fetch.continueRequest", { requestId }))
      // The page was left meanwhile.
      .catch(() => undefined);
  });
  const patterns = [{ urlPattern: `*${part}*`, requestStage }];
  await session.send("Fetch.enable", { patterns });
}
