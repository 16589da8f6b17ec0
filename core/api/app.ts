import { once } from "node:events";
import {
  type IncomingMessage,
  type ServerResponse,
  createServer,
  type Server,
} from "node:http";
import { Router } from "@koa/router";
import Koa from "koa";
import type {
  Authenticator,
  Caller,
  IdempotencyKeys,
  RateLimits,
  Usage,
} from "../accounts/index.js";
import type { Sessions } from "../accounts/sessions/index.js";
import type { Assets, PublicFiles } from "../assets/index.js";
import type { SigningCertificates } from "../certificates/index.js";
import type {
  Numbers,
  DataValidation,
  Documents,
  RenderRequestedDocument,
  Signing,
  Thumbnails,
} from "../documents/index.js";
import type { Folders } from "../folders/index.js";
import type { ConnectionService } from "../integrations/connections/index.js";
import type {
  DeliveryHost,
  EsignHost,
  PlatformHost,
} from "../integrations/host/index.js";
import type { Automations, ChangeNotices } from "../automations/index.js";
import type { Links, Runs } from "../integrations/platforms/index.js";
import { clock } from "../lib/clock.js";
import { describeOwner } from "../lib/event-loop.js";
import type { Networks } from "../lib/networks.js";
import type { SecretBox } from "../lib/secrets.js";
import {
  type FileStore,
  type Log,
  type Metrics,
  PlatenError,
} from "../plugin-api/index.js";
import type { SignatureNotices, Signatures } from "../signatures/index.js";
import type { Downloads } from "../storage/files/index.js";
import type {
  Brands,
  Partials,
  TemplateEditor,
  Templates,
} from "../templates/index.js";
import type { WebhookDeliveries, WebhookEndpoints } from "../webhooks/index.js";
import type { Deliveries } from "../deliveries/index.js";
import { createToken } from "../lib/injection.js";
import { type AppGate, appRouter, type MountedApp } from "./apps.js";
import {
  type HttpState,
  type HttpMiddleware,
  handleErrors,
  handleUnknownRoutes,
  createRequestMetrics,
  logRequest,
  observeRequests,
  assignAddress,
  assignRequestId,
  toOwner,
} from "./middleware.js";
import { SessionCookies } from "./sessions.js";
import { openApiDocument } from "./openapi.js";
import { createOperationRouter } from "./operation.js";
import type { BodyParser } from "./request-body.js";
import {
  uploadOperations,
  assetOperations,
  cdnRoutes,
  uploadRoutes,
} from "./routes/assets.js";
import { batchOperations } from "./routes/batches.js";
import { connectionOperations } from "./routes/connections.js";
import { docsRoutes } from "./routes/docs.js";
import { deliveryOperations } from "./routes/deliveries.js";
import { documentOperations, fileRoutes } from "./routes/documents.js";
import {
  exportBatchOperation,
  platformBatchOperations,
  type PlatformServices,
} from "./routes/export-batch.js";
import { exportOperation } from "./routes/export.js";
import { brandOperations } from "./routes/brand.js";
import { sequenceOperations } from "./routes/sequences.js";
import { signingCertificateOperations } from "./routes/signing-certificate.js";
import { partialOperations } from "./routes/partials.js";
import {
  fileBatchOperations,
  type FileBatchServices,
} from "./routes/file-batches.js";
import { folderOperations } from "./routes/folders.js";
import {
  automationOperations,
  changeNoticeRoutes,
} from "./routes/automations.js";
import { linkOperations } from "./routes/links.js";
import { oauthRoutes, type OauthServices } from "./routes/oauth.js";
import {
  deliveryMethodOperations,
  platformOperations,
  providerOperations,
} from "./routes/platforms.js";
import { referenceRoutes } from "./routes/reference.js";
import { runRoutes } from "./routes/run.js";
import {
  esignPageRoutes,
  signatureNoticeRoutes,
  signatureOperations,
} from "./routes/signatures.js";
import { templateOperations, thumbnailRoutes } from "./routes/templates.js";
import { usageOperation } from "./routes/usage.js";
import { webhookOperations } from "./routes/webhooks.js";

/** Throws PlatenError `unavailable` while the service cannot render. */
export const READINESS_CHECK =
  createToken<HttpServices["isReady"]>("readiness check");
