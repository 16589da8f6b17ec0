import { mkdir } from "node:fs/promises";
import type { DependencyContainer } from "tsyringe";
import { baseUrlOf, type Config, loadSecret } from "../../config/index.js";
import {
  ApiKeys,
  CallerCache,
  operator,
  Organizations,
  usageOfMonth,
  Users,
} from "../accounts/index.js";
import type { CliServices, WithServices } from "../cli/services.js";
import { LoginLinks, LoginMail, Members } from "../accounts/sessions/index.js";
import { signInPage } from "./sign-in-page.js";
import { type Log, noMetrics } from "../plugin-api/index.js";
import { createLog } from "../lib/log.js";
import { packageInfo } from "../lib/package-info.js";
import { openStore, type Store } from "../storage/database/index.js";
import * as t from "./tokens.js";

/**
 * Joins what commands need, on the same database and files as the service, which may run meanwhile. Starts no browser
 * and loads the template compiler only for commands that touch templates.
 */
export function commandServices(config: Config): WithServices {
  const log = createLog({ ...config.log, level: "warn" }, process.stderr);
  return async (act) => {
    const { database, dataFolder } = config;
    await mkdir(dataFolder, { recursive: true, mode: 0o700 });
    const store = await openStore({ database, migrate: true, log });
    try {
      await act(servicesOn(store, config, log));
    } finally {
      await store.close();
    }
  };
}

function servicesOn(store: Store, config: Config, log: Log): CliServices {
  const { mail, linkMs } = config.signIn;
  const page = signInPage(baseUrlOf(config, config.port));
  return {
    actor: operator,
    organizations: new Organizations(store),
    users: new Users(store),
    members: new Members(store),
    loginLinks: new LoginLinks(store, page, linkMs),
    loginMail: mail && new LoginMail(mail),
    keys: new ApiKeys(store, new CallerCache()),
    usage: (organizationId, month) =>
      usageOfMonth(store.read, organizationId, month),
    templates: () => templatesOn(store, config),
    assets: () => assetsOn(store, config, log),
    events: () => eventsOn(store, config, log),
    platforms: () => platformsOn(store, config, log),
    links: () => linksOn(store, config, log),
    signatures: () => signaturesOn(store, config, log),
    runToolServer: async (root) => {
      const { runLocalToolServer } = await import("./local-tool-server.js");
      await runLocalToolServer(store, config, log, root);
    },
  };
}

async function templatesOn(store: Store, config: Config) {
  const [{ Templates }, { ThumbnailLinks }, secret] = await Promise.all([
    import("../templates/index.js"),
    import("../storage/files/index.js"),
    loadSecret(config),
  ]);
  const links = new ThumbnailLinks(baseUrlOf(config, config.port), secret);
  return new Templates(store, (id, hash) => links.create(id, hash));
}

async function assetsOn(store: Store, config: Config, log: Log) {
  const [container, { openFileStore }] = await Promise.all([
    containerOn(store, config, log, [
      import("./join-outbound.js").then((m) => m.joinOutbound),
      import("./join-assets.js").then((m) => m.joinAssets),
    ]),
    import("./open-file-store.js"),
  ]);
  const files = await openFileStore(config, log);
  container.register(t.FILE_STORE, { useValue: files });
  const baseUrl = baseUrlOf(config, config.port);
  container.register(t.BASE_URL, { useValue: baseUrl });
  return container.resolve(t.ASSETS);
}

type Join = (container: DependencyContainer) => void;

async function eventsOn(store: Store, config: Config, log: Log) {
  const container = await containerOn(store, config, log, [
    import("./join-outbound.js").then((m) => m.joinOutbound),
    import("./join-queue.js").then((m) => m.joinQueue),
    import("./join-events.js").then((m) => m.joinEvents),
  ]);
  return container.resolve(t.EVENTS);
}

async function platformsOn(store: Store, config: Config, log: Log) {
  const container = await containerOn(store, config, log, [
    import("./join-outbound.js").then((m) => m.joinOutbound),
    import("./join-plugins.js").then((m) => m.joinPlugins),
    import("./join-connections.js").then((m) => m.joinConnections),
  ]);
  return {
    plugins: container.resolve(t.PLUGINS),
    connections: container.resolve(t.CONNECTIONS),
  };
}

async function linksOn(store: Store, config: Config, log: Log) {
  const container = await containerOn(store, config, log, [
    import("./join-outbound.js").then((m) => m.joinOutbound),
    import("./join-plugins.js").then((m) => m.joinPlugins),
    import("./join-connections.js").then((m) => m.joinConnections),
    import("./join-platforms.js").then((m) => m.joinPlatforms),
    import("./join-links.js").then((m) => m.joinLinks),
  ]);
  return container.resolve(t.LINKS);
}

async function signaturesOn(store: Store, config: Config, log: Log) {
  const container = await containerOn(store, config, log, [
    import("./join-outbound.js").then((m) => m.joinOutbound),
    import("./join-plugins.js").then((m) => m.joinPlugins),
    import("./join-connections.js").then((m) => m.joinConnections),
    import("./join-queue.js").then((m) => m.joinQueue),
    import("./join-events.js").then((m) => m.joinEvents),
    import("./join-platforms.js").then((m) => m.joinPlatforms),
    import("./join-esign.js").then((m) => m.joinEsign),
  ]);
  return container.resolve(t.SIGNATURES);
}

/** With what a command leans on, and nothing else: loading all rooms takes long. */
async function containerOn(
  store: Store,
  config: Config,
  log: Log,
  joining: readonly Promise<Join>[],
): Promise<DependencyContainer> {
  const [{ container: root }, joins] = await Promise.all([
    import("tsyringe"),
    Promise.all(joining),
  ]);
  const container = root.createChildContainer();
  for (const join of joins) join(container);
  container.register(t.CONFIG, { useValue: config });
  container.register(t.LOG, { useValue: log });
  const baseUrl = baseUrlOf(config, config.port);
  container.register(t.BASE_URL, { useValue: baseUrl });
  container.register(t.PACKAGE, { useValue: packageInfo() });
  container.register(t.METRICS, { useValue: noMetrics });
  container.register(t.STORE, { useValue: store });
  container.register(t.SECRET, { useValue: await loadSecret(config) });
  return container;
}
