import { mkdir, readdir, unlink } from "node:fs/promises";
import { basename, dirname, join, posix } from "node:path";
import type { TemplateType } from "../definition/index.js";
import { isPlainObject } from "../lib/json.js";
import { replaceAssetIds, replaceAssetPaths } from "./asset-paths.js";
import { parseJsonSource, isJsonSource } from "./source-text.js";
import {
  readTextFile,
  sortKeys,
  toJsonText,
  writeFileWhole,
} from "./sync-files.js";
import {
  EMPTY_SCHEMA,
  type JsonObject,
  MARKUP_FILES,
  NOW_KEY,
  SAMPLE_FILE,
  SAMPLES_FOLDER,
  STYLE_FILE,
  TEMPLATE_FILE,
  type TemplateSource,
  toTitle,
} from "./template-folder.js";

/** A template that does not depend on where it is stored: its assets are paths relative to its folder. */
export interface PortableTemplate {
  name: string;
  templateType: TemplateType;
  description: string | null;
  definition: JsonObject;
}

/** @returns null when the files cannot be read */
export function readPortable(source: TemplateSource): PortableTemplate | null {
  const { folder, name, templateType, description, assets } = source;
  if (source.definition === null) return null;
  const { $schema: _schema, ...written } = source.definition;
  const definition = replaceAssetPaths(written, (path) => {
    const asset = assets.get(path);
    return asset ? posix.relative(folder, asset.path) : null;
  });
  return { name, templateType, description, definition };
}

/**
 * A stored template. Ids of components that the service has added are left out, unless the files have them.
 * @param paths where each asset is, below the templates folder, by its id
 */
export function toPortable(
  stored: PortableTemplate,
  folder: string,
  paths: ReadonlyMap<string, string>,
  local: PortableTemplate | null,
): PortableTemplate {
  const withPaths = replaceAssetIds(stored.definition, (id) => {
    const path = paths.get(id);
    return path === undefined ? null : posix.relative(folder, path);
  });
  const { name, templateType, description } = stored;
  const localIds = local ? findIds(local.definition) : null;
  const isAdded = (id: string) => UUID.test(id) && !localIds?.has(id);
  const definition =
    localIds || isSingleMarkup(withPaths)
      ? removeIds(withPaths, isAdded)
      : withPaths;
  return { name, templateType, description, definition };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function findIds(definition: JsonObject): Set<string> {
  const ids = new Set<string>();
  removeIds(definition, (id) => {
    ids.add(id);
    return false;
  });
  return ids;
}

/** A copy without the ids of components that `isRemoved` is true for. */
function removeIds(
  definition: JsonObject,
  isRemoved: (id: string) => boolean,
): JsonObject {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isPlainObject(value)) return value;
    const entries = Object.entries(value).filter(
      ([key, child]) =>
        !(key === "id" && "type" in value && typeof child === "string") ||
        !isRemoved(child),
    );
    return Object.fromEntries(
      entries.map(([key, child]) => [key, visit(child)]),
    );
  };
  const { sample, samples, ...rest } = definition;
  const copy = visit(rest);
  return {
    ...(isPlainObject(copy) && copy),
    ...(sample !== undefined && { sample }),
    ...(samples !== undefined && { samples }),
  };
}

/** Whether it is a template of HTML or MJML alone, which has files of its own. */
function isSingleMarkup({ components }: JsonObject): boolean {
  return getMarkup(components) !== null;
}

function getMarkup(components: unknown): JsonObject | null {
  if (!Array.isArray(components) || components.length !== 1) return null;
  const only: unknown = components[0];
  if (!isPlainObject(only) || only["type"] !== "markup") return null;
  const { id: _id, type: _type, html, css, mjml, ...others } = only;
  const isPlain = Object.keys(others).length === 0;
  const isText = typeof (html ?? mjml) === "string";
  const hasStyle = css === undefined || typeof css === "string";
  return isPlain && isText && hasStyle ? only : null;
}

/** What a file becomes; null: it is deleted. By its path below the templates folder. */
export type FileChanges = ReadonlyMap<
  string,
  { before: string | null; after: string | null }
>;

/** How the files of a folder have to change to be this template. Files that are equal in meaning stay as they are. */
export async function planFiles(
  root: string,
  folder: string,
  template: PortableTemplate,
): Promise<FileChanges> {
  return new FilePlan(root, folder).plan(template);
}

export async function writeFiles(
  root: string,
  changes: FileChanges,
): Promise<void> {
  for (const [file, { after }] of changes) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    if (after === null) await unlink(join(root, file));
    else await writeFileWhole(root, file, after);
  }
}

/** A name that is a file's name everywhere. */
const FILE_NAME = /^[\w-][\w .-]*$/;

class FilePlan {
  readonly #changes = new Map<
    string,
    { before: string | null; after: string | null }
  >();

  constructor(
    private readonly root: string,
    private readonly folder: string,
  ) {}

