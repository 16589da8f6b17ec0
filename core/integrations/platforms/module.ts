import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../../lib/injection.js";
import { SecretBox } from "../../lib/secrets.js";
import { CONFIG, SECRETS } from "../../lib/tokens.js";
import {
  ButtonSetup,
  FetchWorker,
  FileBatches,
  Links,
  PlatformRecordSource,
  RateLimits,
  RecordBatches,
  Runs,
  WriteBackWorker,
} from "./index.js";
import * as t from "./tokens.js";

export function registerPlatforms(container: DependencyContainer): void {
  registerClass(container, t.RECORD_SOURCE, PlatformRecordSource);
  registerClass(container, t.PLATFORM_RATE_LIMITS, RateLimits);
  registerClass(container, t.RECORD_BATCHES, RecordBatches);
  registerClass(container, t.FILE_BATCHES, FileBatches);
  registerClass(container, t.FETCH_WORKER, FetchWorker);
  registerClass(container, t.WRITE_BACK_WORKER, WriteBackWorker);
  registerClass(container, t.BUTTON_SETUP, ButtonSetup);
  registerClass(container, t.LINKS, Links);
  registerClass(container, t.RUNS, Runs);
  registerFactory(
    container,
    t.LINK_SECRETS,
    (c) => new SecretBox(c.resolve(SECRETS), "link tokens"),
  );
  registerFactory(
    container,
    t.FORM_SECRETS,
    (c) => new SecretBox(c.resolve(SECRETS), "run forms"),
  );
  registerFactory(
    container,
    t.WRITE_BACK_DELAYS_MS,
    (c) => c.resolve(CONFIG).platforms.writeBackDelaysMs,
  );
}
