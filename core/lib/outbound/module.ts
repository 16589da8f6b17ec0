import { type DependencyContainer, registerFactory } from "../injection.js";
import { CONFIG, LOG } from "../tokens.js";
import { Outbound } from "./index.js";
import { FIND_ORGANIZATION_NETWORKS, OUTBOUND } from "./tokens.js";

export function registerOutbound(container: DependencyContainer): void {
  registerFactory(container, OUTBOUND, (c) => {
    const { baseUrl, outbound } = c.resolve(CONFIG);
    return new Outbound({
      ...outbound,
      findOrganizationNetworks: c.resolve(FIND_ORGANIZATION_NETWORKS),
      own: baseUrl === null ? null : new URL(baseUrl),
      log: c.resolve(LOG),
    });
  });
}
