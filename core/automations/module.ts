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
} from "./index.js";
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
  registerFactory(
    container,
    t.CHANGE_SECRETS,
    (c) => new SecretBox(c.resolve(SECRETS), "change notices"),
  );
}
