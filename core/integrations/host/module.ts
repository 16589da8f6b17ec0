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
  EsignHost,
  EsignWorkspaces,
  PlatformHost,
  PluginCalls,
  PluginCatalog,
  Plugins,
  RequestLimiters,
} from "./index.js";
import * as t from "./tokens.js";

export function registerPluginHost(container: DependencyContainer): void {
  registerClass(container, t.PLUGIN_CATALOG, PluginCatalog);
  registerClass(container, t.PLATFORMS, PlatformHost);
  registerClass(container, t.ESIGN_PROVIDERS, EsignHost);
  registerFactory(container, t.PLUGINS, (c) => {
    const { names, folder } = c.resolve(CONFIG).plugins;
    const { version, folder: home } = c.resolve(PACKAGE);
    return new Plugins({
      shipped: c.resolve(t.SHIPPED_PLUGINS),
      places: { names, folder, roots: [home, process.cwd()] },
      platenVersion: version,
      log: c.resolve(LOG),
    });
  });
  registerFactory(container, t.PLUGIN_CALLS, (c) => {
    const { plugins, dataFolder } = c.resolve(CONFIG);
    return new PluginCalls({
      outbound: c.resolve(OUTBOUND),
      limiters: new RequestLimiters(plugins.processes),
      files: join(dataFolder, "databases"),
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
