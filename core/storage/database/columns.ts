import {
  Column,
  type ColumnOptions,
  ForeignKey,
  PrimaryColumn,
  type ValueTransformer,
} from "typeorm";

// The column types of all tables, each equal on SQLite, MySQL and MariaDB, and the columns that most tables share.

export const varchar = (length: number) =>
  ({ type: "varchar", length }) as const satisfies ColumnOptions;
/** A UUID, with or without a prefix such as `doc_`. */
export const id = varchar(64);
/** Lower-case hexadecimal SHA-256. */
export const hash = varchar(64);
export const text = { type: "text" } as const satisfies ColumnOptions;
export const longtext = { type: "longtext" } as const satisfies ColumnOptions;
export const longblob = { type: "longblob" } as const satisfies ColumnOptions;
export const boolean = { type: "boolean" } as const satisfies ColumnOptions;
export const int = { type: "int" } as const satisfies ColumnOptions;

/** In UTC, to the millisecond. */
export const datetime = {
  type: "datetime",
  precision: 3,
} as const satisfies ColumnOptions;

/** A whole number up to 2^53; MySQL returns bigint as a string. */
export const bigint = {
  type: "bigint",
  transformer: {
    to: (value: number | null) => value,
    from: (value: string | number | null) =>
      value === null ? null : Number(value),
  } satisfies ValueTransformer,
} as const satisfies ColumnOptions;

/** JSON stored as text: MySQL's own json type changes the order of keys, which matters in a style. */
export const json = {
  type: "longtext",
  transformer: {
    to: (value: unknown) => (value == null ? null : JSON.stringify(value)),
    from: (value: string | null) =>
      value === null ? null : (JSON.parse(value) as unknown),
  } satisfies ValueTransformer,
} as const satisfies ColumnOptions;

export function nullable<T extends ColumnOptions>(
  type: T,
): T & { nullable: true } {
  return { ...type, nullable: true };
}

/** A column with the id of a row in another table, and its foreign key. */
export function References(
  table: string,
  options: Pick<ColumnOptions, "nullable" | "primary"> = {},
): PropertyDecorator {
  return (target, property) => {
    ForeignKey(table)(target, property);
    Column({ ...id, ...options })(target, property);
  };
}

export abstract class OrganizationRow {
  @PrimaryColumn(id) id!: string;
  @References("organization") organizationId!: string;
  @Column(datetime) createdAt!: Date;
}

export abstract class UpdatableOrganizationRow extends OrganizationRow {
  @Column(datetime) updatedAt!: Date;
}
