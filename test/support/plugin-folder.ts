import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  PluginProcesses,
  Plugins,
} from "../../core/integrations/host/index.js";
import { type DependencyContainer, provide } from "../../core/lib/injection.js";
import type {
  DeliveryPlugin,
  EsignProvider,
  PlatformPlugin,
} from "../../core/plugin-api/index.js";
import { CONFIG, LOG } from "../../core/lib/process-values.js";
import { silentLog } from "./recording-log.js";
import { suiteFolder } from "./store-folder.js";

export interface WrittenPlugin {
  /** The package's name, and the folder's. */
  name: string;
  /** What its package.json says under `platen`, beside or in place of the usual. */
  platen?: Record<string, unknown>;
  /** Its module; a platform that works when left out. */
  code?: string;
}

/** Writes a plugin as its author would, below `folder`. @returns where it is. */
function writePlugin(
  folder: string,
  { name, platen, code }: WrittenPlugin,
): string {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  const usual = { kind: "platform", id: name, title: name, api: 1 };
  const file = {
    name,
    version: "1.2.3",
    type: "module",
    exports: { ".": { import: "./main.js" } },
    platen: { ...usual, platen: ">=0.0.1", ...platen },
  };
  writeFileSync(join(place, "package.json"), JSON.stringify(file));
  writeFileSync(join(place, "main.js"), code ?? platformCode(name));
  return place;
}

/** A folder of plugins for the suite that calls this. */
export function pluginFolder(...plugins: WrittenPlugin[]): string {
  const folder = suiteFolder();
  for (const plugin of plugins) writePlugin(folder, plugin);
  return folder;
}

/**
 * A platform whose server says at `/me` who it knows by the token, and whose one table has one field. Imports nothing,
 * as a plugin from elsewhere may: its errors are known by their name and code.
 */
export function platformCode(id: string): string {
  return `
const refuse = (code, message) =>
  Object.assign(new Error(message), { name: "PlatformError", code });
const field = { id: "f1", name: "Name", kind: "text", native: "text", writable: true };
export const plugin = {
  meta: { kind: "platform", id: "${id}", title: "${id}", version: "1.2.3", api: 1, platen: "*" },
  credentials: {
    schema: {
      type: "object",
      required: ["url", "token"],
      additionalProperties: false,
      properties: {
        url: { type: "string", format: "uri" },
        token: { type: "string", minLength: 8, writeOnly: true },
      },
    },
  },
  capabilities: {
    links: false, attachments: "none", modes: [], maxFileBytes: 0, maxIdsPerFetch: 2,
    keepsFilename: true, readBack: false,
  },
  rate: { key: ({ url }) => url, maxInFlight: 4 },
  async check({ credentials: { url, token }, json }) {
    const headers = { authorization: "Bearer " + token };
    const { status, body } = await json(url + "/me", { headers });
    if (status === 401) throw refuse("auth", "the token is not known. Make a new one.");
    return { account: body.name };
  },
  async listBases() {
    return [{ id: "b1", name: "Base" }];
  },
  async describe(context, baseId = "none") {
    return [{ id: "t1", name: "Table of " + baseId, fields: [field] }];
  },
  async fetchRows(context, scope, ids) {
    return { rows: ids.map((id) => ({ id, fields: { f1: id }, links: {} })), missing: [] };
  },
};
`;
}

/** Where installed plugins run, for the suite that calls this. */
export function pluginProcesses(
  limits: { maxLoadMs?: number } = {},
): PluginProcesses {
  const processes = new PluginProcesses({
    ...limits,
    files: null,
    environment: {},
    log: silentLog,
  });
  after(() => processes.stop());
  return processes;
}

/** Has a service end plugins earlier. */
export function limitPlugins(limits: {
  maxSilenceMs?: number;
  maxMemoryMb?: number;
}) {
  return (container: DependencyContainer): void =>
    provide(
      PluginProcesses,
      (c) =>
        new PluginProcesses({
          ...limits,
          files: null,
          environment: c.resolve(CONFIG).plugins.environment,
          log: c.resolve(LOG),
        }),
      container,
    );
}

/** These and no others, as if they shipped. */
export function installedPlugins(
  plugins: readonly (DeliveryPlugin | EsignProvider | PlatformPlugin)[],
): Plugins {
  return new Plugins({
    shipped: plugins.map((plugin) => ({
      kind: plugin.meta.kind,
      id: plugin.meta.id,
      title: plugin.meta.title,
      version: plugin.meta.version,
      source: "shipped",
      fault: null,
      load: async () => plugin,
    })),
    places: { names: [], folder: "/nowhere", roots: [] },
    processes: new PluginProcesses({
      files: null,
      environment: {},
      log: silentLog,
    }),
    platenVersion: "0.0.0",
    log: silentLog,
  });
}
