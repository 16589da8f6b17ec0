import { mkdir } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { DependencyContainer } from "tsyringe";
import { baseUrlOf, type Config, loadSecret } from "../../config/index.js";
import {
  ApiKeys,
  CallerCache,
  operator,
  Organizations,
  Usage,
  Users,
} from "../accounts/index.js";
import type { CliServices, RenderedFile } from "../cli/services.js";
import {
  Deadline,
  type FileStore,
  type Log,
  PlatenError,
} from "../plugin-api/index.js";
import type { RenderRequest, RenderResult } from "../documents/index.js";
import type { LogSettings } from "../lib/log.js";
import { packageInfo } from "../lib/package-info.js";
import type { PdfEditor } from "../rendering/pdf/index.js";
import { openStore, type Store } from "../storage/database/index.js";
import * as t from "./tokens.js";

/**
 * Runs `act` with the services that commands need, on the database and files of the service, which may be running.
 * Loads the database and the accounts; everything else when a command asks for it.
 */
export async function openServices(
  config: Config,
  act: (services: CliServices) => Promise<void>,
): Promise<void> {
  const log = lazyLog(config.log);
  const { database, dataFolder } = config;
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const store = await openStore({ database, migrate: true, log });
  try {
    await act(servicesOn(store, config, log));
  } finally {
    await store.close();
  }
}

/** Warnings and errors on stderr. Most commands have none: the logger is loaded for the first line. */
function lazyLog(settings: LogSettings): Log {
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

function servicesOn(store: Store, config: Config, log: Log): CliServices {
  const usage = new Usage(store);
  return {
    actor: operator,
    organizations: new Organizations(store),
    users: new Users(store),
    keys: new ApiKeys(store, new CallerCache()),
    usage: (organizationId, month) => usage.getMonth(organizationId, month),
    signIn: () => signInOn(store, config, log),
    templates: () => templatesOn(store, config, log),
    assets: () => assetsOn(store, config, log),
    events: () => eventsOn(store, config, log),
    platforms: () => platformsOn(store, config, log),
    links: () => linksOn(store, config, log),
    signatures: () => signaturesOn(store, config, log),
    render: (request) => renderOn(store, config, log, request),
    runToolServer: async (root) => {
      const { runLocalToolServer } = await import("./local-tool-server.js");
      await runLocalToolServer(store, config, log, root);
    },
  };
}

async function signInOn(store: Store, config: Config, log: Log) {
  const container = await containerOn(store, config, log, [
    import("../accounts/sessions/module.js").then((m) => m.registerSessions),
  ]);
  return {
    members: container.resolve(t.MEMBERS),
    loginLinks: container.resolve(t.LOGIN_LINKS),
    loginMail: container.resolve(t.LOGIN_MAIL),
  };
}

async function templatesOn(store: Store, config: Config, log: Log) {
  const container = await containerOn(store, config, log, [
    import("./join-files.js").then((m) => m.joinFiles),
    import("../templates/module.js").then((m) => m.registerTemplates),
  ]);
  return container.resolve(t.TEMPLATES);
}

async function assetsOn(store: Store, config: Config, log: Log) {
  const [container, { openFileStore }] = await Promise.all([
    containerOn(store, config, log, [
      import("./join-outbound.js").then((m) => m.joinOutbound),
      import("./join-assets.js").then((m) => m.joinAssets),
    ]),
    import("./file-store.js"),
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

/** The browser, if one is needed, starts while the rest is loaded. */
async function renderOn(
  store: Store,
  config: Config,
  log: Log,
  request: RenderRequest,
): Promise<RenderedFile> {
  const { createConfiguredRenderer } =
    await import("../rendering/configured-renderer.js");
  const renderer = createConfiguredRenderer(config, packageInfo(), log);
  const isPrinted = request.formats.some(
    (format) => format === "pdf" || format === "image",
  );
  const browser = isPrinted ? renderer.start() : Promise.resolve();
  // Awaited below; until then its failure must not count as one that nobody handles.
  browser.catch(() => undefined);
  let finisher: PdfEditor | undefined;
  try {
    const container = await renderContainer(store, config, log);
    container.register(t.RENDERER, { useValue: renderer });
    finisher = container.resolve(t.PDF_EDITOR);
    await browser;
    const rendered = await container.resolve(t.RENDER_DOCUMENT)(request, {
      deadline: Deadline.after(config.render.timeoutMs),
      // The command itself says why a document was not rendered.
      log: silentLog,
      onRecorded: () => undefined,
    });
    const { reportProblems } = await import("../documents/index.js");
    return {
      documentId: rendered.documentId,
      bytes: await bytesOf(rendered.result, container.resolve(t.FILE_STORE)),
      warnings: reportProblems(rendered.report),
    };
  } finally {
    await browser.catch(() => undefined);
    await renderer.stop();
    await finisher?.stop();
  }
}

const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};

async function renderContainer(store: Store, config: Config, log: Log) {
  const [container, { openFileStore }] = await Promise.all([
    containerOn(store, config, log, [
      import("./join-outbound.js").then((m) => m.joinOutbound),
      import("./join-files.js").then((m) => m.joinFiles),
      import("./join-assets.js").then((m) => m.joinAssets),
      import("./join-plugins.js").then((m) => m.joinPlugins),
      import("./join-connections.js").then((m) => m.joinConnections),
      import("./join-queue.js").then((m) => m.joinQueue),
      import("./join-events.js").then((m) => m.joinEvents),
      import("./join-platforms.js").then((m) => m.joinPlatforms),
      import("./join-esign.js").then((m) => m.joinEsign),
      import("../rendering/module.js").then((m) => m.registerRendering),
      import("../documents/module.js").then((m) => m.registerDocuments),
    ]),
    import("./file-store.js"),
  ]);
  const files = await openFileStore(config, log);
  container.register(t.FILE_STORE, { useValue: files });
  return container;
}

/** The file of the one format that was asked for. */
async function bytesOf(
  { pdf, image, html, mjml }: RenderResult,
  files: FileStore,
): Promise<Buffer> {
  const text = html?.htmlDocument ?? mjml?.mjmlDocument;
  if (text !== undefined) return Buffer.from(text);
  const stored = await files.open((pdf ?? image)?.storageKey ?? "");
  if (stored !== null) return buffer(stored.stream);
  throw new PlatenError("internal", "The document's file is missing.");
}

/** A container with what a command needs and nothing else: loading everything takes long. */
async function containerOn(
  store: Store,
  config: Config,
  log: Log,
  joining: readonly Promise<Join>[],
): Promise<DependencyContainer> {
  const [{ createEmptyContainer }, { registerProcess }, joins] =
    await Promise.all([
      import("../lib/injection.js"),
      import("./process-module.js"),
      Promise.all(joining),
    ]);
  const container = createEmptyContainer();
  registerProcess(container);
  for (const join of joins) join(container);
  container.register(t.CONFIG, { useValue: config });
  container.register(t.LOG, { useValue: log });
  const baseUrl = baseUrlOf(config, config.port);
  container.register(t.BASE_URL, { useValue: baseUrl });
  container.register(t.PACKAGE, { useValue: packageInfo() });
  container.register(t.STORE, { useValue: store });
  container.register(t.SECRET, { useValue: await loadSecret(config) });
  return container;
}
