import { createToken } from "../lib/tokens.js";
import type { Automations, AutomationWorker } from "./index.js";

export const AUTOMATIONS = createToken<Automations>("Automations");
/** Runs automations when they are due. */
export const AUTOMATION_WORKER =
  createToken<AutomationWorker>("AutomationWorker");
