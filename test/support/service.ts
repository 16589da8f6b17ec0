import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DependencyContainer } from "tsyringe";
import { type Config, parseConfig } from "../../config/index.js";
import { createContainer } from "../../core/app/entry-points.js";
import type { Log } from "../../core/plugin-api/index.js";
import {
  type Role,
  type Service,
  startService,
} from "../../core/app/service.js";
import { type Store, STORE } from "../../core/storage/database/index.js";
import { RENDERER } from "../../core/rendering/index.js";
import { type TestCaller, replies } from "./caller.js";
import { silentLog } from "./recording-log.js";
import { lazyRenderer } from "./renderer.js";
import { suiteFolder } from "./store-folder.js";
import { copyEmptySqlite } from "./store.js";

export interface TestServiceOptions {
  config?: Partial<Config>;
  /** What people would set, beside its folder and its port. */
  variables?: () => Record<string, string>;
  log?: Log;
  /** What its process does; both by default. */
  role?: Role;
  /** Replaces parts of the service. */
  replace?(container: DependencyContainer): void;
}

/** The service of a suite; runs from the suite's `before` to its `after`. */
export class TestService {
  #service: Service | null = null;

  constructor(
    readonly dataFolder: string,
    private readonly options: TestServiceOptions,
  ) {}

  async start(): Promise<void> {
    const config = parseConfig({
      PLATEN_DATA: this.dataFolder,
      PLATEN_PORT: "0",
      ...this.options.variables?.(),
    });
    const container = createContainer().createChildContainer();
    container.register(RENDERER, { useValue: lazyRenderer });
    this.options.replace?.(container);
    const file = join(this.dataFolder, "platen.sqlite");
    if (!this.options.config?.database && !existsSync(file))
      await copyEmptySqlite(file);
    this.#service = await startService(
      { ...config, demo: false, ...this.options.config },
      this.options.log ?? silentLog,
      container,
      this.options.role,
    );
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
  }

  /** Where it can be called, whatever its public address is. */
  get url(): string {
    const { baseUrl, host = "127.0.0.1", port } = this.options.config ?? {};
    return baseUrl && port ? `http://${host}:${port}` : this.#running.baseUrl;
  }

  get metricsUrl(): string {
    return this.#running.metricsUrl ?? "";
  }

  get container(): DependencyContainer {
    return this.#running.container;
  }

  get store(): Store {
    return this.container.resolve(STORE);
  }

  get #running(): Service {
    if (this.#service) return this.#service;
    throw new Error("the service of this suite does not run yet");
  }
}

/**
 * The whole service for the suite that calls this, on a free port, with an empty database in a folder of its own and
 * without a demo. Only the browser is shared with other suites.
 */
export function useService(options: TestServiceOptions = {}): TestService {
  // Before the folder is removed, in which it may be at work.
  after(() => service.stop());
  const service = new TestService(suiteFolder(), options);
  before(() => service.start());
  return service;
}

/** Renders and reads the response and the document that the header names. */
export async function exported(caller: TestCaller, body: object) {
  const response = await caller.post("/api/export", body);
  const result = await replies.exported(response);
  const id = response.headers.get("x-document-id") ?? "";
  const document = await replies.document(
    await caller.get(`/api/documents/${id}`),
  );
  return { result, document, headers: response.headers };
}
