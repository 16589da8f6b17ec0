import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { decodeTextFile } from "../lib/utf8.js";
import { PlatenError, suggestNames } from "../plugin-api/index.js";
import {
  describeFileProblem,
  isJsonSource,
  parseJsonSource,
} from "./source-text.js";

// The two files at the top of a templates folder: `platen.config.json`, which people write, names services by profile;
// `platen.lock.json`, which commands write, says what each of them had at the last push or pull. Both are committed.

const CONFIG_FILE = "platen.config.json";
export const LOCK_FILE = "platen.lock.json";

/** A service and the organization of its key. */
export interface Profile {
  name: string;
  url: string;
  /** The environment variable with the API key. */
  keyVariable: string;
}

const VARIABLE = /^[A-Za-z_]\w*$/;

const configSchema = z.strictObject(
  {
    $schema: z.string().optional(),
    defaultProfile: z.string("must be text").optional(),
    profiles: z.record(
      z.string(),
      z.strictObject(
        {
          url: z.url({
            protocol: /^https?$/,
            message: "must be the address of a service, such as https://…",
          }),
          keyVariable: z
            .string("must be text")
            .regex(
              VARIABLE,
              "must be the name of an environment variable with the API key, such as PLATEN_API_KEY, and not the key itself",
            )
            .default("PLATEN_API_KEY"),
        },
        "must be an object with url and keyVariable",
      ),
      "must be an object with a profile for each service",
    ),
  },
  "must be an object",
);

/**
 * A text file below a folder; null without one.
 * @throws PlatenError `invalid_request` for one that is neither UTF-8 nor UTF-16
 */
export async function readTextFile(
  root: string,
  file: string,
): Promise<string | null> {
  const bytes = await readFile(join(root, file)).catch(() => null);
  return bytes === null ? null : decodeTextFile(bytes, `The file ${file}`);
}

/** @param name the only or the default profile when left out. @throws PlatenError `invalid_request` */
export async function readProfile(
  root: string,
  name: string | undefined,
): Promise<Profile> {
  const text = await readTextFile(root, CONFIG_FILE);
  if (text === null)
    throw invalid(
      `There is no ${CONFIG_FILE} in ${root}. It names the service: { "profiles": { "dev": { "url": "http://127.0.0.1:3000", "keyVariable": "PLATEN_API_KEY" } } }`,
    );
  const { profiles, defaultProfile } = parseFile(
    CONFIG_FILE,
    text,
    configSchema,
  );
  const names = Object.keys(profiles);
  const chosen = name ?? defaultProfile ?? (names.length === 1 ? names[0] : "");
  if (!chosen)
    throw invalid(
      `${CONFIG_FILE} has ${names.length} profiles. Choose one with --profile: ${names.join(", ")}.`,
    );
  const profile = Object.hasOwn(profiles, chosen) ? profiles[chosen] : null;
  if (!profile)
    throw invalid(
      `${CONFIG_FILE} has no profile "${chosen}". ${suggestNames(chosen, names)}`,
    );
  const url = profile.url.replace(/\/+$/, "");
  return { name: chosen, url, keyVariable: profile.keyVariable };
}

const hashSchema = z.string().regex(/^sha256:[\da-f]{64}$/);
const profileLockSchema = z.strictObject({
  url: z.string(),
  /** By folder. */
  templates: z.record(
    z.string(),
    z.strictObject({
      id: z.string(),
      version: z.int(),
      updatedAt: z.string(),
      /** Of the template on the service, and of its files here. */
      remote: hashSchema,
      local: hashSchema,
    }),
  ),
  /** By name. */
  partials: z.record(z.string(), z.strictObject({ remote: hashSchema })),
  /** By path. */
  assets: z.record(
    z.string(),
    z.strictObject({ id: z.string(), checksum: hashSchema }),
  ),
});
const lockSchema = z.strictObject({
  lockVersion: z.literal(1, "must be 1"),
  profiles: z.record(z.string(), profileLockSchema),
});

/** What a service had at the last push or pull. */
export type ProfileLock = z.output<typeof profileLockSchema>;
export type TemplateLock = ProfileLock["templates"][string];

/** The lock file, of which one profile is changed. */
export class Lock {
  private constructor(
    private readonly root: string,
    private readonly written: string | null,
    private readonly profiles: Record<string, ProfileLock>,
    readonly profile: ProfileLock,
    private readonly name: string,
  ) {}

  /** @throws PlatenError `invalid_request` for a file with a mistake, or a profile that had another address */
  static async read(root: string, { name, url }: Profile): Promise<Lock> {
    const text = await readTextFile(root, LOCK_FILE);
    const { profiles } =
      text === null
        ? { profiles: {} as Record<string, ProfileLock> }
        : parseFile(LOCK_FILE, text, lockSchema);
    const existing = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    const isMoved = existing !== undefined && existing.url !== url;
    if (isMoved && Object.keys(existing.templates).length > 0)
      throw invalid(
        `The profile "${name}" was last used with ${existing.url}, and is now ${url}. If that is the same service, change url in ${LOCK_FILE}; otherwise use another profile.`,
      );
    const profile = existing
      ? { ...existing, url }
      : { url, templates: {}, partials: {}, assets: {} };
    return new Lock(root, text, profiles, profile, name);
  }

  async write(): Promise<void> {
    const profiles = { ...this.profiles, [this.name]: this.profile };
    const text = toJsonText(sortKeys({ lockVersion: 1, profiles }));
    if (text !== this.written) await writeFileWhole(this.root, LOCK_FILE, text);
  }
}

function parseFile<T>(file: string, text: string, schema: z.ZodType<T>): T {
  const json = parseJsonSource({ file, text });
  if (!isJsonSource(json)) throw invalid(describeFileProblem(json));
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) => {
    const path = ["$", ...issue.path].join(".");
    return issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => `unknown field ${path}.${key}`)
      : [`${path} ${issue.message}`];
  });
  throw invalid(`${file}: ${problems.join("; ")}.`);
}

/** Replaces a file in one step. @param name below the folder */
export async function writeFileWhole(
  root: string,
  name: string,
  content: string | Uint8Array,
): Promise<void> {
  const path = join(root, name);
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, content);
  await rename(draft, path);
}

export function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A copy with the keys of every object in alphabetical order. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    ([key, child]: [string, unknown]) => [key, sortKeys(child)],
  );
  return Object.fromEntries(
    entries.toSorted(([key], [other]) =>
      String(key) < String(other) ? -1 : 1,
    ),
  );
}

function invalid(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}
