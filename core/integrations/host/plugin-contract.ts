import type { ErrorObject, ValidateFunction } from "ajv";
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
  type PluginKind,
  type PluginMeta,
  SIGN_FIELD_TYPES,
  FIELD_KINDS,
  SIGNER_STATUSES,
  CELL_CONTENTS,
  NUMBER_FORMATS,
  type Problem,
  type RawNotice,
  type Row,
  type TableInfo,
  type TableScope,
  type SettingsSchema,
} from "../../plugin-api/index.js";

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

/** The kinds of plugins that are called with the credentials of a connection. */
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
    credentials: z.object({ schema: schemaShape }),
    rate: z.object({
      key: method,
      perSecond: method.optional(),
      maxPerSecond: z.number().positive().optional(),
      maxPerMinute: z.number().int().positive().optional(),
      maxInFlight: z.number().int().positive(),
      cooldownMs: z.number().nonnegative().optional(),
      quotaErrors: z.array(z.string().min(1)).optional(),
      buckets: z
        .record(z.string(), z.object({ maxPerSecond: z.number().positive() }))
        .optional(),
    }),
    check: method,
  };
}

const authorizationShape = z.object({
  title: z.string().min(1),
  needs: z.array(z.string()),
  grants: z.array(z.string()).min(1),
  createUrl: method,
  exchangeCode: method,
});

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
    files: z.boolean().optional(),
    writeMany: z
      .object({
        maxRecords: z.number().int().positive(),
        modes: z.array(z.enum(["append", "replace"])).optional(),
        minRecords: z.number().int().positive().optional(),
        needsPublicUrl: z.boolean().optional(),
      })
      .optional(),
  }),
  authorization: authorizationShape.optional(),
  changes: z
    .object({
      needsPublicUrl: z.boolean().optional(),
      subscribe: method,
      unsubscribe: method,
      verify: method.optional(),
    })
    .optional(),
  describe: method,
  fetchRows: method,
  listBases: method.optional(),
  findRows: method.optional(),
  listRows: method.optional(),
  writeBack: method.optional(),
  writeBackMany: method.optional(),
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
    redirect: z.boolean().optional(),
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

const deliveryShape = z.object({
  ...callableShape("delivery"),
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
  authorization: authorizationShape.optional(),
  deliver: method,
});

/** @throws Error that says why this is not the delivery plugin `id`. */
export function parseDelivery(value: unknown, id: string): CallableDelivery {
  if (!isDelivery(value)) throw createShapeError(deliveryShape, value);
  assertId(value.meta.id, id);
  const { properties } = value.target.schema;
  const taken = HOST_TARGET_FIELDS.find((name) => name in Object(properties));
  if (taken !== undefined)
    throw new Error(
      `its target declares "${taken}", which is a property of the host`,
    );
  return value;
}

function isDelivery(value: unknown): value is CallableDelivery {
  return deliveryShape.safeParse(value).success;
}

/** @throws Error that says why this is not the platform plugin `id`. */
export function parsePlatform(value: unknown, id: string): CallablePlatform {
  if (!isPlatform(value)) throw createShapeError(platformShape, value);
  const { capabilities } = value;
  assertId(value.meta.id, id);
  if (capabilities.attachments !== "none" && !value.writeBack)
    throw new Error("it declares attachments but has no method writeBack");
  if (capabilities.readBack && !value.readAttachments)
    throw new Error("it declares readBack but has no method readAttachments");
  if ((capabilities.writeMany !== undefined) !== Boolean(value.writeBackMany))
    throw new Error(
      "it must have both the capability writeMany and the method writeBackMany, or none of them",
    );
  if (value.writeBackMany && !capabilities.readBack)
    throw new Error("it has writeBackMany, so it must declare readBack");
  return value;
}

/** @throws Error that says why this is not the e-signature provider `id`. */
export function parseEsignProvider(value: unknown, id: string): CallableEsign {
  if (!isEsignProvider(value)) throw createShapeError(esignShape, value);
  const { capabilities } = value;
  assertId(value.meta.id, id);
  if (capabilities.cancel && !value.cancel)
    throw new Error("it declares cancel but has no method cancel");
  if (capabilities.resend && !value.resend)
    throw new Error("it declares resend but has no method resend");
  return value;
}

