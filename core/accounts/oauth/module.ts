import {
  type DependencyContainer,
  registerFactory,
} from "../../lib/injection.js";
import { OUTBOUND } from "../../lib/outbound/tokens.js";
import { BASE_URL, CONFIG, LOG } from "../../lib/tokens.js";
import { STORE } from "../../storage/database/tokens.js";
import { AccessTokens, Clients, Consent, Grants } from "./index.js";
import * as t from "./tokens.js";

export function registerOauth(container: DependencyContainer): void {
  registerFactory(container, t.OAUTH_ADDRESSES, (c) => {
    const issuer = c.resolve(BASE_URL);
    const { url } = c.resolve(CONFIG).mcp;
    return { issuer, resource: `${url ?? issuer}/mcp` };
  });
  registerFactory(
    container,
    t.OAUTH_CLIENTS,
    (c) => new Clients(c.resolve(STORE), c.resolve(OUTBOUND)),
  );
  registerFactory(
    container,
    t.CONSENT,
    (c) =>
      new Consent(
        c.resolve(STORE),
        c.resolve(t.OAUTH_CLIENTS),
        c.resolve(t.OAUTH_ADDRESSES),
      ),
  );
  registerFactory(
    container,
    t.GRANTS,
    (c) => new Grants(c.resolve(STORE), c.resolve(t.OAUTH_ADDRESSES)),
  );
  registerFactory(
    container,
    t.ACCESS_TOKENS,
    (c) => new AccessTokens(c.resolve(STORE), c.resolve(LOG)),
  );
}
