import { join } from "node:path";
import {
  AUTHENTICATOR,
  IDEMPOTENCY_KEYS,
  RATE_LIMITS,
  USAGE,
} from "../accounts/tokens.js";
import {
  GRANTS,
  OAUTH_ADDRESSES,
  OAUTH_CLIENTS,
} from "../accounts/oauth/tokens.js";
import { SESSIONS } from "../accounts/sessions/tokens.js";
import { ASSETS, PUBLIC_FILES } from "../assets/tokens.js";
import { AUTOMATIONS, CHANGE_NOTICES } from "../automations/tokens.js";
import { BATCHES } from "../batches/tokens.js";
import { SIGNING_CERTIFICATES } from "../certificates/tokens.js";
import { COMPUTE } from "../compute/tokens.js";
import { DELIVERIES } from "../deliveries/tokens.js";
import {
  DATA_VALIDATION,
  DOCUMENTS,
  NUMBERS,
  RENDER_DOCUMENT,
  SIGNING,
  THUMBNAILS,
} from "../documents/tokens.js";
import { FOLDERS } from "../folders/tokens.js";
import { CONNECTIONS } from "../integrations/connections/tokens.js";
import {
  DELIVERY_METHODS,
  ESIGN_PROVIDERS,
  PLATFORMS,
} from "../integrations/host/tokens.js";
import {
  FILE_BATCHES,
  LINKS,
  RECORD_BATCHES,
  RUNS,
} from "../integrations/platforms/tokens.js";
import { type DependencyContainer, registerFactory } from "../lib/injection.js";
import {
  BASE_URL,
  CONFIG,
  DRAINING,
  FILE_STORE,
  LOG,
  METRICS,
  PACKAGE,
  RENDER_TIMEOUT_MS,
  SECRETS,
} from "../lib/tokens.js";
import { Networks } from "../lib/networks.js";
import { SecretBox } from "../lib/secrets.js";
import { SIGNATURE_NOTICES, SIGNATURES } from "../signatures/tokens.js";
import { DOWNLOADS } from "../storage/files/tokens.js";
import {
  BRANDS,
  PARTIALS,
  TEMPLATE_EDITOR,
  TEMPLATES,
  THUMBNAIL_URL,
} from "../templates/tokens.js";
import { EVENTS } from "../webhooks/tokens.js";
import { createApp } from "./index.js";
import {
  APPS,
  HTTP_APP,
  READINESS_CHECK,
  TOOL_SERVER_MOUNT,
} from "./tokens.js";

export function registerApi(container: DependencyContainer): void {
  registerFactory(container, HTTP_APP, (c) => {
    const { maxBodyBytes, batch } = c.resolve(CONFIG);
    const { version, folder } = c.resolve(PACKAGE);
    const { endpoints, deliveries } = c.resolve(EVENTS);
    return createApp({
      log: c.resolve(LOG),
      metrics: c.resolve(METRICS),
      baseUrl: c.resolve(BASE_URL),
      version,
      apiDocsFolder: join(folder, "dist", "api-docs"),
      runFontFolder: join(folder, "dist", "run-font"),
      docsFolder: join(folder, "dist", "docs"),
      maxBodyBytes,
      maxBatchBodyBytes: batch.maxBodyBytes,
      compute: c.resolve(COMPUTE),
      renderTimeoutMs: c.resolve(RENDER_TIMEOUT_MS),
      draining: c.resolve(DRAINING).signal,
      isReady: c.resolve(READINESS_CHECK),
      authenticator: c.resolve(AUTHENTICATOR),
      sessions: c.resolve(SESSIONS),
      trustedProxies: new Networks(c.resolve(CONFIG).trustedProxies),
      oauthAddresses: c.resolve(OAUTH_ADDRESSES),
      oauthClients: c.resolve(OAUTH_CLIENTS),
      grants: c.resolve(GRANTS),
      rateLimits: c.resolve(RATE_LIMITS),
      idempotencyKeys: c.resolve(IDEMPOTENCY_KEYS),
      answerSecrets: new SecretBox(
        c.resolve(SECRETS),
        "platen/idempotency-answers/v1",
      ),
      usage: c.resolve(USAGE),
      templates: c.resolve(TEMPLATES),
      templateEditor: c.resolve(TEMPLATE_EDITOR),
      brands: c.resolve(BRANDS),
      numbers: c.resolve(NUMBERS),
      signingCertificates: c.resolve(SIGNING_CERTIFICATES),
      partials: c.resolve(PARTIALS),
      thumbnails: c.resolve(THUMBNAILS),
      thumbnailUrl: c.resolve(THUMBNAIL_URL),
      assets: c.resolve(ASSETS),
      publicFiles: c.resolve(PUBLIC_FILES),
      folders: c.resolve(FOLDERS),
      documents: c.resolve(DOCUMENTS),
      renderDocument: c.resolve(RENDER_DOCUMENT),
      dataValidation: c.resolve(DATA_VALIDATION),
      batches: c.resolve(BATCHES),
      deliveries: c.resolve(DELIVERIES),
      deliveryMethods: c.resolve(DELIVERY_METHODS),
      downloads: c.resolve(DOWNLOADS),
      files: c.resolve(FILE_STORE),
      webhookEndpoints: endpoints,
      webhookDeliveries: deliveries,
      connections: c.resolve(CONNECTIONS),
      platforms: c.resolve(PLATFORMS),
      recordBatches: c.resolve(RECORD_BATCHES),
      fileBatches: c.resolve(FILE_BATCHES),
      links: c.resolve(LINKS),
      automations: c.resolve(AUTOMATIONS),
      changeNotices: c.resolve(CHANGE_NOTICES),
      runs: c.resolve(RUNS),
      esignProviders: c.resolve(ESIGN_PROVIDERS),
      signatures: c.resolve(SIGNATURES),
      signing: c.resolve(SIGNING),
      signatureNotices: c.resolve(SIGNATURE_NOTICES),
      apps: c.resolve(APPS),
      toolServer: c.resolve(TOOL_SERVER_MOUNT),
    });
  });
}
