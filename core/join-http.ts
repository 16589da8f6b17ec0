import type { DependencyContainer } from "tsyringe";
import { usageOfMonth } from "./account/index.js";
import { noMetrics } from "./contract/index.js";
import { createApp } from "./http/index.js";
import { make } from "./make.js";
import { readinessCheck } from "./readiness.js";
import * as t from "./tokens.js";

/** The REST doorway. */
export function joinHttp(container: DependencyContainer): void {
  make(container, t.METRICS, () => noMetrics);
  make(container, t.HTTP_APP, (c) => {
    const config = c.resolve(t.CONFIG);
    return createApp({
      log: c.resolve(t.LOG),
      metrics: c.resolve(t.METRICS),
      baseUrl: c.resolve(t.BASE_URL),
      version: c.resolve(t.PACKAGE).version,
      maxBodyBytes: config.maxBodyBytes,
      renderTimeoutMs: config.render.timeoutMs,
      authenticate: (key) => c.resolve(t.AUTHENTICATOR).authenticate(key),
      openSession: (token) => c.resolve(t.SESSIONS).open(token),
      apps: c.resolve(t.APPS),
      templates: c.resolve(t.TEMPLATES),
      templateEditor: c.resolve(t.TEMPLATE_EDITOR),
      assets: c.resolve(t.ASSETS),
      publicFiles: c.resolve(t.PUBLIC_FILES),
      folders: c.resolve(t.FOLDERS),
      documents: c.resolve(t.DOCUMENTS),
      renderDocument: c.resolve(t.RENDER_DOCUMENT),
      thumbnails: c.resolve(t.THUMBNAILS),
      downloads: c.resolve(t.DOWNLOADS),
      files: c.resolve(t.FILE_STORE),
      webhookEndpoints: c.resolve(t.EVENTS).endpoints,
      webhookDeliveries: c.resolve(t.EVENTS).deliveries,
      batches: c.resolve(t.BATCHES),
      maxBatchBodyBytes: config.batch.maxBodyBytes,
      rateLimits: c.resolve(t.RATE_LIMITS),
      idempotencyKeys: c.resolve(t.IDEMPOTENCY_KEYS),
      usageOf: (organizationId, month) =>
        usageOfMonth(c.resolve(t.STORE).read, organizationId, month),
      draining: c.resolve(t.DRAINING).signal,
      recordBatches: c.resolve(t.RECORD_BATCHES),
      connections: c.resolve(t.CONNECTIONS),
      links: c.resolve(t.LINKS),
      signatures: c.resolve(t.SIGNATURES),
      signing: c.resolve(t.SIGNING),
      signatureNotices: c.resolve(t.SIGNATURE_NOTICES),
      runs: c.resolve(t.RUNS),
      thumbnailUrl: (id, hash) => c.resolve(t.THUMBNAIL_LINKS).create(id, hash),
      platforms: c.resolve(t.PLATFORMS),
      esignProviders: c.resolve(t.ESIGN_PROVIDERS),
      toolServer: c.resolve(t.TOOL_SERVER_DOOR),
      isReady: readinessCheck(
        c.resolve(t.STORE),
        c.resolve(t.RENDERER),
        c.resolve(t.DRAINING).signal,
      ),
    });
  });
}
