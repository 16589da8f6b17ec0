import type { DependencyContainer } from "tsyringe";
import { service } from "../accounts/index.js";
import type { DemoSeedNote } from "./demo.js";
import * as t from "./tokens.js";

/** Lets a newcomer have documents signed at once, by the provider that lives inside the service. */
export async function demoConnection(
  container: DependencyContainer,
  demo: DemoSeedNote | null,
): Promise<void> {
  if (demo === null) return;
  const input = {
    provider: "demo-esign",
    name: "Demo, not legally binding",
    credentials: {},
  };
  await container.resolve(t.CONNECTIONS).create(demo, input, service);
}
