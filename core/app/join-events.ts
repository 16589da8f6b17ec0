import type { DependencyContainer } from "tsyringe";
import { recordAudit } from "../accounts/index.js";
import { createEvents, registerEventMetrics } from "../webhooks/index.js";
import { make } from "./make.js";
import { SecretBox } from "../lib/secrets.js";
import { serviceSecrets } from "./service-secrets.js";
import * as t from "./tokens.js";

/** What happens to documents, told to webhook endpoints. */
export function joinEvents(container: DependencyContainer): void {
  make(container, t.EVENTS, (c) => {
    const { webhooks, batch } = c.resolve(t.CONFIG);
    const events = createEvents({
      store: c.resolve(t.STORE),
      queue: c.resolve(t.QUEUE),
      outbound: c.resolve(t.OUTBOUND),
      secrets: new SecretBox(serviceSecrets(c), "webhook secrets"),
      noteAct: recordAudit,
      settings: { ...webhooks, leaseMs: batch.leaseMs },
      userAgent: `Platen/${c.resolve(t.PACKAGE).version}`,
      log: c.resolve(t.LOG),
    });
    registerEventMetrics(c.resolve(t.METRICS), events.dispatch);
    return events;
  });
}
