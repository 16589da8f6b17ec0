import { type DependencyContainer, registerFactory } from "../lib/injection.js";
import { OUTBOUND } from "../lib/outbound/tokens.js";
import { SecretBox } from "../lib/secrets.js";
import { CONFIG, LOG, METRICS, PACKAGE, SECRETS } from "../lib/tokens.js";
import { QUEUE } from "../queue/tokens.js";
import { STORE } from "../storage/database/tokens.js";
import { createEvents, registerEventMetrics } from "./index.js";
import { EVENTS } from "./tokens.js";

export function registerWebhooks(container: DependencyContainer): void {
  registerFactory(container, EVENTS, (c) => {
    const events = createEvents({
      store: c.resolve(STORE),
      queue: c.resolve(QUEUE),
      outbound: c.resolve(OUTBOUND),
      secrets: new SecretBox(c.resolve(SECRETS), "webhook secrets"),
      settings: c.resolve(CONFIG).webhooks,
      userAgent: `Platen/${c.resolve(PACKAGE).version}`,
      log: c.resolve(LOG),
    });
    registerEventMetrics(c.resolve(METRICS), events.dispatch);
    return events;
  });
}
