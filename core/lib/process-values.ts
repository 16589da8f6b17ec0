// Values of the process, which the process that starts the service registers, and what follows from them alone.
import type { Config } from "../../config/index.js";
import {
  type FileStore,
  type Log,
  type Metrics,
  noMetrics,
} from "../plugin-api/index.js";
import { createToken, provide } from "./injection.js";
import type { PackageInfo } from "./package-info.js";

export const CONFIG = createToken<Config>("Config");
export const LOG = createToken<Log>("Log");
export const PACKAGE = createToken<PackageInfo>("PackageInfo");
export const FILE_STORE = createToken<FileStore>("FileStore");
export const SECRET = createToken<string>("secret");
/** Where callers reach the service, without a slash at the end. */
export const BASE_URL = createToken<string>("base URL");

/** The path of an address, without a slash at the end; empty for none. */
export function getBasePath(url: string): string {
  return new URL(url).pathname.replace(/\/$/, "");
}

/** A process that serves metrics registers its own. */
export const METRICS = createToken<Metrics>("Metrics");
provide(METRICS, () => noMetrics);

/** The secret, then the previous ones, which still open what was encrypted with them. */
export const SECRETS = createToken<readonly [string, ...string[]]>(
  "secret and previous secrets",
);
provide(SECRETS, (c): readonly [string, ...string[]] => [
  c.resolve(SECRET),
  ...c.resolve(CONFIG).previousSecrets,
]);

/** Aborted when the service begins to stop. */
export const DRAINING = createToken<AbortController>("draining");
provide(DRAINING, () => new AbortController());

export const RENDER_TIMEOUT_MS = createToken<number>("render timeout");
provide(RENDER_TIMEOUT_MS, (c) => c.resolve(CONFIG).render.timeoutMs);
