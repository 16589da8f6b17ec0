import type { IncomingMessage, ServerResponse } from "node:http";
import { Router } from "@koa/router";
import Koa from "koa";
import type { IdempotencyKeys, RateLimits } from "../accounts/index.js";
import type { Assets, PublicFiles } from "../assets/index.js";
import type {
  Documents,
  RenderDocument,
  Signing,
  Thumbnails,
} from "../documents/index.js";
import type { Folders } from "../folders/index.js";
import type { ConnectionService } from "../integrations/connections/index.js";
import type { EsignHost, PlatformHost } from "../integrations/host/index.js";
import type { Links, Runs } from "../integrations/platforms/index.js";
import {
  type FileStore,
  type Log,
  type Metrics,
  PlatenError,
} from "../plugin-api/index.js";
import type { SignatureNotices, Signatures } from "../signatures/index.js";
import type { Downloads } from "../storage/files/index.js";
import type { TemplateEditor, Templates } from "../templates/index.js";
import type { WebhookDeliveries, WebhookEndpoints } from "../webhooks/index.js";
import { type AppGate, appRouter, type MountedApp } from "./apps.js";
import {
  SessionCookies,
  type OpenSessionToken,
} from "./middleware/sessions.js";
import type { HttpState, HttpMiddleware } from "./context.js";
import type { Authenticate } from "./middleware/authentication.js";
import { handleErrors, handleUnknownRoutes } from "./middleware/errors.js";
import {
  createRequestMetrics,
  logRequest,
  observeRequests,
  assignRequestId,
} from "./middleware/observability.js";
import { openApiDocument } from "./openapi.js";
import { createOperationRouter } from "./operation.js";
import {
  uploadOperations,
  assetOperations,
  cdnRoutes,
  uploadRoutes,
} from "./routes/assets.js";
import { batchOperations } from "./routes/batches.js";
import { connectionOperations } from "./routes/connections.js";
import { docsRoutes } from "./routes/docs.js";
import { documentOperations, fileRoutes } from "./routes/documents.js";
import {
  type BatchServices,
  exportBatchOperation,
  platformBatchOperations,
  type PlatformServices,
} from "./routes/export-batch.js";
import { exportOperation } from "./routes/export.js";
import { folderOperations } from "./routes/folders.js";
import { linkOperations } from "./routes/links.js";
import { platformOperations, providerOperations } from "./routes/platforms.js";
import { referenceRoutes } from "./routes/reference.js";
import { runRoutes } from "./routes/run.js";
import {
  esignPageRoutes,
  signatureNoticeRoutes,
  signatureOperations,
} from "./routes/signatures.js";
import {
  templateVersionOperations,
  templateChangeOperations,
  templateOperations,
  thumbnailRoutes,
} from "./routes/templates.js";
import { type UsageServices, usageOperation } from "./routes/usage.js";
import {
  webhookDeliveryOperations,
  webhookOperations,
} from "./routes/webhooks.js";

/** The services that the API uses. */
export interface HttpServices extends BatchServices, PlatformServices {
  log: Log;
  metrics: Metrics;
  /** Where callers reach us, without a slash at the end. */
  baseUrl: string;
  version: string;
  /** Where the build has put the files of Swagger UI. */
  apiDocsFolder: string;
  /** Where the build has put the documentation site. */
  docsFolder: string;
  maxBodyBytes: number;
  renderTimeoutMs: number;
  authenticate: Authenticate;
  openSession: OpenSessionToken;
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
  connections: ConnectionService;
  links: Links;
  signatures: Signatures;
  signing: Pick<Signing, "view">;
  signatureNotices: SignatureNotices;
  runs: Runs;
  thumbnailUrl(templateId: string, definitionHash: string): string;
  platforms: PlatformHost;
  esignProviders: EsignHost;
  /** The MCP server. */
  toolServer: Mount;
  isReady: ReadinessCheck;
  /** Fires when the service begins to end. */
  draining: AbortSignal;
  rateLimits: RateLimits;
  idempotencyKeys: IdempotencyKeys;
  usageOf: UsageServices["usageOf"];
}

