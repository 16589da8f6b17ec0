import { buffer } from "node:stream/consumers";
import type { DependencyContainer } from "tsyringe";
import { getBaseUrl, type Config, loadSecret } from "../../config/index.js";
import {
  ApiKeys,
  CallerCache,
  operator,
  Organizations,
  Usage,
  Users,
} from "../accounts/index.js";
import type { CliServices, RenderedFile } from "../cli/services.js";
import type { RenderRequest, RenderResult } from "../documents/index.js";
import type { Renderer } from "../rendering/index.js";
import type { LocalPrinter } from "../template-files/index.js";
import type { LogSettings } from "../lib/log.js";
import { getPackageInfo } from "../lib/package-info.js";
import {
  Deadline,
  type FileStore,
  type Log,
  PlatenError,
} from "../plugin-api/index.js";
import { openStore, type Store } from "../storage/database/index.js";
import { prepareDataFolder } from "./data-folder.js";
import * as t from "./tokens.js";

/**
 * Runs `act` with the services that commands need, on the database and files of the service, which may be running.
 * Loads the database and the accounts; everything else when a command asks for it.
 */
export async function openServices(
  config: Config,
  act: (services: CliServices) => Promise<void>,
  createRenderer: CreateRenderer,
): Promise<void> {
  const log = createLazyLog(config.log);
  await prepareDataFolder(config);
  const { database } = config;
  const store = await openStore({ database, migrate: true, log });
  try {
    await act(createServices({ store, config, log, createRenderer }));
  } finally {
    await store.close();
  }
}

/**
 * Runs `act` with what checks and prints templates of files, in a data folder that exists for this alone.
 * @param config with that data folder
 */
export async function openLocalPrinter(
  config: Config,
  act: (printer: LocalPrinter) => Promise<void>,
  createRenderer: CreateRenderer,
): Promise<void> {
  const log = createLazyLog(config.log);
  const renderer = await createRenderer(config, log);
  // Starts while the rest is loaded.
  const browser = renderer.start();
  browser.catch(() => undefined);
  await prepareDataFolder(config);
  const { database } = config;
  const store = await openStore({ database, migrate: true, log });
  const base = { store, config, log, createRenderer };
  let container: DependencyContainer | undefined;
  try {
    container = await createContainer(base, rendering);
    container.register(t.RENDERER, { useValue: renderer });
    await registerFileStore(container, base);
    const { LocalPrinter } = await import("../template-files/index.js");
    await browser;
    await act(
      new LocalPrinter({
        actor: operator,
        organizations: new Organizations(store),
        assets: container.resolve(t.ASSETS),
        compute: container.resolve(t.COMPUTE),
        drafts: container.resolve(t.DRAFT_PRINTER),
      }),
    );
  } finally {
    await stopRendering(renderer, browser, container);
    await store.close();
  }
}

/** Creates what prints the documents of a command; it is started and stopped with the command. */
export type CreateRenderer = (config: Config, log: Log) => Promise<Renderer>;

/** A browser of the command's own. It is loaded when a command prints. */
export const createBrowserRenderer: CreateRenderer = async (config, log) => {
  const { createConfiguredRenderer } = await import("../rendering/renderer.js");
  return createConfiguredRenderer(config, getPackageInfo(), log);
};

/** What every container of a command is made from. */
interface Base {
  store: Store;
  config: Config;
  log: Log;
  createRenderer: CreateRenderer;
}