  async plan(template: PortableTemplate): Promise<FileChanges> {
    const { sample, samples, ...definition } = template.definition;
    const written = await this.#readJson(TEMPLATE_FILE);
    const inline = isPlainObject(written) ? written["definition"] : undefined;
    const before = isPlainObject(inline) ? inline : {};
    const isInline = isPlainObject(inline) && "components" in inline;
    const markup = isInline ? null : getMarkup(definition["components"]);
    const rest = { ...definition };
    await this.#planMarkup(markup);
    if (markup) {
      delete rest["components"];
      if (!("schema" in before) && isEqual(rest["schema"], EMPTY_SCHEMA))
        delete rest["schema"];
    }
    if ("sample" in before) rest["sample"] = sample;
    else await this.#planSample(SAMPLE_FILE, sample);
    const all = isPlainObject(samples) ? samples : {};
    const existingSamples = isPlainObject(before["samples"])
      ? before["samples"]
      : {};
    const isKept = ([name]: [string, unknown]) =>
      Object.hasOwn(existingSamples, name) || !FILE_NAME.test(name);
    const entries = Object.entries(all);
    const keptEntries = entries.filter(isKept);
    if (keptEntries.length > 0)
      rest["samples"] = Object.fromEntries(keptEntries);
    await this.#planSamples(entries.filter((entry) => !isKept(entry)));
    await this.#planTemplateFile(template, rest, written, markup);
    return this.#changes;
  }

  async #planTemplateFile(
    { name, templateType, description }: PortableTemplate,
    definition: JsonObject,
    written: unknown,
    markup: JsonObject | null,
  ): Promise<void> {
    const before = isPlainObject(written) ? written : {};
    const { definition: inline, $schema } = before;
    const schema = isPlainObject(inline) ? inline["$schema"] : undefined;
    const usual = markup && "mjml" in markup ? "email" : "document";
    const isNew = written === null;
    const isNamed = isNew || "name" in before || name !== toTitle(this.folder);
    const isTyped = "templateType" in before || templateType !== usual;
    const isDescribed = "description" in before || description !== null;
    const isDefined = inline !== undefined || Object.keys(definition).length;
    const value = {
      ...($schema !== undefined && { $schema }),
      ...(isNamed && { name }),
      ...(isTyped && { templateType }),
      ...(isDescribed && { description }),
      ...(isDefined && {
        definition: {
          ...(schema !== undefined && { $schema: schema }),
          ...definition,
        },
      }),
    };
    await this.#planJson(TEMPLATE_FILE, value);
  }

  async #planMarkup(markup: JsonObject | null): Promise<void> {
    const { html, mjml, css } = markup ?? {};
    const [htmlFile, mjmlFile] = MARKUP_FILES;
    for (const [name, text] of [
      [htmlFile, html],
      [mjmlFile, mjml],
      [STYLE_FILE, css],
    ] as const)
      await this.#planText(name, typeof text === "string" ? text : null);
  }

  /** A sample file may say a time, which is no part of the record. */
  async #planSample(name: string, sample: unknown): Promise<void> {
    if (sample === undefined) return this.#planText(name, null);
    const before = await this.#readJson(name);
    const now = isPlainObject(before) ? before[NOW_KEY] : undefined;
    const isTimed = now !== undefined && isPlainObject(sample);
    await this.#planJson(
      name,
      isTimed ? { [NOW_KEY]: now, ...sample } : sample,
    );
  }

  async #planSamples(entries: readonly [string, unknown][]): Promise<void> {
    const folder = join(this.root, this.folder, SAMPLES_FOLDER);
    const names = await readdir(folder).catch((): string[] => []);
    const after = new Map(entries);
    for (const [name, sample] of after)
      await this.#planSample(`${SAMPLES_FOLDER}/${name}.json`, sample);
    for (const name of names)
      if (name.endsWith(".json") && !after.has(basename(name, ".json")))
        await this.#planText(`${SAMPLES_FOLDER}/${name}`, null);
  }

  async #planJson(name: string, value: unknown): Promise<void> {
    const before = await this.#readText(name);
    const current = await this.#readJson(name);
    if (before !== null && isEqual(current, value)) return;
    // A file that has its own layout is compared by its content.
    const comparable = current === null ? before : toJsonText(current);
    this.#set(name, comparable, toJsonText(value));
  }

  async #planText(name: string, after: string | null): Promise<void> {
    const before = await this.#readText(name);
    if (before !== after) this.#set(name, before, after);
  }

  #set(name: string, before: string | null, after: string | null): void {
    this.#changes.set(posix.join(this.folder, name), { before, after });
  }

  async #readText(name: string): Promise<string | null> {
    return readTextFile(this.root, posix.join(this.folder, name));
  }

  async #readJson(name: string): Promise<unknown> {
    const text = await this.#readText(name);
    if (text === null) return null;
    const json = parseJsonSource({ file: name, text });
    return isJsonSource(json) ? json.value : null;
  }
}

export function isEqual(value: unknown, other: unknown): boolean {
  return JSON.stringify(sortKeys(value)) === JSON.stringify(sortKeys(other));
}
