import { join } from "node:path";
import type { DependencyContainer } from "tsyringe";
import { getMonthlyUsage } from "../accounts/index.js";
import { noMetrics } from "../plugin-api/index.js";
import { createApp } from "../api/index.js";
import { make } from "./make.js";
import { readinessCheck } from "./readiness.js";
import * as t from "./tokens.js";

/** The REST doorway. */
export function joinHttp(container: DependencyContainer): void {
  make(container, t.METRICS, () => noMetrics);
  make(container, t.HTTP_APP, (c) =>
    createApp({
      ...frame(c),
      ...callers(c),
      ...templates(c),
      ...documents(c),
      ...hub(c),
      apps: c.resolve(t.APPS),
      toolServer: c.resolve(t.TOOL_SERVER_DOOR),
    }),
  );
}

/** What there is once, whoever calls. */
function frame(c: DependencyContainer) {
  const { maxBodyBytes, batch, render } = c.resolve(t.CONFIG);
  const draining = c.resolve(t.DRAINING).signal;
  const { version, folder } = c.resolve(t.PACKAGE);
  return {
    log: c.resolve(t.LOG),
    metrics: c.resolve(t.METRICS),
    baseUrl: c.resolve(t.BASE_URL),
    version,
    apiDocsFolder: join(folder, "dist", "api-docs"),
    docsFolder: join(folder, "dist", "docs"),
    maxBodyBytes,
    maxBatchBodyBytes: batch.maxBodyBytes,
    renderTimeoutMs: render.timeoutMs,
    draining,
    isReady: readinessCheck(
      c.resolve(t.STORE),
      c.resolve(t.RENDERER),
      draining,
    ),
  };
}

/** Who calls, and how much of it they may. */
function callers(c: DependencyContainer) {
  return {
    authenticate: (key?: string) =>
      c.resolve(t.AUTHENTICATOR).authenticate(key),
    openSession: (token: string) => c.resolve(t.SESSIONS).open(token),
    rateLimits: c.resolve(t.RATE_LIMITS),
    idempotencyKeys: c.resolve(t.IDEMPOTENCY_KEYS),
    usageOf: (organizationId: string, month: string) =>
      getMonthlyUsage(c.resolve(t.STORE).read, organizationId, month),
  };
}

/** Templates, and the library that they draw on. */
function templates(c: DependencyContainer) {
  return {
    templates: c.resolve(t.TEMPLATES),
    templateEditor: c.resolve(t.TEMPLATE_EDITOR),
    thumbnails: c.resolve(t.THUMBNAILS),
    thumbnailUrl: (id: string, hash: string) =>
      c.resolve(t.THUMBNAIL_LINKS).create(id, hash),
    assets: c.resolve(t.ASSETS),
    publicFiles: c.resolve(t.PUBLIC_FILES),
    folders: c.resolve(t.FOLDERS),
  };
}

/** Documents, one by one and in batches, and who hears of them. */
function documents(c: DependencyContainer) {
  return {
    documents: c.resolve(t.DOCUMENTS),
    renderDocument: c.resolve(t.RENDER_DOCUMENT),
    batches: c.resolve(t.BATCHES),
    downloads: c.resolve(t.DOWNLOADS),
    files: c.resolve(t.FILE_STORE),
    webhookEndpoints: c.resolve(t.EVENTS).endpoints,
    webhookDeliveries: c.resolve(t.EVENTS).deliveries,
  };
}

/** Platforms and e-signature providers. */
function hub(c: DependencyContainer) {
  return {
    connections: c.resolve(t.CONNECTIONS),
    platforms: c.resolve(t.PLATFORMS),
    recordBatches: c.resolve(t.RECORD_BATCHES),
    links: c.resolve(t.LINKS),
    runs: c.resolve(t.RUNS),
    esignProviders: c.resolve(t.ESIGN_PROVIDERS),
    signatures: c.resolve(t.SIGNATURES),
    signing: c.resolve(t.SIGNING),
    signatureNotices: c.resolve(t.SIGNATURE_NOTICES),
  };
}
