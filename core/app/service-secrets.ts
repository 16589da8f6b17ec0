import type { DependencyContainer } from "tsyringe";
import { SECRETS } from "../lib/tokens.js";

/** For the `join-*.ts` files until they are module.ts files, see modules.ts. */
export function serviceSecrets(container: DependencyContainer) {
  return container.resolve(SECRETS);
}
