import { z } from "zod";
import { FIELD_KINDS } from "../../../plugin-api/index.js";

// What the methods of a plugin must return. A property that is undefined is one that is left out.

const optionalText = z.string().exactOptional();

export const checkResult = told({
  account: optionalText,
  warnings: z.array(z.string()).default([]),
});

export const rootData = z.record(z.string(), z.unknown());

export const bases = z.array(told({ id: z.string(), name: z.string() }));

const field = told({
  id: z.string(),
  name: z.string(),
  kind: z.enum(FIELD_KINDS),
  native: z.string(),
  writable: z.boolean(),
  link: z.object({ tableId: z.string(), many: z.boolean() }).exactOptional(),
});

export const tables = z.array(
  told({
    id: z.string(),
    name: z.string(),
    primaryFieldId: optionalText,
    fields: z.array(field),
  }),
);

export const attachments = z.array(
  told({
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

/** Each id that was asked for once, as a row or as missing, and nothing else. */
export function rowsFound(ids: readonly string[]) {
  const wanted = ids.toSorted().join("\0");
  return z
    .object({ rows: z.array(row), missing: z.array(z.string()) })
    .refine(({ rows, missing }) => {
      const found = [...rows.map(({ id }) => id), ...missing];
      return found.toSorted().join("\0") === wanted;
    }, "each id that was asked for must be there once, as a row or as missing");
}

export const rowIds = z.array(z.string().min(1));

export function told<S extends z.ZodRawShape>(shape: S) {
  return z.preprocess(withoutUndefined, z.object(shape));
}

function withoutUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.filter(([, held]) => held !== undefined));
}
