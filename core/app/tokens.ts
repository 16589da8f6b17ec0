import type Koa from "koa";
import type { InjectionToken } from "tsyringe";
import type { Config } from "../../config/index.js";
import type {
  Authenticator,
  CallerCache,
  IdempotencyKeys,
  RateLimits,
} from "../accounts/index.js";
import type { AssetLinks, Assets, PublicFiles } from "../assets/index.js";
import type { Batches } from "../batches/index.js";
import type { ConnectionService } from "../integrations/connections/index.js";
import type { FileStore, Log, Metrics } from "../plugin-api/index.js";
import type {
  Documents,
  DraftPreviews,
  PdfPostProcessor,
  OutputStore,
  OrganizationFonts,
  Pictures,
  ProgramCache,
  RecentPayloads,
  RenderDocument,
  RenderQueued,
  RenderMetrics,
  Signing,
} from "../documents/index.js";
import type { TemplateEditor, Templates } from "../templates/index.js";
import type { Thumbnails } from "../documents/index.js";
import type { DraftService } from "../templates/drafts/index.js";
import type {
  EsignWorkParts,
  SignatureNotices,
  Signatures,
} from "../signatures/index.js";
import type { Events } from "../webhooks/index.js";
import type {
  Downloads,
  FileSweeper,
  StoredLinks,
  ThumbnailLinks,
} from "../storage/files/index.js";
import type { Folders } from "../folders/index.js";
import type {
  EsignHost,
  PlatformHost,
  PluginCallsParts,
  Plugins,
} from "../integrations/host/index.js";
import type { HttpState, MountedApp } from "../api/index.js";
import type { Tool, ToolServer, HttpTransport } from "../mcp/index.js";
import type { Outbound } from "../lib/outbound/index.js";
import type { PackageInfo } from "../lib/package-info.js";
import type {
  Links,
  PlatformRecordSource,
  RecordBatches,
  Runs,
} from "../integrations/platforms/index.js";
import type { Queue } from "../queue/index.js";
import type { PdfEditor } from "../rendering/pdf/index.js";
import type { Renderer } from "../rendering/index.js";
import type { LoginLinks, Sessions } from "../accounts/sessions/index.js";
import type { Store } from "../storage/database/index.js";

// The names under which parts are asked for. They are told, never guessed from a constructor's types.

function token<T>(name: string): InjectionToken<T> {
  return Symbol(name);
}

// What exists before the container does.
export const CONFIG = token<Config>("config");
export const LOG = token<Log>("log");
export const PACKAGE = token<PackageInfo>("package");
export const STORE = token<Store>("store");
export const FILE_STORE = token<FileStore>("file store");
export const SECRET = token<string>("secret");
/** Where callers reach the service, without a slash at the end. */
export const BASE_URL = token<string>("base url");

// What the container makes.
export const IDEMPOTENCY_KEYS = token<IdempotencyKeys>("idempotency keys");
export const RATE_LIMITS = token<RateLimits>("rate limits");
/** Told to nobody, unless whoever starts the service registers others. */
export const METRICS = token<Metrics>("metrics");
export const CALLER_CACHE = token<CallerCache>("caller cache");
export const AUTHENTICATOR = token<Authenticator>("authenticator");
export const FILE_SWEEPER = token<FileSweeper>("file sweeper");
export const STORED_LINKS = token<StoredLinks>("stored links");
export const THUMBNAIL_LINKS = token<ThumbnailLinks>("thumbnail links");
export const DOWNLOADS = token<Downloads>("downloads");
export const FOLDERS = token<Folders>("folders");
export const ASSETS = token<Assets>("assets");
export const ASSET_LINKS = token<AssetLinks>("asset links");
/** What the addresses of assets lead to. */
export const PUBLIC_FILES = token<PublicFiles>("public files");
export const QUEUE = token<Queue>("queue");
export const EVENTS = token<Events>("events");
export const RENDERER = token<Renderer>("renderer");
export const PLUGINS = token<Plugins>("plugins");
export const PLATFORMS = token<PlatformHost>("platforms");
export const ESIGN_PROVIDERS = token<EsignHost>("esign providers");
export const PLUGIN_CALLS = token<PluginCallsParts>("plugin calls");
export const CONNECTIONS = token<ConnectionService>("connections");
export const OUTBOUND = token<Outbound>("outbound");
export const ORGANIZATION_FONTS = token<OrganizationFonts>("own fonts");
export const PICTURES = token<Pictures>("pictures");
export const PROGRAM_CACHE = token<ProgramCache>("program cache");
export const OUTPUT_STORE = token<OutputStore>("output store");
export const PDF_EDITOR = token<PdfEditor>("pdf finisher");
export const PDF_POST_PROCESSOR = token<PdfPostProcessor>("finishing desk");
export const RENDER_METRICS = token<RenderMetrics>("render witness");
export const RENDER_DOCUMENT = token<RenderDocument>("render document");
/** Renders a document that a batch queued. */
export const RENDER_QUEUED = token<RenderQueued>("render queued");
export const BATCHES = token<Batches>("batches");
/** Aborted once the service was told to stop. */
export const DRAINING = token<AbortController>("draining");
/** Brings batches of platforms' records their data. */
export const RECORD_SOURCE = token<PlatformRecordSource>("record source");
export const RECORD_BATCHES = token<RecordBatches>("record batches");
/** By which people without a key make documents. */
export const LINKS = token<Links>("links");
/** Presses of links' buttons. */
export const RUNS = token<Runs>("runs");
/** Takes documents in that are to be signed. */
export const SIGNING = token<Signing>("signing");
export const SIGNATURES = token<Signatures>("signatures");
/** Hears what e-signature providers tell. */
export const SIGNATURE_NOTICES = token<SignatureNotices>("signature notices");
/** What requests are started and watched with. */
export const ESIGN_PARTS = token<EsignWorkParts>("esign parts");
export const DOCUMENTS = token<Documents>("documents");
export const DRAFT_PREVIEWS = token<DraftPreviews>("draft previews");
/** What people design templates with. */
export const DRAFT_DESK = token<DraftService>("draft desk");
export const RECENT_PAYLOADS = token<RecentPayloads>("recent payloads");
export const TEMPLATE_EDITOR = token<TemplateEditor>("template editor");
export const TEMPLATES = token<Templates>("templates");
export const THUMBNAILS = token<Thumbnails>("thumbnails");
/** What assistants may call. */
export const TOOLS = token<readonly Tool[]>("tools");
export const TOOL_SERVER = token<ToolServer>("tool server");
/** Browsers in which people are signed in. */
export const SESSIONS = token<Sessions>("sessions");
export const LOGIN_LINKS = token<LoginLinks>("login links");
/** Plugins with pages. */
export const APPS = token<readonly MountedApp[]>("apps");
export const HTTP_APP = token<Koa<HttpState>>("http app");
/** From which folder assistants may upload files; `root` is null where they are not on this machine. */
export const LOCAL_FILES = token<{ root: string | null }>("local files");
export const TOOL_SERVER_DOOR = token<HttpTransport>("tool server door");
