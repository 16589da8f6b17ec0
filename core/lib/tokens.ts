import type { InjectionToken } from "tsyringe";
import type { Config } from "../../config/index.js";
import type { FileStore, Log, Metrics } from "../plugin-api/index.js";
import type { Mailer } from "./mailer.js";
import type { PackageInfo } from "./package-info.js";

/** A name under which a service is injected. */
export function createToken<T>(name: string): InjectionToken<T> {
  return Symbol(name);
}

// What the process that starts the service registers.

export const CONFIG = createToken<Config>("Config");
export const LOG = createToken<Log>("Log");
export const PACKAGE = createToken<PackageInfo>("PackageInfo");
export const METRICS = createToken<Metrics>("Metrics");
export const FILE_STORE = createToken<FileStore>("FileStore");
export const SECRET = createToken<string>("secret");
/** The secret, then the previous ones, which still open what was encrypted with them. */
export const SECRETS = createToken<readonly [string, ...string[]]>(
  "secret and previous secrets",
);
/** Where callers reach the service, without a slash at the end. */
export const BASE_URL = createToken<string>("base URL");
/** Aborted when the service begins to stop. */
export const DRAINING = createToken<AbortController>("draining");
/** How long one render may take. */
export const RENDER_TIMEOUT_MS = createToken<number>("render timeout");
/** Null: no mail server is configured. */
export const MAILER = createToken<Mailer | null>("Mailer");
