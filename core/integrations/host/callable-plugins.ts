import type {
  EsignProvider,
  PlatformPlugin,
  PlatformRate,
  PluginMeta,
} from "../../plugin-api/index.js";

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

/** All that a call needs to know of the plugin that it is made to. */
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
