import { DefaultNamingStrategy, type Table } from "typeorm";

/** Columns in snake_case, foreign keys as `fk_<table>_<column without _id>`; tables and indexes are named in their entities. */
export class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined): string {
    return custom || toSnakeCase(property);
  }

  override joinColumnName(relation: string, referenced: string): string {
    return `${toSnakeCase(relation)}_${referenced}`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    const column = columns.join("_").replace(/_id$/, "");
    return `fk_${typeof table === "string" ? table : table.name}_${column}`;
  }
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
