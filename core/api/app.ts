import { once } from "node:events";
import {
  type IncomingMessage,
  type ServerResponse,
  createServer,
  maxHeaderSize,
  type Server,
  STATUS_CODES,
} from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { Router } from "@koa/router";
import Koa from "koa";
import {
  Authenticator,
  type Caller,
  IdempotencyKeys,
  RateLimits,
  Usage,
} from "../accounts/index.js";
import { Clients, Grants, OAUTH_ADDRESSES } from "../accounts/oauth/index.js";
import { Sessions } from "../accounts/sessions/index.js";
import { Assets, PublicFiles } from "../assets/index.js";
import { Automations, ChangeNotices } from "../automations/index.js";
import { Batches } from "../batches/index.js";
import { SigningCertificates } from "../certificates/index.js";
import { Compute } from "../compute/index.js";
import { Deliveries } from "../deliveries/index.js";
import {
  Numbers,
  DataValidation,
  Documents,
  Thumbnails,
  RENDER_DOCUMENT,
  SIGNING,
} from "../documents/index.js";
import { Folders } from "../folders/index.js";
import { ConnectionService } from "../integrations/connections/index.js";
import {
  DeliveryHost,
  EsignHost,
  PlatformHost,
} from "../integrations/host/index.js";
import {
  Links,
  Runs,
  FileBatches,
  RecordBatches,
} from "../integrations/platforms/index.js";
import { clock } from "../lib/clock.js";
import { describeOwner } from "../lib/event-loop.js";
import { createToken, type Get, provide } from "../lib/injection.js";
import { Networks } from "../lib/networks.js";
import {
  BASE_URL,
  CONFIG,
  DRAINING,
  FILE_STORE,
  getBasePath,
  LOG,
  METRICS,
  PACKAGE,
  RENDER_TIMEOUT_MS,
  SECRETS,
} from "../lib/process-values.js";
import { SecretBox } from "../lib/secrets.js";
import { type Log, PlatenError } from "../plugin-api/index.js";
import { SignatureNotices, Signatures } from "../signatures/index.js";
import { Downloads } from "../storage/files/index.js";
import {
  Brands,
  Partials,
  TemplateEditor,
  Templates,
  THUMBNAIL_URL,
} from "../templates/index.js";
import { EVENTS } from "../webhooks/index.js";
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
import { openApiDocument } from "./openapi.js";
import { createOperationRouter } from "./operation.js";
import {
  uploadOperations,
  assetOperations,
  cdnRoutes,
  uploadRoutes,
} from "./routes/assets.js";
import {
  automationOperations,
  changeNoticeRoutes,
} from "./routes/automations.js";
import { batchOperations } from "./routes/batches.js";
import { brandOperations } from "./routes/brand.js";
import { connectionOperations } from "./routes/connections.js";
import { deliveryOperations } from "./routes/deliveries.js";
import { docsRoutes } from "./routes/docs.js";
import { documentOperations, fileRoutes } from "./routes/documents.js";
import {
  exportBatchOperation,
  platformBatchOperations,
} from "./routes/export-batch.js";
import { exportOperation } from "./routes/export.js";
import { fileBatchOperations } from "./routes/file-batches.js";
import { folderOperations } from "./routes/folders.js";
import { linkOperations } from "./routes/links.js";
import { oauthRoutes } from "./routes/oauth.js";
import { partialOperations } from "./routes/partials.js";
import {
  deliveryMethodOperations,
  platformOperations,
  providerOperations,
} from "./routes/platforms.js";
import { referenceRoutes } from "./routes/reference.js";
import { runRoutes } from "./routes/run.js";
import { sequenceOperations } from "./routes/sequences.js";
import {
  esignPageRoutes,
  signatureNoticeRoutes,
  signatureOperations,
} from "./routes/signatures.js";
import { signingCertificateOperations } from "./routes/signing-certificate.js";
import { appRouter, createStudio } from "./routes/studio/index.js";
import { templateOperations, thumbnailRoutes } from "./routes/templates.js";
import { usageOperation } from "./routes/usage.js";
import { webhookOperations } from "./routes/webhooks.js";
import { SessionCookies } from "./sessions.js";

/** Throws PlatenError `unavailable`, which says what is missing, while the service cannot render. */
export const READINESS_CHECK =
  createToken<() => Promise<void>>("readiness check");
/** The MCP server, which answers its paths itself. */
export const TOOL_SERVER_MOUNT = createToken<Mount>("mount of the tool server");

export const HTTP_APP = createToken<Koa<HttpState>>("HTTP app");
provide(HTTP_APP, (c) => createApp((token) => c.resolve(token)));

function createApp(get: Get): Koa<HttpState> {
  const log = get(LOG);
  const baseUrl = get(BASE_URL);
  const app = new Koa<HttpState>();
  app.use(assignRequestId(log));
  app.use(assignAddress(new Networks(get(CONFIG).trustedProxies)));
  app.use(observeRequests(logRequest, createRequestMetrics(get(METRICS))));
  app.use(setSecurityHeaders(baseUrl));
  app.use(handleErrors());
  app.use(stripBasePath(baseUrl));
  app.use(rejectWhenDraining(get(DRAINING).signal));
  app.use(delegateTo(get(TOOL_SERVER_MOUNT)));
  app.use(handleUnknownRoutes());
  addRoutes(app, get);
  app.on("error", (error: unknown) => {
    log.debug({ err: error }, "a response was cut off");
  });
  return app;
}

