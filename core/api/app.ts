import Koa from "koa";
import type { IdempotencyKeys, RateLimits } from "../accounts/limits/index.js";
import type { Assets, PublicFiles } from "../assets/index.js";
import type { Connections } from "../integrations/connections/index.js";
import type { FileStore, Log, Metrics } from "../plugin-api/index.js";
import type { Documents, RenderDocument, Signing } from "../documents/index.js";
import type { TemplateEditor, Templates } from "../templates/index.js";
import type { Thumbnails } from "../documents/index.js";
import type { WebhookDeliveries, WebhookEndpoints } from "../webhooks/index.js";
import type { SignatureNotices, Signatures } from "../signatures/index.js";
import type { Downloads } from "../storage/files/index.js";
import type { Folders } from "../folders/index.js";
import type { EsignHost, PlatformHost } from "../integrations/host/index.js";
import type { Links, Runs } from "../integrations/platforms/index.js";
import type { HttpState } from "./http-state.js";
import type { Authenticate } from "./middleware/api-key.js";
import { type AppGate, appRouter, type MountedApp } from "./apps/app-router.js";
import { SessionDoor, type OpenToken } from "./apps/session-door.js";
import { basePath } from "./middleware/base-path.js";
import { errors } from "./middleware/errors.js";
import { countRequests } from "./middleware/count-requests.js";
import { type Mount, mounted } from "./middleware/mounted.js";
import { logRequest } from "./middleware/log-request.js";
import { refuseWhenDraining } from "./middleware/refuse-when-draining.js";
import { requestEnd } from "./middleware/request-end.js";
import { requestId } from "./middleware/request-id.js";
import { securityHeaders } from "./middleware/security-headers.js";
import { unknownRoute } from "./middleware/unknown-route.js";
import { openApiDocument } from "./openapi/document.js";
import { operationRouter } from "./router.js";
import { uploadOperations } from "./routes/asset-uploads.js";
import { assetOperations } from "./routes/assets.js";
import { batchOperations } from "./routes/batches.js";
import { cdnRoutes } from "./routes/cdn.js";
import { connectionOperations } from "./routes/connections.js";
import { documentOperations } from "./routes/documents.js";
import { exportOperation } from "./routes/export.js";
import { esignPageRoutes } from "./routes/esign-pages.js";
import {
  type BatchServices,
  exportBatchOperation,
} from "./routes/export-batch.js";
import {
  platformBatchOperations,
  type PlatformServices,
} from "./routes/export-platform.js";
import { fileRoutes } from "./routes/files.js";
import { folderOperations } from "./routes/folders.js";
import { healthRoutes, type ReadinessCheck } from "./routes/health.js";
import { linkOperations } from "./routes/links.js";
import { platformOperations } from "./routes/platforms.js";
import { providerOperations } from "./routes/providers.js";
import { referenceRoutes } from "./routes/reference.js";
import { runRoutes } from "./routes/run.js";
import { signatureNoticeRoutes } from "./routes/signature-notices.js";
import { signatureOperations } from "./routes/signatures.js";
import { templateVersionOperations } from "./routes/template-versions.js";
import { templateChangeOperations } from "./routes/template-changes.js";
import { templateOperations } from "./routes/templates.js";
import { type UsageServices, usageOperation } from "./routes/usage.js";
import { thumbnailRoutes } from "./routes/thumbnails.js";
import { uploadRoutes } from "./routes/uploads.js";
import { webhookDeliveryOperations } from "./routes/webhook-deliveries.js";
import { webhookOperations } from "./routes/webhooks.js";

