import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { getBaseUrl, type Config, loadSecret } from "../../config/index.js";
import { registerValue } from "../lib/injection.js";
import { getPackageInfo } from "../lib/package-info.js";
import { serveStdio } from "../mcp/index.js";
import { type Log, PlatenError } from "../plugin-api/index.js";
import {
  createConfiguredRenderer,
  startOnFirstJob,
} from "../rendering/renderer.js";
import type { Store } from "../storage/database/index.js";
import { FilesAndTexts } from "../storage/files/index.js";
import { openFileStore } from "./file-store.js";
import { createContainer } from "./modules.js";
import * as t from "./tokens.js";

/**
 * Runs the MCP server for one client on this machine, on the service's database and files, whether or not the service
 * runs. Resolves when the client has disconnected.
 * @param root the folder from which files may be uploaded; null: none may be.
 * @throws PlatenError `unauthorized` without a valid key in PLATEN_API_KEY.
 */
export async function runLocalToolServer(
  store: Store,
  config: Config,
  log: Log,
  root: string | null,
): Promise<void> {
  const about = getPackageInfo();
  const renderer = startOnFirstJob(
    createConfiguredRenderer(config, about, log),
  );
  const localFiles = { root: root === null ? null : await findFolder(root) };
  const container = createContainer();
  registerValue(container, t.CONFIG, config);
  registerValue(container, t.LOG, log);
  registerValue(container, t.PACKAGE, about);
  registerValue(container, t.RENDERER, renderer);
  registerValue(container, t.STORE, store);
  registerValue(container, t.LOCAL_FILES, localFiles);
  registerValue(container, t.SECRET, await loadSecret(config));
  registerValue(
    container,
    t.FILE_STORE,
    new FilesAndTexts(await openFileStore(config, log), store),
  );
  registerValue(container, t.BASE_URL, getBaseUrl(config, config.port));
  const authenticator = container.resolve(t.AUTHENTICATOR);
  const { apiKey } = config.mcp;
  if (apiKey === null)
    throw new PlatenError(
      "unauthorized",
      "The tool server needs an API key: set PLATEN_API_KEY. `platen key create` creates one.",
    );
  const caller = await authenticator.authenticate(apiKey, "127.0.0.1");
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
    await renderer.stop();
    await container.resolve(t.PDF_EDITOR).stop();
    await container.resolve(t.FONT_SUBSETTER).stop();
    await container.resolve(t.COMPUTE).stop();
  }
}

async function findFolder(path: string): Promise<string> {
  const folder = resolve(path);
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return folder;
  throw new PlatenError(
    "invalid_request",
    `--root: there is no folder ${folder}.`,
  );
}
