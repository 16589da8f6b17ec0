import "reflect-metadata";
import { join } from "node:path";
import {
  container as root,
  type DependencyContainer,
  type FactoryFunction,
  type InjectionToken,
  instancePerContainerCachingFactory,
} from "tsyringe";
import { Authenticator, CallerCache } from "./account/index.js";
import {
  createRenderDocument,
  Documents,
  OutputStore,
  ProgramCache,
  Templates,
  Thumbnails,
} from "./document/index.js";
import {
  Downloads,
  FileSweeper,
  LocalFileStore,
  StoredLinks,
  ThumbnailLinks,
} from "./file/index.js";
import { createApp } from "./http/index.js";
import { readinessCheck } from "./readiness.js";
import { createRenderer } from "./render/index.js";
import * as t from "./tokens.js";

const MEGABYTE = 1024 * 1024;

/**
 * Joins the rooms; nothing else does. CONFIG, LOG, PACKAGE, STORE, SECRET and BASE_URL are to be registered by whoever
 * starts the service. Each container makes its parts once: in a child container with one part replaced, everything
 * that takes this part is made anew around it.
 */
export function createContainer(): DependencyContainer {
  const container = root.createChildContainer();
  joinAccounts(container);
  joinFiles(container);
  joinDocuments(container);
  joinHttp(container);
  return container;
}

function make<T>(
  container: DependencyContainer,
  token: InjectionToken<T>,
  factory: FactoryFunction<T>,
): void {
  const useFactory = instancePerContainerCachingFactory(factory);
  container.register(token, { useFactory });
}

function joinAccounts(container: DependencyContainer): void {
  make(container, t.CALLER_CACHE, () => new CallerCache());
  make(
    container,
    t.AUTHENTICATOR,
    (c) =>
      new Authenticator(
        c.resolve(t.STORE),
        c.resolve(t.CALLER_CACHE),
        c.resolve(t.LOG),
      ),
  );
}

function joinFiles(container: DependencyContainer): void {
  make(container, t.FILE_STORE, (c) => {
    const { dataFolder } = c.resolve(t.CONFIG);
    return new LocalFileStore(join(dataFolder, "files"));
  });
  make(
    container,
    t.FILE_SWEEPER,
    (c) =>
      new FileSweeper(
        c.resolve(t.STORE),
        c.resolve(t.FILE_STORE),
        c.resolve(t.LOG),
      ),
  );
  make(
    container,
    t.STORED_LINKS,
    (c) => new StoredLinks(c.resolve(t.BASE_URL), c.resolve(t.SECRET)),
  );
  make(
    container,
    t.THUMBNAIL_LINKS,
    (c) => new ThumbnailLinks(c.resolve(t.BASE_URL), c.resolve(t.SECRET)),
  );
  make(
    container,
    t.DOWNLOADS,
    (c) => new Downloads(c.resolve(t.STORE).read, c.resolve(t.STORED_LINKS)),
  );
}

function joinDocuments(container: DependencyContainer): void {
  make(container, t.RENDERER, (c) => {
    const { executablePath, ...settings } = c.resolve(t.CONFIG).render;
    return createRenderer({
      ...settings,
      ...(executablePath !== null && { executablePath }),
      cacheFolder: join(c.resolve(t.PACKAGE).folder, ".cache", "render"),
      log: c.resolve(t.LOG),
    });
  });
  make(container, t.PROGRAM_CACHE, () => new ProgramCache(128 * MEGABYTE));
  make(
    container,
    t.OUTPUT_STORE,
    (c) => new OutputStore(c.resolve(t.FILE_STORE), c.resolve(t.STORED_LINKS)),
  );
  make(container, t.RENDER_DOCUMENT, (c) =>
    createRenderDocument({
      store: c.resolve(t.STORE),
      files: c.resolve(t.FILE_STORE),
      outputs: c.resolve(t.OUTPUT_STORE),
      programs: c.resolve(t.PROGRAM_CACHE),
      renderer: c.resolve(t.RENDERER),
      log: c.resolve(t.LOG),
    }),
  );
  make(container, t.DOCUMENTS, (c) => new Documents(c.resolve(t.STORE)));
  make(container, t.TEMPLATES, (c) => {
    const links = c.resolve(t.THUMBNAIL_LINKS);
    return new Templates(c.resolve(t.STORE), (id, hash) =>
      links.create(id, hash),
    );
  });
  make(container, t.THUMBNAILS, (c) => {
    const { timeoutMs } = c.resolve(t.CONFIG).render;
    return new Thumbnails({
      store: c.resolve(t.STORE),
      files: c.resolve(t.FILE_STORE),
      programs: c.resolve(t.PROGRAM_CACHE),
      renderer: c.resolve(t.RENDERER),
      links: c.resolve(t.THUMBNAIL_LINKS),
      timeoutMs,
    });
  });
}

function joinHttp(container: DependencyContainer): void {
  make(container, t.HTTP_APP, (c) => {
    const config = c.resolve(t.CONFIG);
    return createApp({
      log: c.resolve(t.LOG),
      baseUrl: c.resolve(t.BASE_URL),
      version: c.resolve(t.PACKAGE).version,
      maxBodyBytes: config.maxBodyBytes,
      renderTimeoutMs: config.render.timeoutMs,
      authenticate: (key) => c.resolve(t.AUTHENTICATOR).authenticate(key),
      templates: c.resolve(t.TEMPLATES),
      documents: c.resolve(t.DOCUMENTS),
      renderDocument: c.resolve(t.RENDER_DOCUMENT),
      thumbnails: c.resolve(t.THUMBNAILS),
      downloads: c.resolve(t.DOWNLOADS),
      files: c.resolve(t.FILE_STORE),
      isReady: readinessCheck(c.resolve(t.STORE), c.resolve(t.RENDERER)),
    });
  });
}
