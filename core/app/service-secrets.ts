import type { DependencyContainer } from "tsyringe";
import * as t from "./tokens.js";

/** The service's secret, then the earlier ones that still open what was sealed with them. */
export function serviceSecrets(
  container: DependencyContainer,
): readonly [string, ...string[]] {
  const { previousSecrets } = container.resolve(t.CONFIG);
  return [container.resolve(t.SECRET), ...previousSecrets];
}
