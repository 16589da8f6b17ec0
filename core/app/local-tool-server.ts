import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { DependencyContainer } from "tsyringe";
import { baseUrlOf, type Config, loadSecret } from "../../config/index.js";
import {
  createConfiguredRenderer,
  startOnFirstJob,
} from "../rendering/configured-renderer.js";
import { createContainer } from "./modules.js";
import { type Log, PlatenError } from "../plugin-api/index.js";
import { serveStdio } from "../mcp/index.js";
import { openFileStore } from "./file-store.js";
import { packageInfo } from "../lib/package-info.js";
import type { Store } from "../storage/database/index.js";
import * as t from "./tokens.js";

/**
 * The tool server for one client on this machine, on the service's database and files, whether or not the service runs.
 * Resolves when the client is gone.
 * @param root the folder from which files may be uploaded; null: from none.
 * @throws PlatenError `unauthorized` without a good key in PLATEN_API_KEY.
 */
export async function runLocalToolServer(
  store: Store,
  config: Config,
  log: Log,
  root: string | null,
): Promise<void> {
  const container = await localContainer(store, config, log, root);
  const caller = await container
    .resolve(t.AUTHENTICATOR)
    .authenticate(keyOf(config));
  const keys = container.resolve(t.API_KEYS);
  try {
    await serveStdio({
      server: container.resolve(t.TOOL_SERVER),
      caller,
      endedKeys: (ids) => keys.findEnded(ids),
      log,
      maxMessageBytes: config.maxBodyBytes,
    });
  } finally {
    await container.resolve(t.RENDERER).stop();
    await container.resolve(t.PDF_EDITOR).stop();
  }
}

async function localContainer(
  store: Store,
  config: Config,
  log: Log,
  root: string | null,
): Promise<DependencyContainer> {
  const container = createContainer();
  const about = packageInfo();
  const renderer = startOnFirstJob(
    createConfiguredRenderer(config, about, log),
  );
  const localFiles = { root: root === null ? null : await folderAt(root) };
  container.register(t.CONFIG, { useValue: config });
  container.register(t.LOG, { useValue: log });
  container.register(t.PACKAGE, { useValue: about });
  container.register(t.RENDERER, { useValue: renderer });
  container.register(t.STORE, { useValue: store });
  container.register(t.LOCAL_FILES, { useValue: localFiles });
  container.register(t.SECRET, { useValue: await loadSecret(config) });
  container.register(t.FILE_STORE, {
    useValue: await openFileStore(config, log),
  });
  container.register(t.BASE_URL, { useValue: baseUrlOf(config, config.port) });
  return container;
}

async function folderAt(path: string): Promise<string> {
  const folder = resolve(path);
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return folder;
  throw new PlatenError(
    "invalid_request",
    `--root: there is no folder ${folder}.`,
  );
}

function keyOf({ mcp: { apiKey } }: Config): string {
  if (apiKey !== null) return apiKey;
  throw new PlatenError(
    "unauthorized",
    "The tool server acts with an API key: set PLATEN_API_KEY. `platen key create` makes one.",
  );
}
