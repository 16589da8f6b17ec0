import type { DependencyContainer } from "tsyringe";
import { recordAudit } from "../accounts/index.js";
import { make } from "./make.js";
import { Links, Runs } from "../integrations/platforms/index.js";
import { SecretBox } from "../lib/secrets.js";
import { serviceSecrets } from "./service-secrets.js";
import * as t from "./tokens.js";

/** Links for people without a key, and the pages' doings behind them. */
export function joinLinks(container: DependencyContainer): void {
  make(
    container,
    t.LINKS,
    (c) =>
      new Links({
        store: c.resolve(t.STORE),
        secrets: new SecretBox(serviceSecrets(c), "link tokens"),
        connections: c.resolve(t.CONNECTIONS),
        baseUrl: c.resolve(t.BASE_URL),
        noteAct: recordAudit,
      }),
  );
  make(
    container,
    t.RUNS,
    (c) =>
      new Runs({
        store: c.resolve(t.STORE),
        secrets: new SecretBox(serviceSecrets(c), "run forms"),
        records: c.resolve(t.RECORD_BATCHES),
        connections: c.resolve(t.CONNECTIONS),
        batches: c.resolve(t.BATCHES),
      }),
  );
}
