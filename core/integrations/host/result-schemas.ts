import { z } from "zod";
import { FIELD_KINDS, SIGNER_STATUSES } from "../../plugin-api/index.js";

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

export const rootData = z.record(z.string(), z.unknown());

export const bases = z.array(result({ id: z.string(), name: z.string() }));

const field = result({
  id: z.string(),
  name: z.string(),
  kind: z.enum(FIELD_KINDS),
  native: z.string(),
  writable: z.boolean(),
  link: z.object({ tableId: z.string(), many: z.boolean() }).exactOptional(),
});

export const tables = z.array(
  result({
    id: z.string(),
    name: z.string(),
    primaryFieldId: optionalText,
    fields: z.array(field),
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
