import type { DependencyContainer } from "tsyringe";
import { service } from "../accounts/index.js";
import type { DemoNote, DemoSeedNote } from "./demo.js";
import * as t from "./tokens.js";

/** Adds a sign-in link for the demo user, which can be made only once it is known where the service is reached. */
export async function demoLoginLink(
  container: DependencyContainer,
  demo: DemoSeedNote | null,
): Promise<DemoNote | null> {
  if (demo === null) return null;
  const { url } = await container.resolve(t.LOGIN_LINKS).issue(demo, service);
  return { ...demo, loginUrl: url };
}
