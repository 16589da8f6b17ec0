import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../lib/injection.js";
import { SecretBox } from "../lib/secrets.js";
import { SECRETS } from "../lib/tokens.js";
import {
  Automations,
  AutomationWorker,
  ChangeNotices,
  ChangeSubscriptionWorker,
  createSubscriptionRetry,
} from "./index.js";
import { CREDENTIALS_OBSERVER } from "../integrations/connections/tokens.js";
import { QUEUE } from "../queue/tokens.js";
import * as t from "./tokens.js";

export function registerAutomations(container: DependencyContainer): void {
  registerClass(container, t.AUTOMATIONS, Automations);
  registerClass(container, t.AUTOMATION_WORKER, AutomationWorker);
  registerClass(container, t.CHANGE_NOTICES, ChangeNotices);
  registerClass(
    container,
    t.CHANGE_SUBSCRIPTION_WORKER,
    ChangeSubscriptionWorker,
  );
  registerFactory(container, CREDENTIALS_OBSERVER, (c) =>
    createSubscriptionRetry(c.resolve(QUEUE)),
  );
  registerFactory(
    container,
    t.CHANGE_SECRETS,
    (c) => new SecretBox(c.resolve(SECRETS), "change notices"),
  );
}
