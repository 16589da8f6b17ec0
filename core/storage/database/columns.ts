import type { ColumnOptions, ValueTransformer } from "typeorm";

// The column types of all tables, each one true on SQLite, MySQL and MariaDB alike.

/** An id: a UUID, with or without a prefix such as `doc_`. */
export const id = {
  type: "varchar",
  length: 64,
} as const satisfies ColumnOptions;

/** A short word of a closed list, such as a status. */
export const word = {
  type: "varchar",
  length: 32,
} as const satisfies ColumnOptions;

/** A name, an e-mail address, a storage key. */
export const line = {
  type: "varchar",
  length: 255,
} as const satisfies ColumnOptions;

/** Lower-case hexadecimal SHA-256. */
export const hash = {
  type: "varchar",
  length: 64,
} as const satisfies ColumnOptions;

export const text = { type: "text" } as const satisfies ColumnOptions;
export const flag = { type: "boolean" } as const satisfies ColumnOptions;
export const count = { type: "int" } as const satisfies ColumnOptions;

/** A moment in UTC, to the millisecond. */
export const instant = {
  type: "datetime",
  precision: 3,
} as const satisfies ColumnOptions;

/** MySQL hands out bigint as a string. */
const bigNumber: ValueTransformer = {
  to: (value: number | null) => value,
  from: (value: string | number | null) =>
    value === null ? null : Number(value),
};

/** A whole number up to 2^53. */
export const big = {
  type: "bigint",
  transformer: bigNumber,
} as const satisfies ColumnOptions;

const jsonBlock: ValueTransformer = {
  to: (value: unknown) => (value == null ? null : JSON.stringify(value)),
  from: (value: string | null) =>
    value === null ? null : (JSON.parse(value) as unknown),
};

/** JSON kept as text, since MySQL's own json type changes the order of keys, which in a style matters. */
export const json = {
  type: "longtext",
  transformer: jsonBlock,
} as const satisfies ColumnOptions;