/** Creates the REST API with its middleware and routes. */
export function createApp(services: HttpServices): Koa<HttpState> {
  const app = new Koa<HttpState>();
  app.use(assignRequestId(services.log));
  app.use(observeRequests(logRequest, createRequestMetrics(services.metrics)));
  app.use(setSecurityHeaders());
  app.use(handleErrors());
  app.use(stripBasePath(services.baseUrl));
  app.use(rejectWhenDraining(services.draining));
  app.use(delegateTo(services.toolServer));
  app.use(handleUnknownRoutes());
  addRoutes(app, services);
  app.on("error", (error: unknown) => {
    services.log.debug({ err: error }, "a response was cut off");
  });
  return app;
}

function addRoutes(app: Koa<HttpState>, services: HttpServices): void {
  const operations = allOperations(services);
  const { baseUrl, openSession, rateLimits } = services;
  const door = new SessionCookies(openSession, baseUrl);
  const gate: AppGate = { door, rateLimits, baseUrl };
  const routers = [
    createOperationRouter(operations, { ...services, door }),
    ...publicRoutes(services),
    ...services.apps.map((one) => appRouter(one, gate)),
    referenceRoutes(
      () => openApiDocument(operations, services),
      baseUrl,
      services.apiDocsFolder,
    ),
    docsRoutes(
      services.docsFolder,
      services.apps.some(({ id }) => id === "studio"),
    ),
  ];
  for (const router of routers)
    app.use(router.routes()).use(router.allowedMethods());
}

/** The operations in the OpenAPI document; they require a key or a session. */
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

/** Routes without a key: the URL itself is the credential. */
function publicRoutes(services: HttpServices) {
  return [
    fileRoutes(services.downloads, services.files),
    thumbnailRoutes(services.thumbnails),
    cdnRoutes(services.publicFiles),
    uploadRoutes(services.assets),
    runRoutes(services),
    signatureNoticeRoutes(services.signatureNotices),
    esignPageRoutes(services),
    createHealthRoutes(services.isReady),
  ];
}

/** Removes the base URL's path from requests, whether or not a proxy has removed it already. */
function stripBasePath(baseUrl: string): HttpMiddleware {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, "");
  return async (ctx, next) => {
    if (prefix !== "" && ctx.url.startsWith(`${prefix}/`))
      ctx.url = ctx.url.slice(prefix.length);
    await next();
  };
}

/** A server that answers some paths itself, on the raw connection. */
interface Mount<Endpoint extends string = string> {
  /** The endpoint for a URL, as it was sent; null if it is not one of its own. */
  endpointOf(url: string): Endpoint | null;
  /** Rejects only before anything was answered. */
  answer(
    endpoint: Endpoint,
    request: IncomingMessage,
    response: ServerResponse,
    log: Log,
  ): Promise<void>;
}

/** Passes requests for the mounted server on to it. Its errors are handled like all others. */
function delegateTo<Endpoint extends string>(
  mount: Mount<Endpoint>,
): HttpMiddleware {
  return async (ctx, next) => {
    const endpoint = mount.endpointOf(ctx.originalUrl);
    if (endpoint === null) await next();
    else {
      ctx["_matchedRoute"] = endpoint;
      await mount.answer(endpoint, ctx.req, ctx.res, ctx.state.log);
      ctx.respond = false;
    }
  };
}

const drainRetrySeconds = 5;

/**
 * During shutdown, running requests are finished and new ones are rejected. The port stays open meanwhile, so that
 * probes get "not ready" instead of a refused connection.
 */
function rejectWhenDraining(draining: AbortSignal): HttpMiddleware {
  return async (ctx, next) => {
    if (draining.aborted) {
      ctx.set("connection", "close");
      if (!ctx.path.startsWith("/health/"))
        throw new PlatenError(
          "unavailable",
          "The service is shutting down. Send the request again in a moment.",
          { retryAfterSeconds: drainRetrySeconds },
        );
    }
    await next();
  };
}

/** Headers that make a browser treat every answer as data. Pages and files set wider policies of their own. */
function setSecurityHeaders(): HttpMiddleware {
  return async (ctx, next) => {
    ctx.set({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
    });
    await next();
  };
}

/** Throws PlatenError `unavailable`, which says what is missing, while the service cannot render. */
type ReadinessCheck = () => Promise<void>;

/** Liveness and readiness probes. */
function createHealthRoutes(isReady: ReadinessCheck): Router<HttpState> {
  const router = new Router<HttpState>();
  router.get("/health/live", (ctx) => {
    ctx.body = { status: "live" };
  });
  router.get("/health/ready", async (ctx) => {
    await isReady();
    ctx.body = { status: "ready" };
  });
  return router;
}
