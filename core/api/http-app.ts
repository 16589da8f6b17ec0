import { join } from "node:path";
import type Koa from "koa";
import { createToken, provide } from "../lib/injection.js";
import { Networks } from "../lib/networks.js";
import { SecretBox } from "../lib/secrets.js";
import { Clients, Grants, OAUTH_ADDRESSES } from "../accounts/oauth/index.js";
import { Sessions } from "../accounts/sessions/index.js";
import {
  Authenticator,
  IdempotencyKeys,
  RateLimits,
  Usage,
} from "../accounts/index.js";
import { Assets, PublicFiles } from "../assets/index.js";
import { Automations, ChangeNotices } from "../automations/index.js";
import { Batches } from "../batches/index.js";
import { SigningCertificates } from "../certificates/index.js";
import { Compute } from "../compute/index.js";
import { Deliveries } from "../deliveries/index.js";
import {
  DataValidation,
  Documents,
  Numbers,
  RENDER_DOCUMENT,
  SIGNING,
  Thumbnails,
} from "../documents/index.js";
import { Folders } from "../folders/index.js";
import { ConnectionService } from "../integrations/connections/index.js";
import {
  DeliveryHost,
  EsignHost,
  PlatformHost,
} from "../integrations/host/index.js";
import {
  FileBatches,
  Links,
  RecordBatches,
  Runs,
} from "../integrations/platforms/index.js";
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
} from "../lib/process-values.js";
import { SignatureNotices, Signatures } from "../signatures/index.js";
import { Downloads } from "../storage/files/index.js";
import {
  Brands,
  Partials,
  THUMBNAIL_URL,
  TemplateEditor,
  Templates,
} from "../templates/index.js";
import { EVENTS } from "../webhooks/index.js";
import type { HttpState } from "./middleware.js";
import { APPS } from "./apps.js";
import { createApp, READINESS_CHECK, TOOL_SERVER_MOUNT } from "./app.js";

export const HTTP_APP = createToken<Koa<HttpState>>("HTTP app");
provide(HTTP_APP, (c) => {
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
    compute: c.resolve(Compute),
    renderTimeoutMs: c.resolve(RENDER_TIMEOUT_MS),
    draining: c.resolve(DRAINING).signal,
    isReady: c.resolve(READINESS_CHECK),
    authenticator: c.resolve(Authenticator),
    sessions: c.resolve(Sessions),
    trustedProxies: new Networks(c.resolve(CONFIG).trustedProxies),
    oauthAddresses: c.resolve(OAUTH_ADDRESSES),
    oauthClients: c.resolve(Clients),
    grants: c.resolve(Grants),
    rateLimits: c.resolve(RateLimits),
    idempotencyKeys: c.resolve(IdempotencyKeys),
    answerSecrets: new SecretBox(
      c.resolve(SECRETS),
      "platen/idempotency-answers/v1",
    ),
    usage: c.resolve(Usage),
    templates: c.resolve(Templates),
    templateEditor: c.resolve(TemplateEditor),
    brands: c.resolve(Brands),
    numbers: c.resolve(Numbers),
    signingCertificates: c.resolve(SigningCertificates),
    partials: c.resolve(Partials),
    thumbnails: c.resolve(Thumbnails),
    thumbnailUrl: c.resolve(THUMBNAIL_URL),
    assets: c.resolve(Assets),
    publicFiles: c.resolve(PublicFiles),
    folders: c.resolve(Folders),
    documents: c.resolve(Documents),
    renderDocument: c.resolve(RENDER_DOCUMENT),
    dataValidation: c.resolve(DataValidation),
    batches: c.resolve(Batches),
    deliveries: c.resolve(Deliveries),
    deliveryMethods: c.resolve(DeliveryHost),
    downloads: c.resolve(Downloads),
    files: c.resolve(FILE_STORE),
    webhookEndpoints: endpoints,
    webhookDeliveries: deliveries,
    connections: c.resolve(ConnectionService),
    platforms: c.resolve(PlatformHost),
    recordBatches: c.resolve(RecordBatches),
    fileBatches: c.resolve(FileBatches),
    links: c.resolve(Links),
    automations: c.resolve(Automations),
    changeNotices: c.resolve(ChangeNotices),
    runs: c.resolve(Runs),
    esignProviders: c.resolve(EsignHost),
    signatures: c.resolve(Signatures),
    signing: c.resolve(SIGNING),
    signatureNotices: c.resolve(SignatureNotices),
    apps: c.resolve(APPS),
    toolServer: c.resolve(TOOL_SERVER_MOUNT),
  });
});
