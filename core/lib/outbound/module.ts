import { type DependencyContainer, registerFactory } from "../injection.js";
import { CONFIG, LOG } from "../tokens.js";
import { Outbound } from "./index.js";
import { OUTBOUND } from "./tokens.js";

export function registerOutbound(container: DependencyContainer): void {
  registerFactory(container, OUTBOUND, (c) => {
    const { baseUrl, outbound } = c.resolve(CONFIG);
    return new Outbound({
      ...outbound,
      own: baseUrl === null ? null : new URL(baseUrl),
      log: c.resolve(LOG),
    });
  });
}
