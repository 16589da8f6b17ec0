import type {
  EsignProvider,
  PlatformPlugin,
  PlatformRate,
  PluginKind,
  PluginMeta,
} from "../../plugin-api/index.js";
import type { CredentialsSchema } from "./credentials-schema.js";

/** The kinds of plugins that are called with the credentials of a connection. */
export interface CallablePlugins {
  platform: PlatformPlugin;
  esign: EsignProvider;
}
export type CallableKind = keyof CallablePlugins;

export const CALLABLE_KINDS = [
  "platform",
  "esign",
] as const satisfies readonly CallableKind[];

/** What a call needs to know of a plugin. */
export interface CallablePlugin {
  meta: PluginMeta;
  rate: PlatformRate<unknown>;
}

export function isCallable(kind: string | null): kind is CallableKind {
  return CALLABLE_KINDS.some((one) => one === kind);
}

export function isOfKind<K extends CallableKind>(
  plugin: CallablePlugins[CallableKind],
  kind: K,
): plugin is CallablePlugins[K] {
  return plugin.meta.kind === kind;
}

/** What is known of a plugin before any of its code runs. */
export interface FoundPlugin {
  kind: PluginKind | null;
  /** The configured name, if its package.json cannot be read. */
  id: string;
  title: string;
  version: string | null;
  /** `shipped`, the package's name, or its folder. */
  source: string;
  /** Why it is not loaded at all, and how to fix it. */
  fault: string | null;
  /** Runs its module. @returns what it exports as `plugin`, not validated. */
  load(): Promise<unknown>;
}

/** An installed plugin, and whether it can be used. */
export interface PluginStatus extends Omit<FoundPlugin, "fault" | "load"> {
  state: "ready" | "broken";
  /** Why it is broken, and how to fix it; null when it is ready. */
  reason: string | null;
}

/** A plugin that can be called. */
export interface LoadedPlugin<K extends CallableKind = CallableKind> {
  plugin: CallablePlugins[K];
  credentials: CredentialsSchema;
}