function createServices(base: Base): CliServices {
  const { store, config, log } = base;
  const usage = new Usage(store);
  return {
    actor: operator,
    organizations: new Organizations(
      store,
      config.outbound.allowPrivateNetworks,
    ),
    users: new Users(store),
    keys: new ApiKeys(store, new CallerCache()),
    usage: (organizationId, month) => usage.getMonth(organizationId, month),
    signIn: async () => {
      const container = await createContainer(base, ["sessions"]);
      return {
        members: container.resolve(t.MEMBERS),
        loginLinks: container.resolve(t.LOGIN_LINKS),
        loginMail: container.resolve(t.LOGIN_MAIL),
      };
    },
    grants: async () => {
      const container = await createContainer(base, ["oauth"]);
      return container.resolve(t.GRANTS);
    },
    templates: async () => {
      const container = await createContainer(base, [
        "files",
        "compute",
        "templates",
      ]);
      return container.resolve(t.TEMPLATES);
    },
    dataValidation: async () => {
      const container = await createContainer(base, ["compute", "documents"]);
      return container.resolve(t.DATA_VALIDATION);
    },
    numbers: async () => {
      const container = await createContainer(base, ["documents"]);
      return container.resolve(t.NUMBERS);
    },
    assets: async () => {
      const container = await createContainer(base, [
        "outbound",
        "rendering",
        "compute",
        "assets",
      ]);
      await registerFileStore(container, base);
      return container.resolve(t.ASSETS);
    },
    events: async () => {
      const container = await createContainer(base, ["outbound", ...events]);
      return container.resolve(t.EVENTS);
    },
    platforms: async () => {
      const container = await createContainer(base, connections);
      return {
        plugins: container.resolve(t.PLUGINS),
        pluginCatalog: container.resolve(t.PLUGIN_CATALOG),
        connections: container.resolve(t.CONNECTIONS),
      };
    },
    certificates: async () => {
      const container = await createContainer(base, [
        "outbound",
        "compute",
        "certificates",
      ]);
      return container.resolve(t.SIGNING_CERTIFICATES);
    },
    links: async () => {
      const container = await createContainer(base, [
        ...connections,
        "platforms",
      ]);
      return container.resolve(t.LINKS);
    },
    automations: async () => {
      const container = await createContainer(base, [
        ...connections,
        "queue",
        "automations",
      ]);
      return container.resolve(t.AUTOMATIONS);
    },
    signatures: async () => {
      const container = await createContainer(base, signatures);
      return container.resolve(t.SIGNATURES);
    },
    render: (request) => render(base, request),
    runToolServer: async (root) => {
      const { runLocalToolServer } = await import("./local-tool-server.js");
      await runLocalToolServer(store, config, log, root);
    },
  };
}

type Register = (container: DependencyContainer) => void;

/** The modules that commands use, each loaded when it is needed: loading all of them takes long. */
const modules = {
  outbound: async () =>
    (await import("../lib/outbound/module.js")).registerOutbound,
  files: async () => (await import("../storage/files/module.js")).registerFiles,
  assets: async () => (await import("../assets/module.js")).registerAssets,
  oauth: async () =>
    (await import("../accounts/oauth/module.js")).registerOauth,
  sessions: async () =>
    (await import("../accounts/sessions/module.js")).registerSessions,
  certificates: async () =>
    (await import("../certificates/module.js")).registerCertificates,
  compute: async () => (await import("../compute/module.js")).registerCompute,
  templates: async () =>
    (await import("../templates/module.js")).registerTemplates,
  rendering: async () =>
    (await import("../rendering/module.js")).registerRendering,
  documents: async () =>
    (await import("../documents/module.js")).registerDocuments,
  shippedPlugins: async () =>
    (await import("./shipped-plugins.js")).registerShippedPlugins,
  pluginHost: async () =>
    (await import("../integrations/host/module.js")).registerPluginHost,
  connections: async () =>
    (await import("../integrations/connections/module.js")).registerConnections,
  queue: async () => (await import("../queue/module.js")).registerQueue,
  events: async () => (await import("../webhooks/module.js")).registerWebhooks,
  platforms: async () =>
    (await import("../integrations/platforms/module.js")).registerPlatforms,
  automations: async () =>
    (await import("../automations/module.js")).registerAutomations,
  signatures: async () =>
    (await import("../signatures/module.js")).registerSignatures,
} satisfies Record<string, () => Promise<Register>>;
type ModuleName = keyof typeof modules;

const events = ["queue", "events"] as const;
const connections = [
  "outbound",
  "shippedPlugins",
  "pluginHost",
  "connections",
] as const;
const rendering = [
  "outbound",
  "files",
  "assets",
  "compute",
  "certificates",
  "rendering",
  "templates",
  "documents",
] as const;
const signatures = [
  ...connections,
  ...events,
  "platforms",
  "signatures",
] as const;