/** The MCP server, which answers its paths itself. */
export const TOOL_SERVER_MOUNT = createToken<HttpServices["toolServer"]>(
  "mount of the tool server",
);

/** The services that the API uses. */
export interface HttpServices
  extends FileBatchServices, PlatformServices, OauthServices {
  deliveries: Deliveries;
  deliveryMethods: DeliveryHost;
  log: Log;
  metrics: Metrics;
  /** Where callers reach us, without a slash at the end. */
  baseUrl: string;
  trustedProxies: Networks;
  version: string;
  /** Where the build has put the files of Swagger UI. */
  apiDocsFolder: string;
  /** Where the build has put the font of the pages behind links. */
  runFontFolder: string;
  /** Where the build has put the documentation site. */
  docsFolder: string;
  maxBodyBytes: number;
  compute: BodyParser;
  renderTimeoutMs: number;
  authenticator: Pick<Authenticator, "authenticate">;
  sessions: Pick<Sessions, "open">;
  /** Plugins with pages. */
  apps: readonly MountedApp[];
  templates: Templates;
  templateEditor: TemplateEditor;
  assets: Assets;
  publicFiles: PublicFiles;
  folders: Folders;
  brands: Brands;
  signingCertificates: SigningCertificates;
  numbers: Numbers;
  partials: Partials;
  documents: Documents;
  renderDocument: RenderRequestedDocument;
  dataValidation: DataValidation;
  thumbnails: Thumbnails;
  downloads: Downloads;
  files: FileStore;
  webhookEndpoints: WebhookEndpoints;
  webhookDeliveries: WebhookDeliveries;
  connections: ConnectionService;
  links: Links;
  automations: Automations;
  changeNotices: ChangeNotices;
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
  answerSecrets: SecretBox;
  usage: Pick<Usage, "getMonth">;
}

