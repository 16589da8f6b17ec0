import type { SecretBox } from "../../lib/secrets.js";
import { createToken } from "../../lib/tokens.js";
import type {
  Authorizations,
  ConnectionService,
  CredentialsObserver,
} from "./index.js";

export const CONNECTIONS = createToken<ConnectionService>("ConnectionService");
export const AUTHORIZATIONS = createToken<Authorizations>("Authorizations");
/** Registered by the module that uses connections for work that may have failed. */
export const CREDENTIALS_OBSERVER = createToken<CredentialsObserver>(
  "CredentialsObserver",
);
/** Encrypts the credentials of connections. */
export const CREDENTIAL_SECRETS = createToken<SecretBox>("credential secrets");
