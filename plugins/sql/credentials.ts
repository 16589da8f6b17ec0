import * as z from "zod";
import {
  type PlatformContext,
  PlatformError,
} from "../../core/plugin-api/index.js";

const engines = ["postgres", "mysql", "sqlite"] as const;
export type Engine = (typeof engines)[number];

const shared = {
  /** Whether files may be written; else every statement runs in a transaction that reads only. */
  writable: z.boolean().default(false),
  /** Text columns that take links to files, as `table.column`. */
  linkColumns: z.array(z.string()).default([]),
};
const server = {
  ...shared,
  host: z.string().min(1),
  port: z.number().int().min(1).max(65535).optional(),
  user: z.string().min(1),
  password: z.string().default(""),
  database: z.string().min(1),
  tls: z.boolean().default(true),
  /** Whoever signed the server's certificate, as PEM; the public authorities when left out. */
  ca: z.string().optional(),
};
const settings = z.discriminatedUnion("engine", [
  z.object({
    engine: z.literal("postgres"),
    ...server,
    schema: z.string().min(1).default("public"),
  }),
  z.object({ engine: z.literal("mysql"), ...server }),
  z.object({
    engine: z.literal("sqlite"),
    ...shared,
    file: z.string().min(1),
  }),
]);

export type SqlCredentials = z.input<typeof settings>;
export type SqlSettings = z.output<typeof settings>;
export type SqlContext = PlatformContext<SqlCredentials>;

/** A connection's settings, complete. @throws PlatformError `bad_config` that says what is missing. */
export function settingsOf({ credentials }: SqlContext): SqlSettings {
  const result = settings.safeParse(credentials);
  if (result.success) return result.data;
  const names = result.error.issues.map(({ path }) => path.join("."));
  throw new PlatformError(
    "bad_config",
    `The connection's settings need: ${names.join(", ")}.`,
  );
}

const text = (title: string, description: string) => ({
  type: "string",
  minLength: 1,
  title,
  description,
});

/** For forms and checks; which settings an engine needs is told by `settingsOf`. */
export const credentialsSchema = {
  type: "object",
  required: ["engine"],
  additionalProperties: false,
  properties: {
    engine: {
      enum: [...engines],
      title: "Database",
      description: "mysql stands for MariaDB too.",
    },
    host: text("Server", "Its name or address."),
    port: { type: "integer", minimum: 1, maximum: 65535, title: "Port" },
    user: text("User", "Give it no more rights than it needs."),
    password: { type: "string", title: "Password", writeOnly: true },
    database: text("Database's name", "On the server."),
    schema: text("Schema", "Of PostgreSQL; `public` when left out."),
    tls: {
      type: "boolean",
      default: true,
      title: "Encrypted",
      description: "Without it, passwords and data travel in clear.",
    },
    ca: text(
      "Certificate authority",
      "PEM of whoever signed the server's certificate, where that is not a public one.",
    ),
    file: text("File", "Of SQLite: its name in the service's folder."),
    writable: {
      type: "boolean",
      default: false,
      title: "May write files",
    },
    linkColumns: {
      type: "array",
      items: { type: "string", pattern: "^.+\\..+$" },
      title: "Columns for links to files",
      description: "Text columns, as table.column.",
    },
  },
};
