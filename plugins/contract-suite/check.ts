import { fail } from "node:assert/strict";
import type {
  PlatformErrorCode,
  PlatformPlugin,
} from "../../core/plugin-api/index.js";
import { errorCodeOf } from "./error-code-of.js";
import type { Session } from "./session.js";

/** One promise of the contract. `run` rejects with what is wrong. */
export interface SessionCheck {
  title: string;
  /** Left out: every plugin must keep it. */
  appliesTo?(plugin: PlatformPlugin<never>): boolean;
  run<C>(session: Session<C>): Promise<void>;
}

/** Fails unless `work` rejects with one of these codes, in words that hold no secret. */
export async function refuses(
  { secrets }: { secrets: readonly string[] },
  codes: readonly PlatformErrorCode[],
  what: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const wanted = codes.join(" or ");
  let answer: unknown;
  try {
    answer = await work();
  } catch (error) {
    const code = errorCodeOf(error);
    const message = error instanceof Error ? error.message : String(error);
    if (secrets.some((secret) => message.includes(secret)))
      fail(`${what}: the error's message tells a secret of the credentials.`);
    if (codes.some((one) => one === code)) return;
    fail(
      `${what}: must reject with PlatformError ${wanted}, not ${code ?? "another error"}: ${message}`,
    );
  }
  fail(
    `${what}: must reject with PlatformError ${wanted}, but answered ${JSON.stringify(answer).slice(0, 200)}`,
  );
}

export function writesFiles(plugin: PlatformPlugin<never>): boolean {
  return plugin.writeBack !== undefined;
}

export function readsBack(plugin: PlatformPlugin<never>): boolean {
  return writesFiles(plugin) && plugin.capabilities.readBack;
}
