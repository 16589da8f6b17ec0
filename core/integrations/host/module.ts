import { join } from "node:path";
import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../../lib/injection.js";
import { OUTBOUND } from "../../lib/outbound/tokens.js";
import { BASE_URL, CONFIG, LOG, METRICS, PACKAGE } from "../../lib/tokens.js";
import {
  createPluginCallMetrics,
  DeliveryHost,
  EsignHost,
  EsignWorkspaces,
  PlatformHost,
  PluginCalls,
  PluginCatalog,
  PluginProcesses,
  Plugins,
  RequestLimiters,
} from "./index.js";
import * as t from "./tokens.js";

export function registerPluginHost(container: DependencyContainer): void {
  registerClass(container, t.PLUGIN_CATALOG, PluginCatalog);
  registerClass(container, t.PLATFORMS, PlatformHost);
  registerClass(container, t.ESIGN_PROVIDERS, EsignHost);
  registerClass(container, t.DELIVERY_METHODS, DeliveryHost);
  registerFactory(
    container,
    t.PLUGIN_PROCESSES,
    (c) =>
      new PluginProcesses({
        files: getFileFolder(c.resolve(CONFIG)),
        environment: c.resolve(CONFIG).plugins.environment,
        log: c.resolve(LOG),
      }),
  );
  registerFactory(container, t.PLUGINS, (c) => {
    const { names, folder } = c.resolve(CONFIG).plugins;
    const { version, folder: home } = c.resolve(PACKAGE);
    return new Plugins({
      shipped: c.resolve(t.SHIPPED_PLUGINS),
      places: { names, folder, roots: [home, process.cwd()] },
      processes: c.resolve(t.PLUGIN_PROCESSES),
      platenVersion: version,
      log: c.resolve(LOG),
    });
  });
  registerFactory(container, t.PLUGIN_CALLS, (c) => {
    const config = c.resolve(CONFIG);
    return new PluginCalls({
      outbound: c.resolve(OUTBOUND),
      limiters: new RequestLimiters(config.plugins.processes),
      files: getFileFolder(config),
      userAgent: `Platen/${c.resolve(PACKAGE).version}`,
      log: c.resolve(LOG),
      onCallEnd: createPluginCallMetrics(c.resolve(METRICS)),
    });
  });
  registerFactory(
    container,
    t.ESIGN_WORKSPACES,
    (c) =>
      new EsignWorkspaces({
        folder: join(c.resolve(CONFIG).dataFolder, "esign"),
        baseUrl: () => c.resolve(BASE_URL),
      }),
  );
}

/** The folder of files that the operator provides to connections. */
function getFileFolder({ dataFolder }: { dataFolder: string }): string {
  return join(dataFolder, "databases");
}
