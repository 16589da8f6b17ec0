import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { CDPSession, Page, Protocol } from "puppeteer-core";

/** Answers that wait on their way to the page. */
export interface HeldResponses {
  /** Until the service was asked. */
  requested: Promise<void>;
  /** Lets what waits go on, and what will be asked. */
  release: () => unknown;
}

interface HoldOptions {
  /** Whether already the request waits; by default the service has done what it was asked for. */
  isRequest?: boolean;
  /** Of these alone. */
  method?: "PUT";
}

/** Holds what the page asks of addresses with this part, such as `show=trash`, until it is released. */
export async function holdResponses(
  page: Page,
  part: string,
  { isRequest = false, method }: HoldOptions = {},
): Promise<HeldResponses> {
  const requested = createSignal();
  const released = createSignal();
  const stage = isRequest ? "Request" : "Response";
  await interceptResponses(page, part, stage, async (request) => {
    if (method !== undefined && request.method !== method) return;
    requested.resolve();
    await released.promise;
  });
  return { requested: requested.promise, release: released.resolve };
}

/** Has each answer from addresses with this part come so much later, as over a slow network. */
export function delayResponses(
  page: Page,
  part: string,
  ms: number,
): Promise<void> {
  return interceptResponses(page, part, "Response", () => pause(ms));
}

/**
 * Loses the answers from addresses with this part: the service has done what it was asked for, and the page does not
 * hear of it. @returns what lets the answers after it through.
 */
export async function dropResponses(
  page: Page,
  part: string,
): Promise<() => void> {
  const session = await openSession(page);
  let isOver = false;
  session.on("Fetch.requestPaused", ({ requestId }) => {
    const fate = isOver
      ? session.send("Fetch.continueRequest", { requestId })
      : session.send("Fetch.failRequest", {
          requestId,
          errorReason: "ConnectionAborted",
        });
    void fate.catch(() => undefined);
  });
  const patterns = [
    { urlPattern: `*${part}*`, requestStage: "Response" as const },
  ];
  await session.send("Fetch.enable", { patterns });
  // Without the interception, what the browser has just paused would never go on.
  return () => {
    isOver = true;
  };
}

const sessions = new WeakMap<Page, CDPSession[]>();

async function openSession(page: Page): Promise<CDPSession> {
  const session = await page.createCDPSession();
  sessions.set(page, [...(sessions.get(page) ?? []), session]);
  return session;
}

/** Lets everything through again. */
export async function stopDelays(page: Page): Promise<void> {
  for (const session of sessions.get(page) ?? []) await session.detach();
  sessions.delete(page);
}

function createSignal(): { promise: Promise<void>; resolve: () => unknown } {
  const target = new EventTarget();
  const promise = once(target, "ring").then(() => undefined);
  return { promise, resolve: () => target.dispatchEvent(new Event("ring")) };
}

async function interceptResponses(
  page: Page,
  part: string,
  requestStage: "Request" | "Response",
  wait: (request: Protocol.Network.Request) => Promise<void>,
): Promise<void> {
  const session = await openSession(page);
  session.on("Fetch.requestPaused", ({ requestId, request }) => {
    void wait(request)
      .then(() => session.send("Fetch.continueRequest", { requestId }))
      // The page was left meanwhile.
      .catch(() => undefined);
  });
  const patterns = [{ urlPattern: `*${part}*`, requestStage }];
  await session.send("Fetch.enable", { patterns });
}
