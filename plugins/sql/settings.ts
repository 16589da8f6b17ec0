import * as z from "zod";
import {
  type PlatformContext,
  PlatformError,
} from "../../core/plugin-api/index.js";

const engines = ["postgres", "mysql", "sqlite"] as const;
export type Engine = (typeof engines)[number];

const shared = {
  /** Whether files may be written; otherwise every statement runs in a read-only transaction. */
  writable: z.boolean().default(false),
  /** Text columns that accept links to files, as `table.column`. */
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
  /** The certificate authority as PEM; the public ones when left out. */
  ca: z.string().optional(),
};
const settingsSchema = z.discriminatedUnion("engine", [
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

export type SqlCredentials = z.input<typeof settingsSchema>;
export type SqlSettings = z.output<typeof settingsSchema>;
export type SqlContext = PlatformContext<SqlCredentials>;

/** A connection's settings with their defaults. @throws PlatformError `bad_config` that names what is missing. */
export function parseSettings({ credentials }: SqlContext): SqlSettings {
  const result = settingsSchema.safeParse(credentials);
  if (result.success) return result.data;
  const names = result.error.issues.map(({ path }) => path.join("."));
  throw new PlatformError(
    "bad_config",
    `These settings of the connection are missing or invalid: ${names.join(", ")}.`,
  );
}

const text = (title: string, description: string) => ({
  type: "string",
  minLength: 1,
  title,
  description,
});

/** For forms and checks. `parseSettings` checks which settings an engine needs. */
export const credentialsSchema = {
  type: "object",
  required: ["engine"],
  additionalProperties: false,
  properties: {
    engine: {
      enum: [...engines],
      title: "Database",
      description: "Choose mysql for MariaDB too.",
    },
    host: text("Server", "Host name or IP address."),
    port: { type: "integer", minimum: 1, maximum: 65535, title: "Port" },
    user: text("User", "Give it only the rights that it needs."),
    password: { type: "string", title: "Password", writeOnly: true },
    database: text("Database name", "On the server."),
    schema: text("Schema", "For PostgreSQL; `public` when left out."),
    tls: {
      type: "boolean",
      default: true,
      title: "Encrypted",
      description: "Otherwise passwords and data are sent unencrypted.",
    },
    ca: text(
      "Certificate authority",
      "PEM of the authority that signed the server's certificate, when it is not a public one.",
    ),
    file: text("File", "For SQLite: its name in Platen's databases folder."),
    writable: {
      type: "boolean",
      default: false,
      title: "Allow writing files",
    },
    linkColumns: {
      type: "array",
      items: { type: "string", pattern: "^.+\\..+$" },
      title: "Columns for links to files",
      description: "Text columns, as table.column.",
    },
  },
};
