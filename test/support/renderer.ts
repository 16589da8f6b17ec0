import { chmodSync, renameSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { resolve, join } from "node:path";
import type { DependencyContainer } from "tsyringe";
import { Deadline, PlatenError } from "../../core/plugin-api/index.js";
import {
  browserUser,
  makePrivateFolder,
} from "../../core/rendering/browser/browser-installation.js";
import {
  createRenderer,
  type Renderer,
  type RenderSettings,
  type RenderListener,
  installBrowser,
  type PdfJob,
  type PrintedPdf,
  RENDERER,
} from "../../core/rendering/index.js";
import { silentLog } from "./recording-log.js";

export { page } from "./caller.js";

/** Where tests unpack browser and fonts, once for all runs. */
export const RENDER_CACHE = resolve(".cache/render");

let shared: Promise<Renderer> | undefined;

/**
 * One renderer for all tests of the process, started by the first that asks for it. In a worker of a parallel run it
 * serves all files, and ends with the process, as the browser of a killed service does.
 */
export function sharedRenderer(): Promise<Renderer> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<Renderer> {
  const renderer = rendererWith({});
  if (!isTestWorker) stopAtEnd(renderer);
  await renderer.start();
  return renderer;
}

/** A renderer of the test's own; it is stopped at the end of the run or of the file, or before by the test. */
export async function startRenderer(
  settings: Partial<RenderSettings> = {},
): Promise<Renderer> {
  const renderer = rendererWith(settings);
  stopAtEnd(renderer);
  await renderer.start();
  return renderer;
}

function rendererWith(settings: Partial<RenderSettings>): Renderer {
  return createRenderer({
    cacheFolder: RENDER_CACHE,
    log: silentLog,
    ...settings,
  });
}

/** Long enough for every test that does not try the limit itself. */
export function ample(): Deadline {
  return Deadline.after(110_000);
}

/** Whether this process runs one file of tests after the other, and has no end that a test could wait for. */
export const isTestWorker = process.env.MOCHA_WORKER_ID !== undefined;

const running: Renderer[] = [];

/** Has it stopped when all tests of the run have ended; in a worker of a parallel run, all tests of the file. */
function stopAtEnd(renderer: Renderer): void {
  running.push(renderer);
}

export async function stopRenderers(): Promise<void> {
  await Promise.all(running.splice(0).map((renderer) => renderer.stop()));
}

const listeners = new Set<RenderListener>();
let started: Promise<Renderer> | undefined;

/** Listeners are handed on only now, so that listening alone starts no browser. */
function start(): Promise<Renderer> {
  started ??= sharedRenderer().then((renderer) => {
    renderer.observe((render) => {
      for (const listener of listeners) listener(render);
    });
    return renderer;
  });
  return started;
}

/** The renderer that all tests share, which starts when the first document is printed: html needs no browser. */
export const lazyRenderer: Renderer = {
  start: async () => undefined,
  pdf: async (job) => (await start()).pdf(job),
  images: async (job) => (await start()).images(job),
  screenshot: async (job) => (await start()).screenshot(job),
  health: () => ({
    ready: true,
    queued: 0,
    busy: 0,
    restarts: 0,
    pagesReplaced: 0,
  }),
  stats: async () => (await start()).stats(),
  observe: (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  stop: async () => undefined,
};

/** A program that starts the shipped browser, until it is taken away. */
interface ReplaceableBrowser {
  path: string;
  hideExecutable(): void;
  restoreExecutable(): void;
}

/** Writes it into a folder that everybody may enter, since the browser's user has to. */
export async function replaceableBrowser(
  folder: string,
): Promise<ReplaceableBrowser> {
  chmodSync(folder, 0o755);
  const { executable, libraries } = await installBrowser(RENDER_CACHE);
  const path = join(folder, "browser");
  const lines = [
    "#!/bin/sh",
    `export LD_LIBRARY_PATH=${libraries}`,
    `exec ${executable} "$@"`,
  ];
  writeFileSync(path, lines.join("\n"));
  chmodSync(path, 0o755);
  return {
    path,
    hideExecutable: () => renameSync(path, `${path}.away`),
    restoreExecutable: () => renameSync(`${path}.away`, path),
  };
}

/** Folders of the browsers that a process started, wherever its browser's user may go. */
export async function profileFolders(pid: number): Promise<string[]> {
  const folder = await makePrivateFolder(RENDER_CACHE, browserUser());
  const names = await readdir(join(folder, "profiles"));
  return names.filter((name) => name.startsWith(`profile-${pid}-`));
}

type Print = (job: PdfJob) => Promise<PrintedPdf>;

const real: Print = (job) => lazyRenderer.pdf(job);

/** Has a service print by `print`, which may hand on to the real printer. */
export function printingBy(
  print: (job: PdfJob, printer: Print) => Promise<PrintedPdf>,
) {
  return (container: DependencyContainer): void => {
    const useValue = {
      ...lazyRenderer,
      pdf: (job: PdfJob) => print(job, real),
    };
    container.register(RENDERER, { useValue });
  };
}

/** An error after which a retry may succeed. */
export function temporaryFailure(): PlatenError {
  return new PlatenError("render_failed", "The printer failed.");
}

/** Blocks callers of `pass` until it is opened, and counts those that wait. */
export class Gate {
  readonly #opened: Promise<void>;
  #open: () => void = () => undefined;
  #waiting = 0;

  constructor() {
    this.#opened = new Promise((open) => {
      this.#open = open;
    });
  }

  get waiting(): number {
    return this.#waiting;
  }

  async pass(): Promise<void> {
    this.#waiting += 1;
    await this.#opened;
    this.#waiting -= 1;
  }

  open(): void {
    this.#open();
  }
}
