import { DefaultNamingStrategy } from "typeorm";

/** Columns in snake_case; tables, indexes and foreign keys are named where they are declared. */
export class ColumnNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined): string {
    if (custom) return custom;
    return property.replaceAll(
      /[A-Z]/g,
      (letter) => `_${letter.toLowerCase()}`,
    );
  }
}
