import type { DependencyContainer } from "tsyringe";
import { make } from "./make.js";
import { Outbound } from "../lib/outbound/index.js";
import * as t from "./tokens.js";

/** Calls to addresses that others have named. */
export function joinOutbound(container: DependencyContainer): void {
  make(container, t.OUTBOUND, (c) => {
    const { baseUrl, outbound } = c.resolve(t.CONFIG);
    return new Outbound({
      ...outbound,
      own: baseUrl === null ? null : new URL(baseUrl),
      log: c.resolve(t.LOG),
    });
  });
}
