import { resolve } from "node:path";
import { z } from "zod";
import { databaseUrl } from "../database-url.js";
import { text, type Variable } from "../variable.js";

const shortestSecret = 32;

const secret = z
  .string()
  .min(shortestSecret)
  .optional()
  .transform((value) => value ?? null);

const previousSecrets = z
  .string()
  .prefault("")
  .transform(severalSecrets)
  .pipe(z.array(z.string().min(shortestSecret)));

/** One that has a comma in itself can be named too, alone: its parts are no secrets. */
function severalSecrets(value: string): string[] {
  const words = value.split(",").map((word) => word.trim());
  const named = words.filter((word) => word !== "");
  const areWhole = named.every(({ length }) => length >= shortestSecret);
  return areWhole ? named : [value];
}

const fileStore = z
  .url()
  .transform((url) => new URL(url))
  .optional()
  .transform((url) => url ?? null);

/** Where rows, files and the secret are kept. */
export const storageVariables = {
  PLATEN_DATA: {
    schema: text("./data").transform((path) => resolve(path)),
    expected: "a folder that the service may write",
    example: "/var/lib/platen",
  },
  PLATEN_DATABASE_URL: {
    schema: databaseUrl,
    expected: "mysql://, mariadb:// with a database's name, or sqlite:FILE",
    example: "mysql://platen:password@127.0.0.1:3306/platen",
    isSecret: true,
  },
  PLATEN_FILE_STORE: {
    schema: fileStore,
    expected: "the address of a file store, such as s3://bucket/prefix",
    example: "s3://KEY:SECRET@bucket?region=eu-central-1",
    isSecret: true,
  },
  PLATEN_SECRET: {
    schema: secret,
    expected:
      "at least 32 characters, the same on every machine of the service",
    example: "the output of: openssl rand -base64 48",
    isSecret: true,
  },
  PLATEN_PREVIOUS_SECRETS: {
    schema: previousSecrets,
    expected:
      "secrets that PLATEN_SECRET was before, each of at least 32 characters, with commas",
    example: "what PLATEN_SECRET was until now",
    isSecret: true,
  },
} satisfies Record<string, Variable<unknown>>;
