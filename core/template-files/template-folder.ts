import { createHash } from "node:crypto";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, join, posix, sep } from "node:path";
import { z } from "zod";
import {
  TEMPLATE_TYPES,
  type TemplateType,
  PARTIAL_NAME,
} from "../definition/index.js";
import { isPlainObject } from "../lib/json.js";
import { PlatenError } from "../plugin-api/index.js";
import { findAssetPaths, resolveAssetPath } from "./asset-paths.js";
import {
  createFileProblem,
  type FileProblem,
  findPosition,
  isJsonSource,
  type JsonSource,
  parseJsonSource,
  positionAt,
  type SourceText,
  toSourceText,
} from "./source-text.js";

// A templates folder has a folder for each template: `invoice/template.json`, or `template.html` or `template.mjml` with
// `style.css`, and its sample records and assets; `partials/` has the blocks that templates share.

export const TEMPLATE_FILE = "template.json";
export const MARKUP_FILES = ["template.html", "template.mjml"] as const;
export const STYLE_FILE = "style.css";
export const SAMPLE_FILE = "sample.json";
export const SAMPLES_FOLDER = "samples";
export const PARTIALS_FOLDER = "partials";
export const ASSETS_FOLDER = "assets";
/** With the pictures of a template's pages: `<sample>-<page>.png`. */
export const PICTURES_FOLDER = "expected";
/** A key of a sample file that is no part of the record: the time at which documents are made of it. */
export const NOW_KEY = "$now";

/** Larger files are no templates. */
const MAX_TEXT_BYTES = 10 * 1024 ** 2;
const MAX_ASSET_BYTES = 100 * 1024 ** 2;
const FONT_FILE = /\.(?:ttf|otf|woff2?)$/i;

export type JsonObject = Record<string, unknown>;

/** A record to make a document of. */
export interface Sample {
  /** `sample`, or the file's name in `samples/`. */
  name: string;
  data: unknown;
  /** What functions such as TODAY() take for the present time; null when the file does not say. */
  now: Date | null;
}

/** A file that a template shows, embeds or prints with. */
export interface AssetFile {
  /** Below the templates folder, with slashes. */
  path: string;
  name: string;
  bytes: Buffer;
  /** `sha256:` and hex digits. */
  checksum: string;
}

/** A template as its files have it. */
export interface TemplateSource {
  /** The name of its folder. */
  folder: string;
  name: string;
  templateType: TemplateType;
  description: string | null;
  /** With its markup and samples inside; assets are still paths. Null when its files cannot be read. */
  definition: JsonObject | null;
  samples: readonly Sample[];
  /** By the paths in the definition as they are written. */
  assets: ReadonlyMap<string, AssetFile>;
  /** Font files in `assets/`, which definitions name by their family. */
  fonts: readonly AssetFile[];
  problems: readonly FileProblem[];
  /** Where a value of the definition is written. */
  locate: Locate;
}

/** @param line and column in the text that the keys lead to, from 1 */
export type Locate = (
  keys: readonly (string | number)[],
  line?: number,
  column?: number,
) => { source: SourceText; position: { line: number; column: number } | null };

/** A reusable block. */
export interface PartialSource {
  name: string;
  title: string;
  templateType: TemplateType;
  components: readonly JsonObject[];
}

export interface TemplatesFolder {
  /** Absolute. */
  root: string;
  /** The folders of templates, in alphabetical order. */
  folders: readonly string[];
  partials: readonly PartialSource[];
  /** Of the folder and its partials; those of templates are in their sources. */
  problems: readonly FileProblem[];
}

/** @throws PlatenError `invalid_request` for a folder that is missing or has no templates */
export async function readTemplatesFolder(
  path: string,
): Promise<TemplatesFolder> {
  const root = await findRoot(path);
  const folders = await listTemplateFolders(root);
  if (folders.length === 0)
    throw new PlatenError(
      "invalid_request",
      `The folder ${path} has no templates. A template is a folder with ${TEMPLATE_FILE}, ${MARKUP_FILES.join(" or ")}, such as ${join(path, "invoice", TEMPLATE_FILE)}.`,
    );
  const { partials, problems } = await readPartials(root);
  return {
    root,
    folders,
    partials,
    problems: [...findCaseConflicts(folders), ...problems],
  };
}

/** The absolute path of a folder, without links. @throws PlatenError `invalid_request` */
export async function findRoot(path: string): Promise<string> {
  const root = await realpath(path).catch(() => null);
  if (root !== null && (await stat(root)).isDirectory()) return root;
  throw new PlatenError("invalid_request", `There is no folder ${path}.`);
}

