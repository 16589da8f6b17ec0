import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import type { InjectionToken } from "tsyringe";
import { getBaseUrl, type Config, loadSecret } from "../../config/index.js";
import {
  ApiKeys,
  Authenticator,
  CallerCache,
  operator,
  Organizations,
  Usage,
  Users,
} from "../accounts/index.js";
import type { CliServices, RenderedFile } from "../cli/services.js";
import type { RenderRequest, RenderResult } from "../documents/index.js";
import { type DependencyContainer, registerValue } from "../lib/injection.js";
import type { Renderer } from "../rendering/index.js";
import type { LocalPrinter } from "../template-files/index.js";
import type { LogSettings } from "../lib/log.js";
import { getPackageInfo } from "../lib/package-info.js";
import {
  BASE_URL,
  CONFIG,
  FILE_STORE,
  LOG,
  PACKAGE,
  SECRET,
} from "../lib/process-values.js";
import {
  Deadline,
  type FileStore,
  type Log,
  PlatenError,
} from "../plugin-api/index.js";
import { openStore, STORE, type Store } from "../storage/database/index.js";
import { prepareDataFolder } from "./data-folder.js";

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
    await act(createServices({ store, config, log }, createRenderer));
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
  const browser = startEarly(renderer);
  await prepareDataFolder(config);
  const { database } = config;
  const store = await openStore({ database, migrate: true, log });
  let container: DependencyContainer | undefined;
  try {
    container = await openContainer({ store, config, log }, renderer);
    const { LocalPrinter } = await import("../template-files/index.js");
    const { Assets } = await import("../assets/index.js");
    const { Compute } = await import("../compute/index.js");
    const { DraftPrinter } = await import("../documents/index.js");
    await browser;
    await act(
      new LocalPrinter({
        actor: operator,
        organizations: new Organizations(store),
        assets: container.resolve(Assets),
        compute: container.resolve(Compute),
        drafts: container.resolve(DraftPrinter),
      }),
    );
  } finally {
    await stopRendering(renderer, container);
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

/** What the container of a command is made from. */
interface Base {
  store: Store;
  config: Config;
  log: Log;
}

/** The services of the accounts at once; all others are loaded when a command asks for one of them. */
function createServices(
  base: Base,
  createRenderer: CreateRenderer,
): CliServices {
  const { store, config } = base;
  const usage = new Usage(store);
  let opening: Promise<DependencyContainer> | undefined;
  const get = async <T>(load: () => Promise<InjectionToken<T>>): Promise<T> => {
    const token = await load();
    opening ??= openContainer(base);
    return (await opening).resolve(token);
  };
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
      const sessions = await import("../accounts/sessions/index.js");
      return {
        members: await get(async () => sessions.Members),
        loginLinks: await get(async () => sessions.LoginLinks),
        loginMail: await get(async () => sessions.LOGIN_MAIL),
      };
    },
    grants: () =>
      get(async () => (await import("../accounts/oauth/index.js")).Grants),
    templates: () =>
      get(async () => (await import("../templates/index.js")).Templates),
    dataValidation: () =>
      get(async () => (await import("../documents/index.js")).DataValidation),
    numbers: () =>
      get(async () => (await import("../documents/index.js")).Numbers),
    assets: () => get(async () => (await import("../assets/index.js")).Assets),
    events: () =>
      get(async () => (await import("../webhooks/index.js")).EVENTS),
    platforms: async () => {
      const host = await import("../integrations/host/index.js");
      const { ConnectionService } =
        await import("../integrations/connections/index.js");
      return {
        plugins: await get(async () => host.Plugins),
        connections: await get(async () => ConnectionService),
      };
    },
    certificates: () =>
      get(
        async () =>
          (await import("../certificates/index.js")).SigningCertificates,
      ),
    links: () =>
      get(
        async () => (await import("../integrations/platforms/index.js")).Links,
      ),
    automations: () =>
      get(async () => (await import("../automations/index.js")).Automations),
    signatures: () =>
      get(async () => (await import("../signatures/index.js")).Signatures),
    render: async (request) =>
      render(base, await createRenderer(config, base.log), request),
    runToolServer: (root) => runToolServer(base, root),
  };
}

