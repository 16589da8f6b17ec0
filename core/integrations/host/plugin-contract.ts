import { z } from "zod";
import {
  type EsignProvider,
  type PlatformPlugin,
  type PlatformRate,
  PLUGIN_API,
  type PluginKind,
  type PluginMeta,
  SIGN_FIELD_TYPES,
} from "../../plugin-api/index.js";
import type { CredentialsSchema } from "./credentials-schema.js";

/** The kinds of plugins that are called with the credentials of a connection. */
export interface CallablePlugins {
  platform: PlatformPlugin;
  esign: EsignProvider;
}
export type CallableKind = keyof CallablePlugins;

export const CALLABLE_KINDS = [
  "platform",
  "esign",
] as const satisfies readonly CallableKind[];

/** What a call needs to know of a plugin. */
export interface CallablePlugin {
  meta: PluginMeta;
  rate: PlatformRate<unknown>;
}

export function isCallable(kind: string | null): kind is CallableKind {
  return CALLABLE_KINDS.some((one) => one === kind);
}

export function isOfKind<K extends CallableKind>(
  plugin: CallablePlugins[CallableKind],
  kind: K,
): plugin is CallablePlugins[K] {
  return plugin.meta.kind === kind;
}

/** What is known of a plugin before any of its code runs. */
export interface FoundPlugin {
  kind: PluginKind | null;
  /** The configured name, if its package.json cannot be read. */
  id: string;
  title: string;
  version: string | null;
  /** `shipped`, the package's name, or its folder. */
  source: string;
  /** Why it is not loaded at all, and how to fix it. */
  fault: string | null;
  /** Runs its module. @returns what it exports as `plugin`, not validated. */
  load(): Promise<unknown>;
}

/** An installed plugin, and whether it can be used. */
export interface PluginStatus extends Omit<FoundPlugin, "fault" | "load"> {
  state: "ready" | "broken";
  /** Why it is broken, and how to fix it; null when it is ready. */
  reason: string | null;
}

/** A plugin that can be called. */
export interface LoadedPlugin<K extends CallableKind = CallableKind> {
  plugin: CallablePlugins[K];
  credentials: CredentialsSchema;
}

// What a plugin's module must export. Messages are for the plugin's author.

const method = z.custom<unknown>(
  (value) => typeof value === "function",
  "must be a function",
);

function callableShape(kind: CallableKind) {
  return {
    meta: z.object({
      kind: z.literal(kind),
      id: z.string(),
      title: z.string(),
      version: z.string(),
      api: z.literal(PLUGIN_API),
    }),
    credentials: z.object({ schema: z.looseObject({}) }),
    rate: z.object({
      key: method,
      perSecond: method.optional(),
      maxPerSecond: z.number().positive().optional(),
      maxPerMinute: z.number().int().positive().optional(),
      maxInFlight: z.number().int().positive(),
      cooldownMs: z.number().nonnegative().optional(),
    }),
    check: method,
  };
}

const platformShape = z.object({
  ...callableShape("platform"),
  capabilities: z.object({
    links: z.boolean(),
    attachments: z.enum(["native", "link-cell", "none"]),
    modes: z.array(z.enum(["append", "replace"])),
    maxFileBytes: z.number().nonnegative(),
    maxIdsPerFetch: z.number().int().positive(),
    keepsFilename: z.boolean(),
    readBack: z.boolean(),
    needsPublicUrl: z.boolean().optional(),
  }),
  describe: method,
  fetchRows: method,
  listBases: method.optional(),
  findRows: method.optional(),
  writeBack: method.optional(),
  readAttachments: method.optional(),
  toRootData: method.optional(),
});

const esignShape = z.object({
  ...callableShape("esign"),
  capabilities: z.object({
    order: z.boolean(),
    values: z.boolean(),
    expiry: z.enum(["instant", "days", "none"]),
    message: z.boolean(),
    cancel: z.boolean(),
    resend: z.boolean(),
    noticeProof: z.enum(["hmac", "secret", "none"]),
    fields: z.array(z.enum(SIGN_FIELD_TYPES)).min(1),
    maxFileBytes: z.number().positive(),
  }),
  start: method,
  find: method,
  status: method,
  download: method,
  cancel: method.optional(),
  resend: method.optional(),
  parseNotice: method,
  page: method.optional(),
});

/** @throws Error that says why this is not the platform plugin `id`. */
export function parsePlatform(value: unknown, id: string): PlatformPlugin {
  if (!isPlatform(value)) throw createShapeError(platformShape, value);
  const { capabilities } = value;
  assertId(value.meta.id, id);
  if (capabilities.attachments !== "none" && !value.writeBack)
    throw new Error("it declares attachments but has no method writeBack");
  if (capabilities.readBack && !value.readAttachments)
    throw new Error("it declares readBack but has no method readAttachments");
  return value;
}

/** @throws Error that says why this is not the e-signature provider `id`. */
export function parseEsignProvider(value: unknown, id: string): EsignProvider {
  if (!isEsignProvider(value)) throw createShapeError(esignShape, value);
  const { capabilities } = value;
  assertId(value.meta.id, id);
  if (capabilities.cancel && !value.cancel)
    throw new Error("it declares cancel but has no method cancel");
  if (capabilities.resend && !value.resend)
    throw new Error("it declares resend but has no method resend");
  return value;
}

function isPlatform(value: unknown): value is PlatformPlugin {
  return platformShape.safeParse(value).success;
}

function isEsignProvider(value: unknown): value is EsignProvider {
  return esignShape.safeParse(value).success;
}

function createShapeError(shape: z.ZodType, value: unknown): Error {
  if (value === undefined || value === null)
    return new Error("its module exports no `plugin`");
  const [issue] = shape.safeParse(value).error?.issues ?? [];
  const path = ["plugin", ...(issue?.path ?? [])].join(".");
  return new Error(`${path}: ${issue?.message ?? "invalid"}`);
}

function assertId(own: string, id: string): void {
  if (own !== id)
    throw new Error(`its id is "${own}", but its package.json says "${id}"`);
}