function isPlatform(value: unknown): value is CallablePlatform {
  return platformShape.safeParse(value).success;
}

function isEsignProvider(value: unknown): value is CallableEsign {
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

// What the methods of plugins must return.

/** An object whose properties may be undefined, as if they were left out. */
function result<S extends z.ZodRawShape>(shape: S) {
  return z.preprocess(removeUndefined, z.object(shape));
}

function removeUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
}

const optionalText = z.string().exactOptional();

export const checkResult = result({
  account: optionalText,
  warnings: z.array(z.string()).default([]),
});

export const authorizationUrl = z.url({ protocol: /^https?$/ });

export const changeSubscription = result({
  id: z.string().min(1).max(255),
  secret: optionalText,
  expiresAt: z.iso.datetime({ offset: true }).exactOptional(),
});

export const grantedCredentials = z.record(z.string(), z.string());

export const rootData = z.record(z.string(), z.unknown());

export const bases = z.array(result({ id: z.string(), name: z.string() }));

const field = result({
  id: z.string(),
  name: z.string(),
  kind: z.enum(FIELD_KINDS),
  native: z.string(),
  writable: z.boolean(),
  format: z.enum(NUMBER_FORMATS).exactOptional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .exactOptional(),
  link: z.object({ tableId: z.string(), many: z.boolean() }).exactOptional(),
  stores: z.enum(CELL_CONTENTS).exactOptional(),
  maxFiles: z.number().int().positive().exactOptional(),
});

export const tables = z.array(
  result({
    id: z.string(),
    name: z.string(),
    primaryFieldId: optionalText,
    fields: z.array(field),
    views: z
      .array(result({ id: z.string().min(1), name: z.string() }))
      .exactOptional(),
  }),
);

export const attachments = z.array(
  result({
    remoteId: z.string(),
    filename: z.string(),
    sizeBytes: z.number().exactOptional(),
    url: optionalText,
  }),
);

/** Each of these records at most once, and no others. */
export function writtenRecords(ids: readonly string[]) {
  return z
    .array(z.object({ recordId: z.string(), attachments }))
    .refine((written) => {
      const found = new Set(written.map(({ recordId }) => recordId));
      return (
        found.size === written.length &&
        [...found].every((id) => ids.includes(id))
      );
    }, "each record may be there once, and only if it was to be written");
}

const row = z.object({
  id: z.string(),
  fields: z.record(z.string(), z.unknown()),
  links: z.record(z.string(), z.array(z.string())),
});

/** Must contain each of these ids exactly once, as a row or as missing, and no others. */
export function rowsFound(ids: readonly string[]) {
  const wanted = ids.toSorted().join("\0");
  return z
    .object({ rows: z.array(row), missing: z.array(z.string()) })
    .refine(({ rows, missing }) => {
      const found = [...rows.map(({ id }) => id), ...missing];
      return found.toSorted().join("\0") === wanted;
    }, "each requested id must be there exactly once, as a row or as missing");
}

export const rowIds = z.array(z.string().min(1));

export const rowPage = result({ ids: rowIds, next: optionalText });

export const deliveryReceipt = result({
  id: z.string().min(1),
  url: optionalText,
  warnings: z.array(z.string()).exactOptional(),
});

// E-signature providers

const signer = result({
  role: z.string(),
  externalId: optionalText,
  url: optionalText,
  status: z.enum(SIGNER_STATUSES),
  reason: optionalText,
});

const started = {
  externalId: z.string().min(1).max(255),
  signers: z.array(signer),
  warnings: z.array(z.string()).exactOptional(),
};

export const startedRequest = result(started);

export const requestState = result({
  ...started,
  status: z.enum(["pending", "completed", "declined", "expired", "canceled"]),
});

const bytes = z.instanceof(Uint8Array);

