import { join } from "node:path";
import type { DependencyContainer } from "tsyringe";
import {
  shippedApps,
  shippedFileStores,
  shippedPlatforms,
  shippedProviders,
} from "../../plugins/index.js";
import {
  createPluginCallMetrics,
  EsignHost,
  EsignWorkspaces,
  type FoundPlugin,
  PlatformHost,
  Plugins,
  RequestLimiters,
} from "../integrations/host/index.js";
import { make } from "./make.js";
import * as t from "./tokens.js";

/** What is installed, and the way to call platforms and e-signature providers. */
export function joinPlugins(container: DependencyContainer): void {
  make(container, t.PLUGINS, (c) => {
    const { names, folder } = c.resolve(t.CONFIG).plugins;
    const { version, folder: home } = c.resolve(t.PACKAGE);
    return new Plugins({
      shipped: shippedPlugins(version),
      places: { names, folder, roots: [home, process.cwd()] },
      platenVersion: version,
      log: c.resolve(t.LOG),
    });
  });
  make(container, t.PLUGIN_CALLS, (c) => ({
    outbound: c.resolve(t.OUTBOUND),
    limiters: new RequestLimiters(c.resolve(t.CONFIG).plugins.processes),
    files: join(c.resolve(t.CONFIG).dataFolder, "databases"),
    userAgent: `Platen/${c.resolve(t.PACKAGE).version}`,
    log: c.resolve(t.LOG),
    onCallEnd: createPluginCallMetrics(c.resolve(t.METRICS)),
  }));
  make(
    container,
    t.PLATFORMS,
    (c) => new PlatformHost(c.resolve(t.PLUGINS), c.resolve(t.PLUGIN_CALLS)),
  );
  make(container, t.ESIGN_PROVIDERS, (c) => {
    const workspaces = new EsignWorkspaces({
      folder: join(c.resolve(t.CONFIG).dataFolder, "esign"),
      baseUrl: () => c.resolve(t.BASE_URL),
    });
    const calls = c.resolve(t.PLUGIN_CALLS);
    return new EsignHost(c.resolve(t.PLUGINS), calls, workspaces);
  });
}

function shippedPlugins(version: string): FoundPlugin[] {
  const shipped = { version, source: "shipped", fault: null };
  return [
    ...shippedPlatforms.map((one) => ({
      ...shipped,
      ...one,
      kind: "platform" as const,
      load: () => one.load(),
    })),
    ...shippedProviders.map((one) => ({
      ...shipped,
      ...one,
      kind: "esign" as const,
      load: () => one.load(),
    })),
    ...shippedFileStores.map((one) => ({
      ...shipped,
      ...one,
      kind: "file-store" as const,
      load: () => one.load(),
    })),
    ...shippedApps.map((app) => ({
      ...shipped,
      id: app.meta.id,
      title: app.meta.title,
      kind: "app" as const,
      load: async () => app,
    })),
  ];
}