/** The folders below `root` that have a template. */
export async function listTemplateFolders(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const folders: string[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name.startsWith(".")) continue;
    if (entry.name === "node_modules") continue;
    const path = join(root, entry.name);
    const files = await readdir(path).catch((): string[] => []);
    if ([TEMPLATE_FILE, ...MARKUP_FILES].some((name) => files.includes(name)))
      folders.push(entry.name);
  }
  return folders.toSorted();
}

/** Such folders are one on the file systems of Windows and macOS. */
function findCaseConflicts(folders: readonly string[]): FileProblem[] {
  const seen = new Map<string, string>();
  return folders.flatMap((folder): FileProblem[] => {
    const key = folder.toLowerCase();
    const other = seen.get(key);
    seen.set(key, folder);
    if (other === undefined) return [];
    const message = `The folders ${other} and ${folder} differ only in upper and lower case, so they are one folder on Windows and macOS. Rename one of them.`;
    return [{ severity: "error", file: folder, message }];
  });
}

/** Reads one template. Whatever is wrong with its files is among its problems. */
export async function readTemplate(
  root: string,
  folder: string,
): Promise<TemplateSource> {
  return new TemplateReader(root, folder).read();
}

const templateFileSchema = z.strictObject(
  {
    $schema: z.string("must be text").optional(),
    name: z
      .string("must be text")
      .trim()
      .min(1, "must not be empty")
      .max(255, "must be at most 255 characters long")
      .optional(),
    templateType: z
      .enum(TEMPLATE_TYPES, `must be ${TEMPLATE_TYPES.join(" or ")}`)
      .optional(),
    description: z
      .string("must be text or null")
      .max(10_000, "must be at most 10000 characters long")
      .nullable()
      .optional(),
    definition: z
      .record(z.string(), z.unknown(), "must be an object")
      .optional(),
  },
  "must be an object",
);
type TemplateFile = z.output<typeof templateFileSchema>;

class TemplateReader {
  readonly #problems: FileProblem[] = [];

  constructor(
    private readonly root: string,
    private readonly folder: string,
  ) {}

  async read(): Promise<TemplateSource> {
    const { folder } = this;
    const json = await this.#readJson(TEMPLATE_FILE);
    const settings = json && this.#readSettings(json);
    const markup = await this.#readMarkup();
    const isMjml = markup?.source.file.endsWith(".mjml") ?? false;
    const samples = await this.#readSamples();
    const isRead = this.#problems.length === 0;
    const written = settings?.definition ?? {};
    const definition = isRead
      ? {
          ...withMarkup(written, markup),
          ...this.#mergeSamples(json, written, samples),
        }
      : null;
    const locate = createLocator(json, markup, this.#path(TEMPLATE_FILE));
    const { assets, fonts } = await this.#readAssets(definition, locate);
    return {
      folder,
      name: settings?.name ?? toTitle(folder),
      templateType: settings?.templateType ?? (isMjml ? "email" : "document"),
      description: settings?.description ?? null,
      definition,
      samples: listSamples(written, samples),
      assets,
      fonts,
      problems: this.#problems,
      locate,
    };
  }

  #path(...names: string[]): string {
    return posix.join(this.folder, ...names);
  }