export const signedFiles = z
  .array(
    z.object({
      label: z.enum(["signed", "audit"]),
      mimeType: z.string(),
      bytes: bytes.refine(({ length }) => length > 0, "must not be empty"),
    }),
  )
  .refine(
    (files) => files.filter(({ label }) => label === "signed").length === 1,
    "exactly one file must be labeled signed",
  );

/** For methods whose result is not used. */
export const ignored = z.unknown().transform(() => undefined);

export const notice = result({
  externalId: z.string().min(1).max(255),
  id: optionalText,
});

export const shownPage = result({
  status: z.number().int().min(200).max(599),
  mimeType: z.string(),
  body: z.union([z.string(), bytes]),
  notice: notice.exactOptional(),
});

/** The JSON Schema of a plugin's credentials: validates them and tells secrets from other values. */
export class CredentialsSchema {
  private constructor(
    private readonly schema: SettingsSchema,
    private readonly validator: ValidateFunction,
  ) {}

  /** @throws Error that says what is wrong with the schema. */
  static async compile(schema: SettingsSchema): Promise<CredentialsSchema> {
    const [{ Ajv2020 }, formats] = await Promise.all([
      import("ajv/dist/2020.js"),
      import("ajv-formats"),
    ]);
    const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
    formats.default.default(ajv);
    ajv.addKeyword("translations");
    return new CredentialsSchema(schema, ajv.compile(schema));
  }

  /** All problems, with paths below `root`. They never contain a value, which may be a secret. */
  validate(value: unknown, root: string): Problem[] {
    if (this.validator(value)) return [];
    // An error of `if` only repeats that its branch does not match.
    return (this.validator.errors ?? [])
      .filter(({ keyword }) => keyword !== "if")
      .map((error) => toProblem(error, root));
  }

  /**
   * The properties that the schema declares and does not mark as `writeOnly`. Lists and objects are among them only if
   * the schema describes all that they may hold, and marks nothing of it.
   */
  pickPublic(value: Readonly<Record<string, unknown>>) {
    const { properties } = this.schema;
    const declared = new Map(Object.entries(Object(properties)));
    return Object.fromEntries(
      Object.entries(value).filter(([name, one]) =>
        isScalar(one)
          ? isPublic(declared.get(name))
          : isWhollyPublic(declared.get(name)),
      ),
    );
  }
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function isPublic(schema: unknown): schema is object {
  if (typeof schema !== "object" || schema === null) return false;
  return !("writeOnly" in schema && schema.writeOnly !== false);
}

/** The parts of a schema that say what a list or an object may hold; one with others may hold secrets anywhere. */
const describedParts = z.strictObject({
  type: z.enum(["string", "integer", "number", "boolean", "array", "object"]),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  additionalProperties: z.unknown().optional(),
});

/** Keywords that neither describe values nor refer to other schemas. */
const plainKeywords: ReadonlySet<string> = new Set(
  (
    "title description default examples writeOnly format enum pattern minLength maxLength minimum maximum " +
    "minItems maxItems uniqueItems required"
  ).split(" "),
);

function isWhollyPublic(schema: unknown): boolean {
  if (!isPublic(schema)) return false;
  const described = describedParts.safeParse(
    Object.fromEntries(
      Object.entries(schema).filter(([name]) => !plainKeywords.has(name)),
    ),
  );
  if (!described.success) return false;
  const { type, items, properties, additionalProperties } = described.data;
  if (type === "array") return isWhollyPublic(items);
  if (type !== "object") return true;
  const parts = Object.values(properties);
  if (additionalProperties !== false) parts.push(additionalProperties);
  return parts.every(isWhollyPublic);
}

function toProblem(error: ErrorObject, root: string): Problem {
  const { instancePath, keyword, message = "is invalid", params } = error;
  const path = root + instancePath.replaceAll("/", ".");
  const unknown: unknown = params["additionalProperty"];
  return {
    path,
    code: keyword,
    message,
    ...(typeof unknown === "string" && {
      hint: `Unknown property "${unknown}".`,
    }),
  };
}
