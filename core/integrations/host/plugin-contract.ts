import { z } from "zod";
import {
  type ChangeNotice,
  type DeliveryPlugin,
  type EsignProvider,
  type Notice,
  type PlatformChanges,
  type PlatformPlugin,
  type PlatformRate,
  PLUGIN_API,
  type PluginAuthorization,
  type PluginKind,
  type PluginMeta,
  SIGN_FIELD_TYPES,
  type RawNotice,
  type Row,
  type TableInfo,
  type TableScope,
} from "../../plugin-api/index.js";
import {
  authorizationMethods,
  platformMethods,
  type PluginMethod,
  methodsOfKind,
  rateMethods,
} from "./plugin-methods.js";
import type { CredentialsSchema } from "./credentials-schema.js";

type Awaitable<T> = T | Promise<T>;

/** The rules of `PlatformRate`; functions of a plugin in another process answer later. */
export interface CallableRate extends Omit<
  PlatformRate<unknown>,
  "key" | "perSecond"
> {
  key(credentials: unknown, scope: Partial<TableScope>): Awaitable<string>;
  perSecond?(credentials: unknown): Awaitable<number | null>;
}

/** A platform plugin, in this process or in another one. */
export interface CallablePlatform extends Omit<
  PlatformPlugin,
  "rate" | "toRootData" | "changes"
> {
  rate: CallableRate;
  changes?: Omit<PlatformChanges<unknown>, "verify"> & {
    verify?(notice: ChangeNotice, secret: string): Awaitable<boolean>;
  };
  toRootData?(row: Row, table: TableInfo): Awaitable<Record<string, unknown>>;
}

/** An e-signature provider, in this process or in another one. */
export interface CallableEsign extends Omit<
  EsignProvider,
  "rate" | "parseNotice"
> {
  rate: CallableRate;
  parseNotice(
    credentials: unknown,
    notice: RawNotice,
  ): Awaitable<Notice | null>;
}

/** A delivery plugin, in this process or in another one. */
export interface CallableDelivery extends Omit<DeliveryPlugin, "rate"> {
  rate: CallableRate;
}

export interface CallablePlugins {
  platform: CallablePlatform;
  esign: CallableEsign;
  delivery: CallableDelivery;
}
export type CallableKind = keyof CallablePlugins;

export const CALLABLE_KINDS = [
  "platform",
  "esign",
  "delivery",
] as const satisfies readonly CallableKind[];

/** What a call needs to know of a plugin. */
export interface CallablePlugin {
  meta: PluginMeta;
  rate: CallableRate;
  authorization?: PluginAuthorization<unknown>;
}