/** Creates the REST API with its middleware and routes. */
export function createApp(services: HttpServices): Koa<HttpState> {
  const app = new Koa<HttpState>();
  app.use(assignRequestId(services.log));
  app.use(assignAddress(services.trustedProxies));
  app.use(observeRequests(logRequest, createRequestMetrics(services.metrics)));
  app.use(setSecurityHeaders(services.baseUrl));
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
  const { baseUrl, sessions, rateLimits, compute, draining } = services;
  const cookies = new SessionCookies(sessions, baseUrl);
  const gate: AppGate = { cookies, rateLimits, compute, baseUrl, draining };
  const routers = [
    createOperationRouter(operations, { ...services, cookies }),
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
    // Before the platforms, whose path has any name in its place.
    ...fileBatchOperations(services),
    ...platformBatchOperations(services),
    ...batchOperations(services.batches),
    ...deliveryOperations(services),
    ...linkOperations(services.links),
    ...automationOperations(services.automations),
    ...documentOperations(services.documents),
    ...templateOperations(services),
    usageOperation(services.usage),
    ...webhookOperations(services),
    ...assetOperations(services.assets),
    ...uploadOperations(services),
    ...folderOperations(services.folders),
    ...brandOperations(services.brands),
    ...sequenceOperations(services.numbers),
    ...signingCertificateOperations(services.signingCertificates),
    ...partialOperations(services.partials),
    ...signatureOperations(services.signatures),
    ...connectionOperations(services.connections),
    ...platformOperations(services.platforms),
    ...providerOperations(services.esignProviders),
    ...deliveryMethodOperations(services.deliveryMethods),
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
    oauthRoutes(services),
    signatureNoticeRoutes(services.signatureNotices),
    changeNoticeRoutes(services.changeNotices),
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
  /** The endpoint of each of its paths, without a slash at the end, as the client may have sent them. */
  endpoints: ReadonlyMap<string, Endpoint>;
  /** Rejects only before anything was answered. */
  answer(
    endpoint: Endpoint,
    request: IncomingMessage,
    response: ServerResponse,
    context: {
      log: Log;
      /** The client's IP address. */
      address: string;
      /** Called once the key was accepted. */
      onCaller: (caller: Pick<Caller, "organizationId" | "keyId">) => void;
    },
  ): Promise<void>;
}

/** Passes requests for the mounted server on to it. Its errors are handled like all others. */
function delegateTo(mount: Mount): HttpMiddleware {
  return async (ctx, next) => {
    const [path = ""] = ctx.originalUrl.split("?", 1);
    const endpoint = mount.endpoints.get(path.replace(/\/$/, ""));
    if (endpoint === undefined) {
      await next();
      return;
    }
    ctx["_matchedRoute"] = endpoint;
    describeOwner({ route: `${ctx.method} ${endpoint}` });
    await mount.answer(endpoint, ctx.req, ctx.res, {
      log: ctx.state.log,
      address: ctx.state.address,
      onCaller: (caller) => {
        ctx.state.caller = caller;
        describeOwner(toOwner(caller));
      },
    });
    ctx.respond = false;
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
function setSecurityHeaders(baseUrl: string): HttpMiddleware {
  // Without includeSubDomains: other services may use plain http under names of the same domain.
  const https = baseUrl.startsWith("https:") && {
    "strict-transport-security": "max-age=31536000",
  };
  return async (ctx, next) => {
    ctx.set({
      ...https,
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

interface Address {
  host: string;
  port: number;
  /** How to set another. */
  setBy?: string;
}

/** Answers one request; never rejects. */
type Listener = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

export interface HttpServer {
  /** Where it listens; with port 0 asked for, the port that the system chose. */
  readonly port: number;
  /** Resolves once no request is running, after `milliseconds` at the latest. The port stays open meanwhile. */
  idle(milliseconds: number): Promise<void>;
  /** Takes no new connection and cuts off those that there are. */
  close(): Promise<void>;
}

/**
 * Listens.
 * @param listenerFor makes what answers, once the port is known; no request comes in before.
 * @throws PlatenError `unavailable` when the port is taken or may not be had.
 */
export async function startHttpServer(
  listenerFor: (port: number) => Listener,
  address: Address,
): Promise<HttpServer> {
  const server = createServer({
    headersTimeout: 15_000,
    requestTimeout: 120_000,
    keepAliveTimeout: 30_000,
  });
  const port = await listen(server, address);
  const running = new RunningRequests();
  try {
    // Before the event loop turns after the port was opened, and so before the first connection.
    const listener = listenerFor(port);
    server.on("request", (request, response) => {
      // A file that is sent while the connection is watched has a few more listeners than the default allows.
      response.setMaxListeners(20);
      running.begin(response);
      // What is left of a body that was refused midway stands before the connection's next request, which would wait for
      // it until the connection is cut.
      response.once("finish", () => {
        request.unpipe();
        request.resume();
      });
      void listener(request, response);
    });
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    port,
    idle: (milliseconds) => running.none(milliseconds),
    close: () => close(server),
  };
}

async function listen(server: Server, address: Address): Promise<number> {
  const { host, port } = address;
  server.listen(port, host);
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, address);
  });
  const bound = server.address();
  return typeof bound === "object" ? (bound?.port ?? port) : port;
}

function listenError(
  error: NodeJS.ErrnoException,
  { host, port, setBy = "PLATEN_HOST or PLATEN_PORT" }: Address,
): PlatenError {
  const reasons: Record<string, string> = {
    EADDRINUSE: "another program uses it",
    EACCES: "ports below 1024 need special rights",
    EADDRNOTAVAIL: "this machine has no such address",
    ENOTFOUND: "this host name is not known",
  };
  const reason = reasons[error.code ?? ""] ?? error.message;
  return new PlatenError(
    "unavailable",
    `Cannot listen on ${host}:${port}: ${reason}. Set ${setBy}.`,
    { cause: error },
  );
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The requests that are not answered yet. */
class RunningRequests {
  #count = 0;
  #waiting: (() => void)[] = [];

  begin(response: ServerResponse): void {
    this.#count += 1;
    response.once("close", () => {
      this.#count -= 1;
      if (this.#count > 0) return;
      for (const tell of this.#waiting.splice(0)) tell();
    });
  }

  /** Resolves at a moment when nothing runs, after `milliseconds` at the latest. */
  async none(milliseconds: number): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const end = clock.limit(milliseconds, resolve);
      this.#waiting.push(() => {
        end.cancel();
        resolve();
      });
    });
  }
}
