import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../../lib/injection.js";
import { SecretBox } from "../../lib/secrets.js";
import { SECRETS } from "../../lib/tokens.js";
import { Authorizations, ConnectionService } from "./index.js";
import { AUTHORIZATIONS, CONNECTIONS, CREDENTIAL_SECRETS } from "./tokens.js";

export function registerConnections(container: DependencyContainer): void {
  registerClass(container, CONNECTIONS, ConnectionService);
  registerClass(container, AUTHORIZATIONS, Authorizations);
  registerFactory(
    container,
    CREDENTIAL_SECRETS,
    (c) => new SecretBox(c.resolve(SECRETS), "connection credentials"),
  );
}