export function isCallable(kind: string | null): kind is CallableKind {
  return CALLABLE_KINDS.some((candidate) => candidate === kind);
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

export interface PluginStatus extends Omit<FoundPlugin, "fault" | "load"> {
  state: "ready" | "broken";
  /** Why it is broken, and how to fix it; null when it is ready. */
  reason: string | null;
}

export interface LoadedPlugin<K extends CallableKind = CallableKind> {
  plugin: CallablePlugins[K];
  credentials: CredentialsSchema;
}

// What a plugin's module must export. Messages are for the plugin's author.

const textsShape = z.object({
  title: z.string().min(1).optional(),
  description: z.string().min(1).optional(),
});

const schemaShape = z.looseObject({
  translations: z
    .record(
      z.string(),
      z.object({
        title: z.string().min(1).optional(),
        properties: z.record(z.string(), textsShape).optional(),
      }),
    )
    .optional(),
});

const functionShape = z.custom<unknown>(
  (value) => typeof value === "function",
  "must be a function",
);

/** The functions in a part of a plugin; in the plugin itself for "". */
function functionShapes(
  methods: Readonly<Record<string, PluginMethod>>,
  part = "",
): z.ZodRawShape {
  const prefix = part && `${part}.`;
  const functions = Object.values(methods)
    .filter(({ name }) => name.slice(0, name.lastIndexOf(".") + 1) === prefix)
    .map(({ name, isOptional }): [string, z.ZodType] => [
      name.slice(prefix.length),
      isOptional ? functionShape.optional() : functionShape,
    ]);
  return Object.fromEntries(functions);
}

function pluginShape(kind: CallableKind, rest: z.ZodRawShape) {
  return z.object({
    meta: z.object({
      kind: z.literal(kind),
      id: z.string(),
      title: z.string(),
      version: z.string(),
      api: z.literal(PLUGIN_API),
    }),
    credentials: z.object({ schema: schemaShape }),
    rate: z.object({
      ...functionShapes(rateMethods, "rate"),
      maxPerSecond: z.number().positive().optional(),
      maxPerMinute: z.number().int().positive().optional(),
      maxInFlight: z.number().int().positive(),
      cooldownMs: z.number().nonnegative().optional(),
      quotaErrors: z.array(z.string().min(1)).optional(),
      buckets: z
        .record(z.string(), z.object({ maxPerSecond: z.number().positive() }))
        .optional(),
    }),
    ...rest,
    ...functionShapes(methodsOfKind[kind]),
  });
}

const authorizationShape = z
  .object({
    title: z.string().min(1),
    needs: z.array(z.string()),
    grants: z.array(z.string()).min(1),
    ...functionShapes(authorizationMethods, "authorization"),
  })
  .optional();

const modesShape = z.array(z.enum(["append", "replace"]));

/** What the host itself reads of a target; see `DeliveryPlugin.target`. */
export const HOST_TARGET_FIELDS = [
  "connection",
  "formats",
  "filename",
  "subject",
  "body",
  "template",
  "files",
] as const;

const shapes: Record<CallableKind, z.ZodType> = {
  platform: pluginShape("platform", {
    capabilities: z.object({
      links: z.boolean(),
      attachments: z.enum(["native", "link-cell", "none"]),
      modes: modesShape,
      maxFileBytes: z.number().nonnegative(),
      maxIdsPerFetch: z.number().int().positive(),
      keepsFilename: z.boolean(),
      readBack: z.boolean(),
      needsPublicUrl: z.boolean().optional(),
      files: z.boolean().optional(),
      writeMany: z
        .object({
          maxRecords: z.number().int().positive(),
          modes: modesShape.optional(),
          minRecords: z.number().int().positive().optional(),
          needsPublicUrl: z.boolean().optional(),
        })
        .optional(),
    }),
    authorization: authorizationShape,
    changes: z
      .object({
        needsPublicUrl: z.boolean().optional(),
        ...functionShapes(platformMethods, "changes"),
      })
      .optional(),
  }),
  esign: pluginShape("esign", {
    capabilities: z.object({
      order: z.boolean(),
      values: z.boolean(),
      expiry: z.enum(["instant", "days", "none"]),
      message: z.boolean(),
      redirect: z.boolean().optional(),
      cancel: z.boolean(),
      resend: z.boolean(),
      noticeProof: z.enum(["hmac", "secret", "none"]),
      fields: z.array(z.enum(SIGN_FIELD_TYPES)).min(1),
      maxFileBytes: z.number().positive(),
    }),
  }),
  delivery: pluginShape("delivery", {
    target: z.object({
      schema: z.looseObject({
        type: z.literal("object"),
        properties: z.record(z.string(), z.unknown()),
      }),
    }),
    capabilities: z.object({
      maxBytes: z.number().positive(),
      repeatable: z.boolean(),
      message: z.boolean(),
    }),
    authorization: authorizationShape,
  }),
};

/** @throws Error that says why this is not the plugin `id` of the kind. */
export function parsePlugin<K extends CallableKind>(
  kind: K,
  value: unknown,
  id: string,
): CallablePlugins[K] {
  assertShape(kind, value);
  const { meta } = value;
  if (meta.id !== id)
    throw new Error(
      `its id is "${meta.id}", but its package.json says "${id}"`,
    );
  const fault = findContradiction(value);
  if (fault !== null) throw new Error(fault);
  return value;
}

function assertShape<K extends CallableKind>(
  kind: K,
  value: unknown,
): asserts value is CallablePlugins[K] {
  const { error } = shapes[kind].safeParse(value);
  if (!error) return;
  if (value === undefined || value === null)
    throw new Error("its module exports no `plugin`");
  const [issue] = error.issues;
  const path = ["plugin", ...(issue?.path ?? [])].join(".");
  throw new Error(`${path}: ${issue?.message ?? "invalid"}`);
}

/** What of a plugin does not fit to another part of it; null when all does. */
function findContradiction(
  plugin: CallablePlugins[CallableKind],
): string | null {
  if (isOfKind(plugin, "platform")) return findPlatformContradiction(plugin);
  if (isOfKind(plugin, "esign")) {
    const { capabilities, cancel, resend } = plugin;
    if (capabilities.cancel && !cancel)
      return "it declares cancel but has no method cancel";
    if (capabilities.resend && !resend)
      return "it declares resend but has no method resend";
  }
  if (isOfKind(plugin, "delivery")) {
    const { properties } = plugin.target.schema;
    const taken = HOST_TARGET_FIELDS.find((name) => name in Object(properties));
    if (taken !== undefined)
      return `its target declares "${taken}", which is a property of the host`;
  }
  return null;
}

function findPlatformContradiction({
  capabilities: { attachments, readBack, writeMany },
  writeBack,
  writeBackMany,
  readAttachments,
}: CallablePlatform): string | null {
  if (attachments !== "none" && !writeBack)
    return "it declares attachments but has no method writeBack";
  if (readBack && !readAttachments)
    return "it declares readBack but has no method readAttachments";
  if ((writeMany !== undefined) !== Boolean(writeBackMany))
    return "it must have both the capability writeMany and the method writeBackMany, or none of them";
  if (writeBackMany && !readBack)
    return "it has writeBackMany, so it must declare readBack";
  return null;
}
