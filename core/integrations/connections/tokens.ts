import type { SecretBox } from "../../lib/secrets.js";
import { createToken } from "../../lib/tokens.js";
import type { Authorizations, ConnectionService } from "./index.js";

export const CONNECTIONS = createToken<ConnectionService>("ConnectionService");
export const AUTHORIZATIONS = createToken<Authorizations>("Authorizations");
/** Encrypts the credentials of connections. */
export const CREDENTIAL_SECRETS = createToken<SecretBox>("credential secrets");
