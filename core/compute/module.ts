import { type DependencyContainer, registerFactory } from "../lib/injection.js";
import { Compute } from "./index.js";
import { COMPUTE } from "./tokens.js";

export function registerCompute(container: DependencyContainer): void {
  registerFactory(container, COMPUTE, () => new Compute());
}