/** All that the doorway opens onto. */
export interface HttpServices extends BatchServices, PlatformServices {
  log: Log;
  metrics: Metrics;
  /** Where callers reach us, without a slash at the end. */
  baseUrl: string;
  version: string;
  /** Where the build has put the files of Swagger UI. */
  apiDocsFolder: string;
  maxBodyBytes: number;
  renderTimeoutMs: number;
  authenticate: Authenticate;
  openSession: OpenToken;
  /** Plugins with pages. */
  apps: readonly MountedApp[];
  templates: Templates;
  templateEditor: TemplateEditor;
  assets: Assets;
  publicFiles: PublicFiles;
  folders: Folders;
  documents: Documents;
  renderDocument: RenderDocument;
  thumbnails: Thumbnails;
  downloads: Downloads;
  files: FileStore;
  webhookEndpoints: WebhookEndpoints;
  webhookDeliveries: WebhookDeliveries;
  connections: Connections;
  links: Links;
  signatures: Signatures;
  signing: Pick<Signing, "view">;
  signatureNotices: SignatureNotices;
  runs: Runs;
  thumbnailUrl(templateId: string, definitionHash: string): string;
  platforms: PlatformHost;
  esignProviders: EsignHost;
  /** The doorway for assistants. */
  toolServer: Mount;
  isReady: ReadinessCheck;
  /** Fires when the service begins to end. */
  draining: AbortSignal;
  rateLimits: RateLimits;
  idempotencyKeys: IdempotencyKeys;
  usageOf: UsageServices["usageOf"];
}

/** The REST doorway: translates between HTTP and the service's rooms, and decides nothing. */
export function createApp(services: HttpServices): Koa<HttpState> {
  const app = new Koa<HttpState>();
  app.use(requestId(services.log));
  app.use(requestEnd(logRequest, countRequests(services.metrics)));
  app.use(securityHeaders());
  app.use(errors());
  app.use(basePath(services.baseUrl));
  app.use(refuseWhenDraining(services.draining));
  app.use(mounted(services.toolServer));
  app.use(unknownRoute());
  addRoutes(app, services);
  app.on("error", (error: unknown) => {
    services.log.debug({ err: error }, "a response was cut off");
  });
  return app;
}

function addRoutes(app: Koa<HttpState>, services: HttpServices): void {
  const operations = allOperations(services);
  const { baseUrl, openSession, rateLimits } = services;
  const door = new SessionDoor(openSession, baseUrl);
  const gate: AppGate = { door, rateLimits, baseUrl };
  const routers = [
    operationRouter(operations, { ...services, door }),
    ...publicRoutes(services),
    ...services.apps.map((one) => appRouter(one, gate)),
    referenceRoutes(
      () => openApiDocument(operations, services),
      baseUrl,
      services.apiDocsFolder,
    ),
  ];
  for (const router of routers)
    app.use(router.routes()).use(router.allowedMethods());
}

/** What the OpenAPI document tells of, by key or session. */
function allOperations(services: HttpServices) {
  return [
    exportOperation(services),
    exportBatchOperation(services),
    ...platformBatchOperations(services),
    ...batchOperations(services.batches),
    ...linkOperations(services.links),
    ...documentOperations(services.documents),
    ...templateOperations(services.templates),
    ...templateChangeOperations(services.templateEditor),
    ...templateVersionOperations(services.templates),
    usageOperation(services),
    ...webhookOperations(services.webhookEndpoints),
    ...webhookDeliveryOperations(services.webhookDeliveries),
    ...assetOperations(services.assets),
    ...uploadOperations(services),
    ...folderOperations(services.folders),
    ...signatureOperations(services.signatures),
    ...connectionOperations(services.connections),
    ...platformOperations(services.platforms),
    ...providerOperations(services.esignProviders),
  ];
}

/** What needs no key: each address says itself what it gives to whom. */
function publicRoutes(services: HttpServices) {
  return [
    fileRoutes(services.downloads, services.files),
    thumbnailRoutes(services.thumbnails),
    cdnRoutes(services.publicFiles),
    uploadRoutes(services.assets),
    runRoutes(services),
    signatureNoticeRoutes(services.signatureNotices),
    esignPageRoutes(services),
    healthRoutes(services.isReady),
  ];
}