async function createContainer(
  { store, config, log }: Base,
  names: readonly ModuleName[],
): Promise<DependencyContainer> {
  const [{ createEmptyContainer, registerValue }, { registerProcess }] =
    await Promise.all([
      import("../lib/injection.js"),
      import("./process-module.js"),
    ]);
  const container = createEmptyContainer();
  registerProcess(container);
  for (const register of await Promise.all(
    names.map((name) => modules[name]()),
  ))
    register(container);
  registerValue(container, t.CONFIG, config);
  registerValue(container, t.LOG, log);
  registerValue(container, t.BASE_URL, getBaseUrl(config, config.port));
  registerValue(container, t.PACKAGE, getPackageInfo());
  registerValue(container, t.STORE, store);
  registerValue(container, t.SECRET, await loadSecret(config));
  registerValue(container, t.CHECK_DELIVER, rejectDeliver);
  registerValue(container, t.DOCUMENT_DELIVERIES, {
    check: rejectDeliver,
    prepare: rejectDeliver,
    succeeded: rejectDeliver,
    nudge: () => undefined,
  });
  // No command changes credentials.
  registerValue(container, t.CREDENTIALS_OBSERVER, {
    changed: () => Promise.resolve(),
    nudge: () => undefined,
  });
  return container;
}

/** Commands do not say where documents are delivered, so what would check that is not loaded. */
function rejectDeliver(): Promise<never> {
  const message = "Commands deliver no documents. Set `deliver` with the API.";
  return Promise.reject(new PlatenError("invalid_request", message));
}

async function registerFileStore(
  container: DependencyContainer,
  { config, log, store }: Base,
): Promise<FileStore> {
  const { openFileStore } = await import("./file-store.js");
  const { FilesAndTexts } = await import("../storage/files/index.js");
  const files = new FilesAndTexts(await openFileStore(config, log), store);
  container.register(t.FILE_STORE, { useValue: files });
  return files;
}

/** The browser, if one is needed, starts while the rest is loaded. */
async function render(
  base: Base,
  request: RenderRequest,
): Promise<RenderedFile> {
  const { config, log, createRenderer } = base;
  const renderer = await createRenderer(config, log);
  const isPrinted = request.formats.some(
    (format) => format === "pdf" || format === "image",
  );
  const browser = isPrinted ? renderer.start() : Promise.resolve();
  // Awaited below; until then its failure must not count as an unhandled rejection.
  browser.catch(() => undefined);
  let container: DependencyContainer | undefined;
  try {
    container = await createContainer(base, [...signatures, ...rendering]);
    container.register(t.RENDERER, { useValue: renderer });
    const files = await registerFileStore(container, base);
    const { reportProblems } = await import("../documents/index.js");
    const renderDocument = container.resolve(t.RENDER_DOCUMENT);
    await browser;
    const { documentId, result, report } = await renderDocument(request, {
      deadline: Deadline.after(config.render.timeoutMs),
      // The command itself says why a document was not rendered.
      log: silentLog,
      onRecorded: () => undefined,
    });
    return {
      documentId,
      bytes: await readResult(result, files),
      warnings: reportProblems(report),
    };
  } finally {
    await stopRendering(renderer, browser, container);
  }
}

async function stopRendering(
  renderer: Renderer,
  browser: Promise<void>,
  container: DependencyContainer | undefined,
): Promise<void> {
  await browser.catch(() => undefined);
  await renderer.stop();
  await container?.resolve(t.PDF_EDITOR).stop();
  await container?.resolve(t.FONT_SUBSETTER).stop();
  await container?.resolve(t.COMPUTE).stop();
}

/** The file of the one format that was requested. */
async function readResult(
  { pdf, image, html, mjml, xml }: RenderResult,
  files: FileStore,
): Promise<Buffer> {
  const text = html?.htmlDocument ?? mjml?.mjmlDocument;
  if (text !== undefined) return Buffer.from(text);
  const stored = await files.open((pdf ?? image ?? xml)?.storageKey ?? "");
  if (stored !== null) return buffer(stored.stream);
  throw new PlatenError("internal", "The document's file is missing.");
}

const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};

/** Writes warnings and errors to stderr. Most commands have none, so the logger is loaded for the first line. */
function createLazyLog(settings: LogSettings): Log {
  let logger: Promise<Log> | undefined;
  const load = async () => {
    const { createLog } = await import("../lib/log.js");
    return createLog({ ...settings, level: "warn" }, process.stderr);
  };
  const bind = (bound: object): Log => {
    const write =
      (level: "warn" | "error") => (fields: object, message: string) => {
        logger ??= load();
        void logger.then((log) => log[level]({ ...bound, ...fields }, message));
      };
    return {
      ...silentLog,
      warn: write("warn"),
      error: write("error"),
      child: (fields) => bind({ ...bound, ...fields }),
    };
  };
  return bind({});
}
