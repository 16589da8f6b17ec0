import { createToken } from "../lib/tokens.js";
import type { SecretBox } from "../lib/secrets.js";
import type {
  Automations,
  AutomationWorker,
  ChangeNotices,
  ChangeSubscriptionWorker,
} from "./index.js";

export const AUTOMATIONS = createToken<Automations>("Automations");
/** Runs automations when they are due. */
export const AUTOMATION_WORKER =
  createToken<AutomationWorker>("AutomationWorker");
/** Receives what platforms report of changes. */
export const CHANGE_NOTICES = createToken<ChangeNotices>("ChangeNotices");
/** Creates and deletes webhooks on platforms. */
export const CHANGE_SUBSCRIPTION_WORKER = createToken<ChangeSubscriptionWorker>(
  "ChangeSubscriptionWorker",
);
/** Encrypts what platforms sign their notices with. */
export const CHANGE_SECRETS = createToken<SecretBox>("change secrets");