  #add(
    source: SourceText,
    problem: { message: string; hint?: string; path?: string },
    position: { line: number; column: number } | null = null,
  ): void {
    this.#problems.push(createFileProblem(source, problem, position));
  }

  async #readText(...names: string[]): Promise<SourceText | null> {
    const file = this.#path(...names);
    const bytes = await this.#readInside(file, MAX_TEXT_BYTES, "missing");
    if (!bytes) return null;
    const source = toSourceText(file, bytes);
    if (!("message" in source)) return source;
    this.#problems.push(source);
    return null;
  }

  async #readJson(...names: string[]): Promise<JsonSource | null> {
    const source = await this.#readText(...names);
    if (source === null) return null;
    const parsed = parseJsonSource(source);
    if (isJsonSource(parsed)) return parsed;
    this.#problems.push(parsed);
    return null;
  }

  /** @returns null for a file that is missing, or that a problem says cannot be used */
  async #readInside(
    file: string,
    maxBytes: number,
    ifMissing: "missing" | ((reason: string) => void),
  ): Promise<Buffer | null> {
    const report = (message: string) => {
      if (ifMissing === "missing") this.#add({ file, text: "" }, { message });
      else ifMissing(message);
      return null;
    };
    const path = join(this.root, file);
    const real = await realpath(path).catch(() => null);
    if (real === null) {
      if (ifMissing !== "missing") ifMissing(`There is no file ${file}.`);
      return null;
    }
    if (!real.startsWith(this.root + sep))
      return report(
        `The file ${file} is a link to a file outside of the templates folder. Copy the file into it.`,
      );
    const stats = await stat(real);
    if (!stats.isFile()) return report(`${file} is not a file.`);
    if (stats.size > maxBytes)
      return report(
        `The file ${file} has ${stats.size} bytes, more than the limit of ${maxBytes} bytes.`,
      );
    return readFile(real).catch((error: unknown) =>
      report(
        `The file ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      ),
    );
  }

  #readSettings(json: JsonSource): TemplateFile | null {
    const parsed = templateFileSchema.safeParse(json.value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const keys = issue.path.filter((key) => typeof key !== "symbol");
      if (issue.code === "unrecognized_keys")
        for (const key of issue.keys)
          this.#add(
            json,
            {
              message: `Unknown field "${key}".`,
              hint: `${TEMPLATE_FILE} has name, templateType, description and definition; everything else belongs inside definition.`,
            },
            findPosition(json, [key]),
          );
      else
        this.#add(
          json,
          { message: `${["$", ...keys].join(".")} ${issue.message}.` },
          findPosition(json, keys),
        );
    }
    return null;
  }

  async #readMarkup(): Promise<MarkupFiles | null> {
    const [html, mjml] = await Promise.all(
      MARKUP_FILES.map((name) => this.#readText(name)),
    );
    const style = await this.#readText(STYLE_FILE);
    if (html && mjml)
      this.#add(mjml, {
        message: `A template has ${MARKUP_FILES.join(" or ")}, not both. Delete one of them.`,
      });
    const source = html ?? mjml;
    if (source && source === mjml && style)
      this.#add(style, {
        message: `${STYLE_FILE} belongs to template.html. In an email, write the styles into mj-style.`,
      });
    if (source) return { source, style };
    if (style)
      this.#add(style, {
        message: `${STYLE_FILE} belongs to template.html, which is missing.`,
      });
    return null;
  }

  async #readSamples(): Promise<SampleFiles> {
    const main = await this.#readJson(SAMPLE_FILE);
    const folder = join(this.root, this.folder, SAMPLES_FOLDER);
    const names = await readdir(folder).catch((): string[] => []);
    const others: Sample[] = [];
    for (const file of names.toSorted()) {
      if (!file.endsWith(".json")) continue;
      const json = await this.#readJson(SAMPLES_FOLDER, file);
      if (json) others.push(this.#readSample(json, basename(file, ".json")));
    }
    return { main: main && this.#readSample(main, "sample"), others };
  }

  #readSample(json: JsonSource, name: string): Sample {
    const { value } = json;
    if (!isPlainObject(value) || !Object.hasOwn(value, NOW_KEY))
      return { name, data: value, now: null };
    const { [NOW_KEY]: written, ...data } = value;
    const now = new Date(typeof written === "string" ? written : "");
    if (!Number.isNaN(now.getTime())) return { name, data, now };
    const message = `"${NOW_KEY}" must be a time such as 2026-01-31T12:00:00Z.`;
    this.#add(json, { message }, findPosition(json, [NOW_KEY]));
    return { name, data, now: null };
  }

  /** A sample that a file has takes the place of none: two of one name are a mistake. */
  #mergeSamples(
    json: JsonSource | null,
    written: JsonObject,
    { main, others }: SampleFiles,
  ): JsonObject {
    if (json && main && written["sample"] !== undefined)
      this.#add(
        json,
        {
          message: `The template has a sample here and in ${SAMPLE_FILE}. Delete one of them.`,
        },
        findPosition(json, ["definition", "sample"]),
      );
    const inline = isPlainObject(written["samples"]) ? written["samples"] : {};
    for (const { name } of others)
      if (json && Object.hasOwn(inline, name))
        this.#add(
          json,
          {
            message: `The template has the sample "${name}" here and in ${SAMPLES_FOLDER}/${name}.json. Delete one of them.`,
          },
          findPosition(json, ["definition", "samples", name]),
        );
    const files = others.map(({ name, data }) => [name, data]);
    return {
      ...(main && { sample: main.data }),
      ...(others.length > 0 && {
        samples: { ...inline, ...Object.fromEntries(files) },
      }),
    };
  }

  async #readAssets(
    definition: JsonObject | null,
    locate: Locate,
  ): Promise<Pick<TemplateSource, "assets" | "fonts">> {
    const { folder } = this;
    const assets = new Map<string, AssetFile>();
    for (const { written, keys, offset } of findAssetPaths(definition)) {
      if (assets.has(written)) continue;
      const report = (message: string) => {
        const text = keys.reduce<unknown>(
          (value, key) => Object(value)[key],
          definition,
        );
        const { line, column } = positionAt(String(text), offset);
        const { source, position } = locate(keys, line, column);
        this.#add(source, { message }, position);
      };
      const path = resolveAssetPath(folder, written);
      if (path === null) {
        report(
          `The path ${written} leaves the templates folder. Copy the file into ${folder}/${ASSETS_FOLDER}.`,
        );
        continue;
      }
      const bytes = await this.#readInside(path, MAX_ASSET_BYTES, report);
      if (bytes) assets.set(written, toAssetFile(path, bytes));
    }
    const fonts: AssetFile[] = [];
    const assetsFolder = join(this.root, folder, ASSETS_FOLDER);
    for (const name of await readdir(assetsFolder).catch(() => [])) {
      if (!FONT_FILE.test(name)) continue;
      const path = this.#path(ASSETS_FOLDER, name);
      const bytes = await this.#readInside(path, MAX_ASSET_BYTES, "missing");
      if (bytes) fonts.push(toAssetFile(path, bytes));
    }
    return { assets, fonts };
  }
}

interface MarkupFiles {
  source: SourceText;
  style: SourceText | null;
}

interface SampleFiles {
  main: Sample | null;
  others: readonly Sample[];
}

/** Of a template of HTML that says nothing about its data. */
export const EMPTY_SCHEMA = [{ id: "root", fields: [] }];

function withMarkup(
  definition: JsonObject,
  markup: MarkupFiles | null,
): JsonObject {
  if (markup === null) return definition;
  const { source, style } = markup;
  const component = {
    type: "markup",
    ...(source.file.endsWith(".mjml")
      ? { mjml: source.text }
      : { html: source.text }),
    ...(style && { css: style.text }),
  };
  return {
    schema: EMPTY_SCHEMA,
    ...definition,
    components: [component],
  };
}

function listSamples(
  definition: JsonObject,
  { main, others }: SampleFiles,
): Sample[] {
  const { sample = {}, samples } = definition;
  const first = main ?? { name: "sample", data: sample, now: null };
  const inline = isPlainObject(samples) ? Object.entries(samples) : [];
  const isEmpty = main === null && definition["sample"] === undefined;
  const more = [
    ...inline.map(([name, data]) => ({ name, data, now: null })),
    ...others,
  ];
  return isEmpty && more.length > 0 ? more : [first, ...more];
}

function createLocator(
  json: JsonSource | null,
  markup: MarkupFiles | null,
  file: string,
): Locate {
  const whole = json ?? markup?.source ?? { file, text: "" };
  return (keys, line, column) => {
    if (markup && keys[0] === "components") {
      const source =
        keys[2] === "css" && markup.style ? markup.style : markup.source;
      const isPlaced = line !== undefined;
      return {
        source,
        position: isPlaced ? { line, column: column ?? 1 } : null,
      };
    }
    if (!json) return { source: whole, position: null };
    const position = findPosition(json, ["definition", ...keys]);
    return { source: json, position };
  };
}

function toAssetFile(path: string, bytes: Buffer): AssetFile {
  const digest = createHash("sha256").update(bytes).digest("hex");
  const name = posix.basename(path);
  return { path, name, bytes, checksum: `sha256:${digest}` };
}

/** `delivery-note` is “Delivery note”. */
export function toTitle(folder: string): string {
  const words = folder.replaceAll(/[-_]+/g, " ").trim() || folder;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const partialFileSchema = z.strictObject(
  {
    $schema: z.string().optional(),
    title: z.string("must be text").optional(),
    templateType: z
      .enum(TEMPLATE_TYPES, `must be ${TEMPLATE_TYPES.join(" or ")}`)
      .default("document"),
    components: z.array(
      z.record(z.string(), z.unknown()),
      "must be a list of components",
    ),
  },
  "must be an object",
);

async function readPartials(
  root: string,
): Promise<Pick<TemplatesFolder, "partials" | "problems">> {
  const folder = join(root, PARTIALS_FOLDER);
  const names = await readdir(folder).catch((): string[] => []);
  const partials: PartialSource[] = [];
  const problems: FileProblem[] = [];
  for (const entry of names.toSorted()) {
    if (!entry.endsWith(".json")) continue;
    const file = posix.join(PARTIALS_FOLDER, entry);
    const name = basename(entry, ".json");
    const bytes = await readFile(join(root, file)).catch(() => Buffer.of());
    const source = toSourceText(file, bytes);
    const json = "message" in source ? source : parseJsonSource(source);
    if (!isJsonSource(json)) {
      problems.push(json);
      continue;
    }
    if (!PARTIAL_NAME.test(name))
      problems.push(
        createFileProblem(json, {
          message: `A block's file has a name of lower-case letters, digits and single hyphens, such as payment-details.json.`,
        }),
      );
    const parsed = partialFileSchema.safeParse(json.value);
    for (const issue of parsed.success ? [] : parsed.error.issues) {
      const keys = issue.path.filter((key) => typeof key !== "symbol");
      const message = `${["$", ...keys].join(".")} ${issue.message}.`;
      problems.push(
        createFileProblem(json, { message }, findPosition(json, keys)),
      );
    }
    if (!parsed.success) continue;
    const { templateType, components, title = toTitle(name) } = parsed.data;
    partials.push({ name, title, templateType, components });
  }
  return { partials, problems };
}
