import { type DependencyContainer, registerClass } from "../lib/injection.js";
import { Automations, AutomationWorker } from "./index.js";
import * as t from "./tokens.js";

export function registerAutomations(container: DependencyContainer): void {
  registerClass(container, t.AUTOMATIONS, Automations);
  registerClass(container, t.AUTOMATION_WORKER, AutomationWorker);
}
