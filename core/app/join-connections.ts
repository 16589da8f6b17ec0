import type { DependencyContainer } from "tsyringe";
import { recordAudit } from "../accounts/index.js";
import { ConnectionService } from "../integrations/connections/index.js";
import { make } from "./make.js";
import { SecretBox } from "../lib/secrets.js";
import { serviceSecrets } from "./service-secrets.js";
import * as t from "./tokens.js";

/** Saved access to platforms and e-signature providers. */
export function joinConnections(container: DependencyContainer): void {
  make(
    container,
    t.CONNECTIONS,
    (c) =>
      new ConnectionService({
        store: c.resolve(t.STORE),
        hosts: {
          platform: c.resolve(t.PLATFORMS),
          esign: c.resolve(t.ESIGN_PROVIDERS),
        },
        secrets: new SecretBox(serviceSecrets(c), "connection credentials"),
        noteAct: recordAudit,
      }),
  );
}