/** The container of the whole service, on the service's database and files. */
async function openContainer(
  { store, config, log }: Base,
  renderer?: Renderer,
): Promise<DependencyContainer> {
  const { createContainer } = await import("./composition.js");
  const { openFileStore } = await import("./file-store.js");
  const { FilesAndTexts } = await import("../storage/files/index.js");
  const { RENDERER } = await import("../rendering/index.js");
  const files = new FilesAndTexts(await openFileStore(config, log), store);
  const container = createContainer();
  registerValue(container, CONFIG, config);
  registerValue(container, LOG, log);
  registerValue(container, PACKAGE, getPackageInfo());
  registerValue(container, STORE, store);
  registerValue(container, FILE_STORE, files);
  registerValue(container, SECRET, await loadSecret(config));
  registerValue(container, BASE_URL, getBaseUrl(config, config.port));
  if (renderer) registerValue(container, RENDERER, renderer);
  return container;
}

/** Starts the browser while the rest is loaded. */
function startEarly(renderer: Renderer): Promise<void> {
  const started = renderer.start();
  // Its user awaits it; until then its failure must not count as an unhandled rejection.
  started.catch(() => undefined);
  return started;
}

async function render(
  base: Base,
  renderer: Renderer,
  request: RenderRequest,
): Promise<RenderedFile> {
  const isPrinted = request.formats.some(
    (format) => format === "pdf" || format === "image",
  );
  const browser = isPrinted ? startEarly(renderer) : undefined;
  let container: DependencyContainer | undefined;
  try {
    container = await openContainer(base, renderer);
    const { RENDER_DOCUMENT, reportProblems } =
      await import("../documents/index.js");
    const renderDocument = container.resolve(RENDER_DOCUMENT);
    await browser;
    const { documentId, result, report } = await renderDocument(request, {
      deadline: Deadline.after(base.config.render.timeoutMs),
      // The command itself says why a document was not rendered.
      log: silentLog,
      onRecorded: () => undefined,
    });
    return {
      documentId,
      bytes: await readResult(result, container.resolve(FILE_STORE)),
      warnings: reportProblems(report),
    };
  } finally {
    await browser?.catch(() => undefined);
    await stopRendering(renderer, container);
  }
}

/**
 * Runs the MCP server for one client on this machine, on the service's database and files, whether or not the service
 * runs. Resolves when the client has disconnected.
 * @param root the folder from which files may be uploaded; null: none may be.
 * @throws PlatenError `unauthorized` without a valid key in PLATEN_API_KEY.
 */
async function runToolServer(base: Base, root: string | null): Promise<void> {
  const { config, log } = base;
  const { createConfiguredRenderer, startOnFirstJob } =
    await import("../rendering/renderer.js");
  // Loaded before the container is created.
  const { LOCAL_FILES, serveStdio, ToolServer } =
    await import("../mcp/index.js");
  const renderer = startOnFirstJob(
    createConfiguredRenderer(config, getPackageInfo(), log),
  );
  const localFiles = { root: root === null ? null : await findFolder(root) };
  const container = await openContainer(base, renderer);
  registerValue(container, LOCAL_FILES, localFiles);
  const { apiKey } = config.mcp;
  if (apiKey === null)
    throw new PlatenError(
      "unauthorized",
      "The tool server needs an API key: set PLATEN_API_KEY. `platen key create` creates one.",
    );
  const caller = await container
    .resolve(Authenticator)
    .authenticate(apiKey, "127.0.0.1");
  const keys = container.resolve(ApiKeys);
  try {
    await serveStdio({
      server: container.resolve(ToolServer),
      caller,
      endedKeys: (ids) => keys.findEnded(ids),
      log,
      maxMessageBytes: config.maxBodyBytes,
    });
  } finally {
    await stopRendering(renderer, container);
  }
}

async function findFolder(path: string): Promise<string> {
  const folder = resolve(path);
  const stats = await stat(folder).catch(() => null);
  if (stats?.isDirectory()) return folder;
  throw new PlatenError(
    "invalid_request",
    `--root: there is no folder ${folder}.`,
  );
}

async function stopRendering(
  renderer: Renderer,
  container: DependencyContainer | undefined,
): Promise<void> {
  await renderer.stop();
  if (!container) return;
  const { FontSubsetter, PdfEditor } = await import("../rendering/index.js");
  const { Compute } = await import("../compute/index.js");
  await container.resolve(PdfEditor).stop();
  await container.resolve(FontSubsetter).stop();
  await container.resolve(Compute).stop();
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