function addRoutes(app: Koa<HttpState>, get: Get): void {
  const operations = allOperations(get);
  const baseUrl = get(BASE_URL);
  const { version } = get(PACKAGE);
  const gate = {
    cookies: new SessionCookies(get(Sessions), baseUrl),
    rateLimits: get(RateLimits),
    compute: get(Compute),
    baseUrl,
    draining: get(DRAINING).signal,
  };
  const routers = [
    createOperationRouter(operations, {
      ...gate,
      authenticator: get(Authenticator),
      idempotencyKeys: get(IdempotencyKeys),
      answerSecrets: new SecretBox(
        get(SECRETS),
        "platen/idempotency-answers/v1",
      ),
      maxBodyBytes: get(CONFIG).maxBodyBytes,
      links: get(Links),
    }),
    ...publicRoutes(get),
    appRouter(createStudio(get), gate),
    referenceRoutes(
      () => openApiDocument(operations, { baseUrl, version }),
      baseUrl,
      getBuiltFolder(get, "api-docs"),
    ),
    docsRoutes(getBuiltFolder(get, "docs")),
  ];
  for (const router of routers)
    app.use(router.routes()).use(router.allowedMethods());
}

/** Where the build has put files that are served. */
function getBuiltFolder(get: Get, name: string): string {
  return join(get(PACKAGE).folder, "dist", name);
}

/** The operations in the OpenAPI document; they require a key or a session. */
function allOperations(get: Get) {
  const { maxBodyBytes, batch } = get(CONFIG);
  const { endpoints, deliveries } = get(EVENTS);
  const forBatches = {
    batches: get(Batches),
    maxBatchBodyBytes: batch.maxBodyBytes,
    maxBodyBytes,
  };
  return [
    exportOperation({
      renderDocument: get(RENDER_DOCUMENT),
      signing: get(SIGNING),
      downloads: get(Downloads),
      files: get(FILE_STORE),
      renderTimeoutMs: get(RENDER_TIMEOUT_MS),
    }),
    exportBatchOperation(forBatches),
    // Before the platforms, whose path has any name in its place.
    ...fileBatchOperations({ ...forBatches, fileBatches: get(FileBatches) }),
    ...platformBatchOperations(get(Batches), get(RecordBatches)),
    ...batchOperations(get(Batches)),
    ...deliveryOperations(get(Batches), get(Deliveries)),
    ...linkOperations(get(Links)),
    ...automationOperations(get(Automations)),
    ...documentOperations(get(Documents)),
    ...templateOperations(
      get(Templates),
      get(TemplateEditor),
      get(DataValidation),
    ),
    usageOperation(get(Usage)),
    ...webhookOperations(endpoints, deliveries),
    ...assetOperations(get(Assets)),
    ...uploadOperations({
      assets: get(Assets),
      maxBodyBytes,
      compute: get(Compute),
    }),
    ...folderOperations(get(Folders)),
    ...brandOperations(get(Brands)),
    ...sequenceOperations(get(Numbers)),
    ...signingCertificateOperations(get(SigningCertificates)),
    ...partialOperations(get(Partials)),
    ...signatureOperations(get(Signatures)),
    ...connectionOperations(get(ConnectionService)),
    ...platformOperations(get(PlatformHost)),
    ...providerOperations(get(EsignHost)),
    ...deliveryMethodOperations(get(DeliveryHost)),
  ];
}

/** Routes without a key: the URL itself is the credential. */
function publicRoutes(get: Get) {
  const baseUrl = get(BASE_URL);
  return [
    fileRoutes(get(Downloads), get(FILE_STORE)),
    thumbnailRoutes(get(Thumbnails)),
    cdnRoutes(get(PublicFiles)),
    uploadRoutes(get(Assets)),
    runRoutes({
      runs: get(Runs),
      thumbnailUrl: get(THUMBNAIL_URL),
      links: get(Links),
      rateLimits: get(RateLimits),
      baseUrl,
      runFontFolder: getBuiltFolder(get, "run-font"),
      draining: get(DRAINING).signal,
    }),
    oauthRoutes({
      oauthAddresses: get(OAUTH_ADDRESSES),
      oauthClients: get(Clients),
      grants: get(Grants),
      rateLimits: get(RateLimits),
    }),
    signatureNoticeRoutes(get(SignatureNotices)),
    changeNoticeRoutes(get(ChangeNotices)),
    esignPageRoutes({
      connections: get(ConnectionService),
      signatureNotices: get(SignatureNotices),
      baseUrl,
    }),
    createHealthRoutes(get(READINESS_CHECK)),
  ];
}

/** Removes the base URL's path from requests, whether or not a proxy has removed it already. */
function stripBasePath(baseUrl: string): HttpMiddleware {
  const prefix = getBasePath(baseUrl);
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

function createHealthRoutes(isReady: () => Promise<void>): Router<HttpState> {
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

/** Never rejects. */
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
  answerMalformedRequests(server);
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

/** Requests that the parser of HTTP refuses reach no listener; they are answered as JSON here. */
function answerMalformedRequests(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on("request", ({ socket }, response) => {
    answers.set(socket, response);
    response.once("close", () => answers.delete(socket));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const { status, message } = describeMalformed(error.code);
    if (!socket.writable || answers.get(socket)?.headersSent) {
      socket.destroy(error);
      return;
    }
    const body = JSON.stringify({ error: message });
    const length = Buffer.byteLength(body);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}

function describeMalformed(code: string | undefined): {
  status: number;
  message: string;
} {
  if (code === "HPE_HEADER_OVERFLOW")
    return {
      status: 431,
      message: `The request line and the headers are over the limit of ${maxHeaderSize} bytes. Send fewer or shorter ones.`,
    };
  return code === "ERR_HTTP_REQUEST_TIMEOUT"
    ? { status: 408, message: "The request did not arrive in time." }
    : { status: 400, message: "The request is not valid HTTP." };
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
