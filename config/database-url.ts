import { resolve } from "node:path";
import { z } from "zod";

/** Where the database is; null for the default file in the data folder. */
export type DatabaseChoice =
  { kind: "sqlite"; file: string } | { kind: "mysql"; url: string } | null;

const sqlite = /^sqlite:(?:\/\/)?(.+)$/;

/** Reads `mysql://`, `mariadb://` (the same to the driver) and `sqlite:FILE`. */
export const databaseUrl = z
  .string()
  .optional()
  .transform((text, context): DatabaseChoice => {
    if (text === undefined) return null;
    const file = sqlite.exec(text)?.[1];
    if (file !== undefined) return { kind: "sqlite", file: resolve(file) };
    const url = text.replace(/^mariadb:/, "mysql:");
    if (
      url.startsWith("mysql:") &&
      URL.canParse(url) &&
      new URL(url).pathname.length > 1
    )
      return { kind: "mysql", url };
    context.addIssue("no database");
    return z.NEVER;
  });
