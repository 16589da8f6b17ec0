import { z } from "zod";
import {
  CELL_CONTENTS,
  FIELD_KINDS,
  NUMBER_FORMATS,
  SIGNER_STATUSES,
} from "../../plugin-api/index.js";

// The methods of plugins, and what they must return. The service and the processes of plugins both read these tables.

/** A method by its path in the plugin, such as `changes.subscribe`. */
export interface PluginMethod<T = unknown> {
  name: string;
  /** The time for a call with all its attempts and waits. */
  timeoutMs: number;
  isOptional: boolean;
  /** False for what may have an effect when its answer is lost. */
  isRepeatable: boolean;
  /** False for rules and checks, which send nothing and run without limits. */
  hasContext: boolean;
  /** The argument with files, counted without the context. */
  filesAt: number | null;
  result: z.ZodType<T>;
}

const defaults = {
  timeoutMs: 30_000,
  isOptional: false,
  isRepeatable: true,
  hasContext: true,
  filesAt: null,
  result: z.unknown(),
};

type Rules<T> = Partial<Omit<PluginMethod, "name" | "result">> & {
  result?: z.ZodType<T>;
};

type Methods<Results> = { [M in keyof Results]: PluginMethod<Results[M]> };

function defineMethods<Results>(rules: {
  [M in keyof Results]: Rules<Results[M]>;
}): Methods<Results> {
  const methods = Object.entries<Rules<unknown>>(rules).map(
    ([name, rule]): [string, PluginMethod] => [
      name,
      { ...defaults, name, ...rule },
    ],
  );
  // The names and results are those of the rules.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(methods) as Methods<Results>;
}

/** An object whose properties may be undefined, as if they were left out. */
export function object<S extends z.ZodRawShape>(shape: S) {
  return z.preprocess(removeUndefined, z.object(shape));
}

export function removeUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

const optionalText = z.string().exactOptional();

const checkResult = object({
  account: optionalText,
  warnings: z.array(z.string()).default([]),
});

const changeSubscription = object({
  id: z.string().min(1).max(255),
  secret: optionalText,
  expiresAt: z.iso.datetime({ offset: true }).exactOptional(),
});

const field = object({
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
  isEmptyNo: z.boolean().exactOptional(),
  link: z.object({ tableId: z.string(), many: z.boolean() }).exactOptional(),
  stores: z.enum(CELL_CONTENTS).exactOptional(),
  maxFiles: z.number().int().positive().exactOptional(),
});

const tables = z.array(
  object({
    id: z.string(),
    name: z.string(),
    primaryFieldId: optionalText,
    fields: z.array(field),
    views: z
      .array(object({ id: z.string().min(1), name: z.string() }))
      .exactOptional(),
  }),
);

const attachments = z.array(
  object({
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
      const recordIds = new Set(written.map(({ recordId }) => recordId));
      return (
        recordIds.size === written.length &&
        [...recordIds].every((id) => ids.includes(id))
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
      const returnedIds = [...rows.map(({ id }) => id), ...missing];
      return returnedIds.toSorted().join("\0") === wanted;
    }, "each requested id must be there exactly once, as a row or as missing");
}

const rowIds = z.array(z.string().min(1));

const rowPage = object({ ids: rowIds, next: optionalText });

const deliveryReceipt = object({
  id: z.string().min(1),
  url: optionalText,
  warnings: z.array(z.string()).exactOptional(),
});

// E-signature providers

const signer = object({
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

const startedRequest = object(started);

const requestState = object({
  ...started,
  status: z.enum(["pending", "completed", "declined", "expired", "canceled"]),
});

const bytes = z.instanceof(Uint8Array);

const signedFiles = z
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

const notice = object({
  externalId: z.string().min(1).max(255),
  id: optionalText,
});

const shownPage = object({
  status: z.number().int().min(200).max(599),
  mimeType: z.string(),
  body: z.union([z.string(), bytes]),
  notice: notice.exactOptional(),
});

// Rules send nothing and run without limits.
const rule = { hasContext: false };

export const rateMethods = defineMethods({
  "rate.key": rule,
  "rate.perSecond": { ...rule, isOptional: true },
});

export const authorizationMethods = defineMethods({
  "authorization.createUrl": {
    timeoutMs: 10_000,
    result: z.url({ protocol: /^https?$/ }),
  },
  "authorization.exchangeCode": {
    isRepeatable: false,
    result: z.record(z.string(), z.string()),
  },
});

export const platformMethods = defineMethods({
  check: { timeoutMs: 10_000, result: checkResult },
  "changes.subscribe": { result: changeSubscription },
  "changes.unsubscribe": {},
  "changes.verify": { ...rule, isOptional: true },
  listBases: {
    isOptional: true,
    timeoutMs: 20_000,
    result: z.array(object({ id: z.string(), name: z.string() })),
  },
  describe: { timeoutMs: 20_000, result: tables },
  fetchRows: { timeoutMs: 120_000 },
  findRows: { isOptional: true, timeoutMs: 20_000, result: rowIds },
  listRows: { isOptional: true, timeoutMs: 120_000, result: rowPage },
  writeBack: {
    isOptional: true,
    isRepeatable: false,
    timeoutMs: 120_000,
    filesAt: 3,
    result: attachments,
  },
  writeBackMany: {
    isOptional: true,
    isRepeatable: false,
    timeoutMs: 120_000,
    filesAt: 2,
  },
  readAttachments: {
    isOptional: true,
    timeoutMs: 120_000,
    result: attachments,
  },
  toRootData: {
    ...rule,
    isOptional: true,
    result: z.record(z.string(), z.unknown()),
  },
});

export const esignMethods = defineMethods({
  check: { timeoutMs: 10_000, result: checkResult },
  start: {
    isRepeatable: false,
    timeoutMs: 120_000,
    result: startedRequest,
  },
  find: { result: startedRequest.nullable() },
  status: { result: requestState },
  download: { timeoutMs: 120_000, result: signedFiles },
  cancel: { isOptional: true },
  resend: { isOptional: true, isRepeatable: false },
  parseNotice: { ...rule, result: notice.nullable() },
  page: { isOptional: true, isRepeatable: false, result: shownPage },
});

export const deliveryMethods = defineMethods({
  check: { result: checkResult },
  deliver: {
    isRepeatable: false,
    timeoutMs: 120_000,
    filesAt: 0,
    result: deliveryReceipt,
  },
});

export const methodsOfKind = {
  platform: { ...rateMethods, ...authorizationMethods, ...platformMethods },
  esign: { ...rateMethods, ...esignMethods },
  delivery: { ...rateMethods, ...authorizationMethods, ...deliveryMethods },
};

/** All by their names. What plugins of several kinds have differs in timeouts alone. */
export const pluginMethods: ReadonlyMap<string, PluginMethod> = new Map(
  Object.values(methodsOfKind).flatMap((methods) => Object.entries(methods)),
);
