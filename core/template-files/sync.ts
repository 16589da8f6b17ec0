import { createHash } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { createTwoFilesPatch } from "diff";
import {
  Platen,
  PlatenApiError,
  PlatenConnectionError,
  type Schemas,
} from "../../sdk/src/index.js";
import { Compute } from "../compute/index.js";
import { PARTIAL_NAME } from "../definition/index.js";
import { PlatenError } from "../plugin-api/index.js";
import { findAssetIds } from "./asset-paths.js";
import { checkSource, hasErrors, useAssetIds } from "./check-template.js";
import {
  type Commit,
  isEarlierCommit,
  readCommit,
  readHistory,
} from "./git.js";
import {
  type FileChanges,
  planFiles,
  type PortableTemplate,
  readPortable,
  toPortable,
  writeFiles,
} from "./portable-template.js";
import type { FileProblem } from "./source-text.js";
import {
  Lock,
  LOCK_FILE,
  type Profile,
  readProfile,
  readTextFile,
  sortKeys,
  type TemplateLock,
  toJsonText,
  writeFileWhole,
} from "./sync-files.js";
import {
  type AssetFile,
  ASSETS_FOLDER,
  findRoot,
  listTemplateFolders,
  PARTIALS_FOLDER,
  type PartialSource,
  readTemplate,
  readTemplatesFolder,
  type TemplatesFolder,
  type TemplateSource,
} from "./template-folder.js";

// Synchronizes a templates folder with an organization of a service. Nothing is overwritten that somebody else changed: the
// lock file says what the service had at the last push or pull, and a version's note says from which commit it was pushed.

type StoredTemplate = Schemas["Template"];
type StoredPartial = Schemas["Partial"];

export type SyncAction =
  "create" | "update" | "unchanged" | "write" | "conflict" | "invalid";

/** What a push or a pull does with a template or a block. */
export interface SyncItem {
  /** The folder of the template, or `partials/<name>`. */
  name: string;
  action: SyncAction;
  /** Why it is a conflict. */
  message?: string;
  /** The id of the template on the service. */
  id?: string;
}

export interface SyncResult {
  /** Whether everything could be done; otherwise nothing was. */
  isDone: boolean;
  items: SyncItem[];
  problems: FileProblem[];
  /** How many files were uploaded or downloaded. */
  assets: number;
}

export interface SyncOptions {
  isDryRun: boolean;
  /** Overwrites what others changed. */
  isForced: boolean;
}

export interface PushOptions extends SyncOptions {
  /** What changed; by default the subject of the commit. */
  note?: string | undefined;
}

export interface PullOptions extends SyncOptions {
  /** Those of the organization that the folder does not have, too. */
  isAll: boolean;
}

/** One template, here and on the service. */
interface Pair {
  folder: string;
  source: TemplateSource | null;
  local: PortableTemplate | null;
  lock: TemplateLock | undefined;
  stored: StoredTemplate | null;
}

export class TemplateSync {
  readonly #client: Platen;
  readonly #compute = new Compute();
  #assets: Promise<Schemas["AssetListItem"][]> | null = null;

  private constructor(
    private readonly root: string,
    private readonly profile: Profile,
    apiKey: string,
    private readonly lock: Lock,
    private readonly commit: Commit | null,
  ) {
    this.#client = new Platen({ baseUrl: profile.url, apiKey });
  }

  /**
   * @param profileName the folder's only or default profile when left out
   * @param readVariable returns null for an environment variable that is not set. @throws PlatenError
   */
  static async open(
    path: string,
    profileName: string | undefined,
    readVariable: (name: string) => Promise<string | null>,
  ): Promise<TemplateSync> {
    const root = await findRoot(path);
    const profile = await readProfile(root, profileName);
    const { name, keyVariable } = profile;
    const apiKey = await readVariable(keyVariable);
    if (apiKey === null)
      throw new PlatenError(
        "unauthorized",
        `The profile "${name}" needs an API key: set ${keyVariable}. \`platen key create --scopes templates:read,templates:write\` creates one.`,
      );
    const lock = await Lock.read(root, profile);
    const commit = await readCommit(root, LOCK_FILE);
    return new TemplateSync(root, profile, apiKey, lock, commit);
  }

  async close(): Promise<void> {
    await this.#compute.stop();
  }

  /** Makes the service have what the files say. Everything is checked first. */
  push(options: PushOptions): Promise<SyncResult> {
    return this.#call(() => this.#push(options));
  }

  /** Makes the files have what the service says. */
  pull(options: PullOptions): Promise<SyncResult> {
    return this.#call(() => this.#pull(options));
  }

  /** What a push would change, as a unified diff; empty when there is nothing. */
  diff(): Promise<string> {
    return this.#call(() => this.#diff());
  }

  async #push(options: PushOptions): Promise<SyncResult> {
    const folder = await readTemplatesFolder(this.root);
    const stored = await this.#client.partials.list();
    const partials = await this.#planPartials(folder, stored.data, options);
    const pairs = await this.#readPairs(folder.folders);
    await this.#linkAssets(pairs);
    const items = [...partials];
    const problems = [...folder.problems];
    for (const pair of pairs) {
      const pairProblems = await this.#check(pair, folder, stored.data);
      problems.push(...pairProblems);
      const { folder: name, lock } = pair;
      if (hasErrors(pairProblems)) items.push({ name, action: "invalid" });
      else {
        const id = pair.stored?.id ?? lock?.id;
        const planned = await this.#planPush(pair, options);
        items.push({ name, ...planned, ...(id !== undefined && { id }) });
      }
    }
    const isRefused = items.some(({ action }) => isRefusal(action));
    const isDone = !isRefused && !hasErrors(problems);
    const result = { isDone, items, problems, assets: 0 };
    if (!isDone) return result;
    const needed = pairs.filter(({ folder: name }) =>
      items.some((item) => item.name === name && isWrite(item.action)),
    );
    const assets = needed.flatMap(({ source }) => listAssets(source));
    const missing = new Map<string, AssetFile>();
    for (const asset of assets)
      if ((await this.#findAsset(asset)) === null)
        missing.set(keyOf(asset), asset);
    result.assets = missing.size;
    if (options.isDryRun) return result;
    try {
      const ids = await this.#uploadAssets(assets, missing);
      for (const item of partials)
        await this.#pushPartial(item, folder.partials);
      for (const pair of pairs) {
        const item = items.find(({ name }) => name === pair.folder);
        if (item) await this.#pushTemplate(pair, item, ids, options);
      }
    } finally {
      await this.lock.write();
    }
    return result;
  }

  async #check(
    { source }: Pair,
    { partials }: TemplatesFolder,
    stored: readonly StoredPartial[],
  ): Promise<readonly FileProblem[]> {
    if (source === null) return [];
    const localNames = new Set(partials.map(({ name }) => name));
    const others = stored.filter(({ name }) => !localNames.has(name));
    // Ids are known only after the upload, which follows the check.
    const { problems } = await checkSource(
      this.#compute,
      source,
      [...partials, ...others],
      ({ checksum }) => toUuid(checksum),
    );
    return problems;
  }

  /** Decides what a push does with one template. */
  async #planPush(
    pair: Pair,
    { isForced }: SyncOptions,
  ): Promise<Pick<SyncItem, "action" | "message">> {
    const { stored, lock, source, local } = pair;
    const isLost = stored === null || stored.isTrashed;
    if (isLost && lock !== undefined)
      return isForced
        ? { action: "create" }
        : {
            action: "conflict",
            message: stored
              ? `It was moved to the trash of ${this.profile.url}${stored.trashedAt ? ` on ${formatTime(stored.trashedAt)}` : ""}. Restore it there, delete the folder, or create it again with --force.`
              : `It was deleted from ${this.profile.url}. Delete the folder, or create it again with --force.`,
          };
    if (isLost) return { action: "create" };
    if (local && local.templateType !== stored.templateType)
      return {
        action: "conflict",
        message: `It is a template of the type ${stored.templateType}, which cannot become ${local.templateType}. Create a new template under another name.`,
      };
    if (source && (await this.#isSame(pair))) return { action: "unchanged" };
    if (lock && lock.remote === hashStored(stored)) return { action: "update" };
    if (isForced || (await this.#isOwnPush(stored)))
      return { action: "update" };
    return { action: "conflict", message: await this.#describeChange(pair) };
  }

  /** Whether the service has what the files say, assets included. */
  async #isSame(pair: Pair): Promise<boolean> {
    const { source, lock, stored } = pair;
    if (!source || !stored) return false;
    if (lock && lock.remote === hashStored(stored))
      return lock.local === hashSource(source);
    const assets = listAssets(source);
    const isUploaded = assets.every(
      ({ path, checksum }) =>
        this.lock.profile.assets[path]?.checksum === checksum,
    );
    return isUploaded && (await this.#planPull(pair)).size === 0;
  }

  /**
   * Whether the service has what an earlier commit of this repository pushed: its newest version names that commit, and
   * nothing changed since. So a deployment need not commit the lock file.
   */
  async #isOwnPush({ id, definition }: StoredTemplate): Promise<boolean> {
    if (this.commit === null) return false;
    const [newest] = await this.#client.templates.versions(id);
    const hash = /\(([\da-f]{7,40})\)$/.exec(newest?.description ?? "")?.[1];
    if (!newest || hash === undefined) return false;
    const version = await this.#client.templates.version(id, newest.id);
    return (
      JSON.stringify(version.definition) === JSON.stringify(definition) &&
      (await isEarlierCommit(this.root, hash))
    );
  }

  async #describeChange({ stored, lock }: Pair): Promise<string> {
    if (!stored) return "";
    const where = this.profile.url;
    const fix =
      "`platen template diff` shows the differences. Pull the template, or overwrite it with --force.";
    if (!lock)
      return `${where} has a template of this name already (${stored.id}). ${fix}`;
    const [newest] = await this.#client.templates.versions(stored.id);
    const isNewer = newest !== undefined && newest.createdAt > lock.updatedAt;
    const who = isNewer
      ? ` by ${newest.createdBy.name} (version ${newest.version}${newest.description ? `: ${newest.description}` : ""})`
      : "";
    return `It was changed at ${where} on ${formatTime(stored.updatedAt)}${who}, after the last push or pull. ${fix}`;
  }

  async #pushTemplate(
    pair: Pair,
    item: SyncItem,
    ids: ReadonlyMap<string, string>,
    { note }: PushOptions,
  ): Promise<void> {
    const { source, local, stored, folder } = pair;
    if (!source || !local) return;
    const { name, description, templateType } = local;
    if (item.action === "unchanged") {
      if (stored) this.#remember(folder, stored, source);
      return;
    }
    const checked = useAssetIds(source, (asset) => ids.get(keyOf(asset)) ?? "");
    // The check before the push has found nothing wrong with it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const definition = checked as StoredTemplate["definition"] | null;
    if (definition === null) return;
    const { templates } = this.#client;
    const versionNote = this.#createNote(note);
    const version = { definition, createVersion: true, versionNote };
    let id = stored?.id ?? "";
    if (item.action === "create")
      ({ id } = await templates.create({
        name,
        description,
        templateType,
        definition,
      }));
    const expectedVersion =
      item.action === "update" ? stored?.updatedAt : undefined;
    await templates.redefine(id, {
      ...version,
      ...(expectedVersion !== undefined && { expectedVersion }),
    });
    if (
      item.action === "update" &&
      (stored?.name !== name || stored.description !== description)
    )
      await templates.update(id, { name, description });
    item.id = id;
    this.#remember(folder, await templates.get(id), source);
  }

  #createNote(note: string | undefined): string {
    if (this.commit === null) return note ?? "Pushed with platen";
    const { hash, subject, isChanged } = this.commit;
    const what = isChanged ? `${hash} with uncommitted changes` : hash;
    return `${note ?? subject} (${what})`;
  }

  #remember(
    folder: string,
    stored: StoredTemplate,
    source: TemplateSource,
  ): void {
    const { id, version, updatedAt } = stored;
    const remote = hashStored(stored);
    const local = hashSource(source);
    this.lock.profile.templates[folder] = {
      id,
      version,
      updatedAt,
      remote,
      local,
    };
  }

  async #planPartials(
    { partials }: TemplatesFolder,
    stored: readonly StoredPartial[],
    { isForced }: SyncOptions,
  ): Promise<SyncItem[]> {
    const items: SyncItem[] = [];
    for (const partial of partials) {
      const name = posix.join(PARTIALS_FOLDER, partial.name);
      const there = stored.find((candidate) => candidate.name === partial.name);
      if (!there) items.push({ name, action: "create" });
      else if (hashPartial(there) === hashPartial(partial))
        items.push({ name, action: "unchanged" });
      else if (isForced || (await this.#isKnownPartial(there)))
        items.push({ name, action: "update" });
      else
        items.push({
          name,
          action: "conflict",
          message: `It was changed at ${this.profile.url} on ${formatTime(there.updatedAt)}. Pull it, or overwrite it with --force.`,
        });
    }
    return items;
  }

  /** Whether the service has a block as it was at the last push or pull, or at an earlier commit. */
  async #isKnownPartial(there: StoredPartial): Promise<boolean> {
    const hash = hashPartial(there);
    if (this.lock.profile.partials[there.name]?.remote === hash) return true;
    const file = posix.join(PARTIALS_FOLDER, `${there.name}.json`);
    for await (const text of readHistory(this.root, file)) {
      const earlier = parsePartial(text);
      if (earlier && hashPartial({ ...there, ...earlier }) === hash)
        return true;
    }
    return false;
  }

  async #pushPartial(
    { name, action }: SyncItem,
    partials: readonly PartialSource[],
  ): Promise<void> {
    const partial = partials.find(
      (candidate) => posix.join(PARTIALS_FOLDER, candidate.name) === name,
    );
    if (!partial) return;
    const { title, templateType } = partial;
    const components = [...partial.components];
    const api = this.#client.partials;
    if (action === "create")
      await api.create({ name: partial.name, title, templateType, components });
    if (action === "update")
      await api.update(partial.name, { title, components });
    const remote = hashPartial(await api.get(partial.name));
    this.lock.profile.partials[partial.name] = { remote };
  }

  /** @returns the id of an equal file on the service */
  async #findAsset(asset: AssetFile): Promise<string | null> {
    const { path, checksum } = asset;
    const all = await this.#listAssets();
    const lockEntry = this.lock.profile.assets[path];
    const isKept =
      lockEntry?.checksum === checksum &&
      all.some(({ id }) => id === lockEntry.id);
    if (isKept) return lockEntry.id;
    // A service cleans drawings before it stores them.
    const checksums = [checksum, await this.#cleanedChecksum(asset)];
    return (
      all.find((candidate) => checksums.includes(candidate.checksum))?.id ??
      null
    );
  }

  async #cleanedChecksum({
    path,
    name,
    bytes,
  }: AssetFile): Promise<string | null> {
    if (!/\.svg$/i.test(path)) return null;
    const caller = { organizationId: "", subject: `The file ${name}` };
    const cleaned = await this.#compute
      .cleanSvg(bytes, caller)
      .catch(() => null);
    return cleaned && checksumOf(cleaned.svg);
  }

  /** Finds out which files the service has, where the lock file does not say. */
  async #linkAssets(pairs: readonly Pair[]): Promise<void> {
    const { assets } = this.lock.profile;
    for (const { source } of pairs)
      for (const asset of listAssets(source)) {
        const { path, checksum } = asset;
        if (assets[path]?.checksum === checksum) continue;
        const id = await this.#findAsset(asset);
        if (id !== null) assets[path] = { id, checksum };
      }
  }

  #listAssets(): Promise<Schemas["AssetListItem"][]> {
    const list = async () => {
      const all: Schemas["AssetListItem"][] = [];
      for await (const asset of this.#client.assets.all()) all.push(asset);
      return all;
    };
    this.#assets ??= list();
    return this.#assets;
  }

  /** @returns the ids of all, by `keyOf` */
  async #uploadAssets(
    assets: readonly AssetFile[],
    missing: ReadonlyMap<string, AssetFile>,
  ): Promise<Map<string, string>> {
    const ids = new Map<string, string>();
    for (const [key, { name, bytes }] of missing) {
      const content = new Uint8Array(bytes);
      const { id } = await this.#client.assets.upload(content, { name });
      ids.set(key, id);
    }
    for (const asset of assets) {
      const key = keyOf(asset);
      const id = ids.get(key) ?? (await this.#findAsset(asset)) ?? "";
      ids.set(key, id);
      const { path, checksum } = asset;
      this.lock.profile.assets[path] = { id, checksum };
    }
    return ids;
  }

  async #pull(options: PullOptions): Promise<SyncResult> {
    const folders = await listTemplateFolders(this.root);
    const pairs = await this.#readPairs(folders);
    const isFirst = Object.keys(this.lock.profile.templates).length === 0;
    if (options.isAll || isFirst) pairs.push(...(await this.#findNew(pairs)));
    const result: SyncResult = {
      isDone: true,
      items: [],
      problems: [],
      assets: 0,
    };
    const plans = new Map<Pair, FileChanges>();
    for (const pair of pairs) {
      if (!pair.stored) continue;
      const item = await this.#planItem(pair, options);
      result.items.push(item);
      if (item.action === "write") plans.set(pair, new Map());
    }
    const partials = await this.#planPulledPartials(
      options,
      options.isAll || isFirst,
    );
    result.items.push(...partials.map(({ item }) => item));
    result.isDone = !result.items.some(({ action }) => isRefusal(action));
    if (!result.isDone || options.isDryRun) return result;
    try {
      for (const pair of pairs) {
        if (!pair.stored || pair.stored.isTrashed) continue;
        if (plans.has(pair)) {
          result.assets += await this.#download(pair);
          await writeFiles(this.root, await this.#planPull(pair));
        } else if (pair.lock?.remote === hashStored(pair.stored)) continue;
        const source = await readTemplate(this.root, pair.folder);
        this.#remember(pair.folder, pair.stored, source);
      }
      for (const { stored, file, item } of partials) {
        if (item.action === "write") {
          await mkdir(join(this.root, PARTIALS_FOLDER), { recursive: true });
          await writeFileWhole(this.root, file, toPartialFile(stored));
        }
        const remote = hashPartial(stored);
        this.lock.profile.partials[stored.name] = { remote };
      }
    } finally {
      await this.lock.write();
    }
    return result;
  }

  /** Decides what a pull does with one template. */
  async #planItem(pair: Pair, { isForced }: SyncOptions): Promise<SyncItem> {
    const { folder: name, lock, stored, source } = pair;
    if (!stored) return { name, action: "unchanged" };
    const { id } = stored;
    if (stored.isTrashed)
      return {
        name,
        action: "conflict",
        id,
        message: `It is in the trash of ${this.profile.url}. Restore it there, or delete the folder and its entry in the lock file.`,
      };
    if (source === null) return { name, action: "write", id };
    if (lock && lock.remote === hashStored(stored))
      return { name, action: "unchanged", id };
    if (await this.#isSame(pair)) return { name, action: "unchanged", id };
    const isEdited = lock?.local !== hashSource(source);
    if (!isEdited || isForced) return { name, action: "write", id };
    return {
      name,
      action: "conflict",
      id,
      message: lock
        ? "Its files and the template on the service were changed since the last push or pull. Commit the files and pull with --force, then merge, or push with --force."
        : "The folder and the service have a template of this name. Overwrite the files with --force, or push.",
    };
  }

  /** The changes of files that make them what the service has. */
  async #planPull({ folder, stored, local }: Pair): Promise<FileChanges> {
    if (!stored) return new Map();
    const paths = new Map(
      Object.entries(this.lock.profile.assets).map(([path, { id }]) => [
        id,
        path,
      ]),
    );
    const template = toPortable(toTemplate(stored), folder, paths, local);
    return planFiles(this.root, folder, template);
  }

  /** Saves the assets that the folder does not have yet. @returns their number */
  async #download({ folder, stored }: Pair): Promise<number> {
    const { assets } = this.lock.profile;
    let count = 0;
    for (const id of findAssetIds(stored?.definition)) {
      const entry = Object.entries(assets).find(
        ([, lockedAsset]) => lockedAsset.id === id,
      );
      if (entry) {
        const path = join(this.root, entry[0]);
        const bytes = await readFile(path).catch(() => null);
        if (bytes && checksumOf(bytes) === entry[1].checksum) continue;
      }
      const asset = await this.#client.assets
        .get(id)
        .catch((error: unknown) => {
          // A template may name an asset that was deleted.
          if (error instanceof PlatenApiError && error.status === 404)
            return null;
          throw error;
        });
      if (asset === null) continue;
      const bytes = await this.#downloadFile(asset.url);
      const path = entry?.[0] ?? (await this.#choosePath(folder, asset.name));
      await mkdir(dirname(join(this.root, path)), { recursive: true });
      await writeFileWhole(this.root, path, bytes);
      assets[path] = { id, checksum: checksumOf(bytes) };
      count += 1;
    }
    return count;
  }

  /** Files of assets are public. */
  async #downloadFile(url: string): Promise<Buffer> {
    const response = await fetch(url).catch((cause: unknown) => {
      throw new PlatenError("unavailable", `${url} cannot be reached.`, {
        cause,
      });
    });
    if (!response.ok)
      throw new PlatenError(
        "unavailable",
        `${url} answered ${response.status}: the file of an asset cannot be downloaded.`,
      );
    return Buffer.from(await response.arrayBuffer());
  }

  /** A path that no other file has. */
  async #choosePath(folder: string, name: string): Promise<string> {
    const plain = name.replaceAll(/[^\p{L}\p{N} ._-]/gu, "-");
    const safe = plain.replace(/^[. ]+/, "") || "file";
    const existing = await readdir(
      join(this.root, folder, ASSETS_FOLDER),
    ).catch((): string[] => []);
    const taken = new Set([
      ...existing.map((fileName) =>
        posix.join(folder, ASSETS_FOLDER, fileName),
      ),
      ...Object.keys(this.lock.profile.assets),
    ]);
    const extension = posix.extname(safe);
    const stem = safe.slice(0, safe.length - extension.length);
    for (let count = 1; ; count += 1) {
      const suffix = count === 1 ? "" : `-${count}`;
      const path = posix.join(
        folder,
        ASSETS_FOLDER,
        `${stem}${suffix}${extension}`,
      );
      if (!taken.has(path)) return path;
    }
  }

  /** Blocks that the service has and the files have not, or otherwise. */
  async #planPulledPartials({ isForced }: SyncOptions, isAll: boolean) {
    const { data } = await this.#client.partials.list();
    const plans: { stored: StoredPartial; file: string; item: SyncItem }[] = [];
    for (const stored of data) {
      // It becomes the name of a file.
      if (!PARTIAL_NAME.test(stored.name)) continue;
      const file = posix.join(PARTIALS_FOLDER, `${stored.name}.json`);
      const name = posix.join(PARTIALS_FOLDER, stored.name);
      const text = await readTextFile(this.root, file);
      const lockEntry = this.lock.profile.partials[stored.name];
      if (text === null && !lockEntry && !isAll) continue;
      const remote = hashPartial(stored);
      const local = text === null ? null : parsePartial(text);
      const hash = local && hashPartial({ ...stored, ...local });
      const isUnchanged = hash === remote || lockEntry?.remote === remote;
      const isEdited = text !== null && hash !== lockEntry?.remote;
      const action: SyncAction =
        isUnchanged && text !== null
          ? "unchanged"
          : isEdited && !isForced
            ? "conflict"
            : "write";
      const message =
        "The block was changed here and on the service. Pull with --force, or push with --force.";
      const item = {
        name,
        action,
        ...(action === "conflict" && { message }),
      };
      plans.push({ stored, file, item });
    }
    return plans;
  }

  async #diff(): Promise<string> {
    const folders = await listTemplateFolders(this.root);
    const pairs = await this.#readPairs(folders);
    await this.#linkAssets(pairs);
    const patches: string[] = [];
    for (const pair of pairs) {
      const { source, lock, stored } = pair;
      if (!source) continue;
      const isKnown = stored !== null && !stored.isTrashed;
      if (isKnown && lock?.remote === hashStored(stored))
        if (lock.local === hashSource(source)) continue;
      if (!isKnown) {
        patches.push(`Only in the folder: ${pair.folder}\n`);
        continue;
      }
      for (const [file, { before, after }] of await this.#planPull(pair))
        patches.push(
          createTwoFilesPatch(
            after === null ? "/dev/null" : `service/${file}`,
            before === null ? "/dev/null" : `folder/${file}`,
            after ?? "",
            before ?? "",
          ),
        );
      for (const { path, checksum } of listAssets(source))
        if (this.lock.profile.assets[path]?.checksum !== checksum)
          patches.push(`The file ${path} is not on the service.\n`);
    }
    return patches.join("");
  }

  /** Templates of folders, and what the service has of each. */
  async #readPairs(folders: readonly string[]): Promise<Pair[]> {
    const { templates } = this.lock.profile;
    const names = new Set([...folders, ...Object.keys(templates)]);
    const pairs: Pair[] = [];
    for (const folder of [...names].toSorted()) {
      const source = folders.includes(folder)
        ? await readTemplate(this.root, folder)
        : null;
      const lock = Object.hasOwn(templates, folder)
        ? templates[folder]
        : undefined;
      // A folder that was deleted stays deleted.
      if (source === null) continue;
      const stored = lock
        ? await this.#findById(lock.id)
        : await this.#findByName(source.name);
      const local = readPortable(source);
      pairs.push({ folder, source, local, lock, stored });
    }
    return pairs;
  }

  async #findById(id: string): Promise<StoredTemplate | null> {
    try {
      return await this.#client.templates.get(id);
    } catch (error) {
      if (error instanceof PlatenApiError && error.status === 404) return null;
      throw error;
    }
  }

  /** @throws PlatenError `conflict` when several have it */
  async #findByName(name: string): Promise<StoredTemplate | null> {
    const ids: string[] = [];
    for await (const template of this.#client.templates.all({ q: name }))
      if (template.name === name) ids.push(template.id);
    const [id, ...others] = ids;
    if (id === undefined) return null;
    if (others.length > 0)
      throw new PlatenError(
        "conflict",
        `${this.profile.url} has ${ids.length} templates named "${name}": ${ids.join(", ")}. Rename all but one.`,
      );
    return this.#findById(id);
  }

  /** Templates of the organization that the folder does not have. */
  async #findNew(pairs: readonly Pair[]): Promise<Pair[]> {
    const knownIds = new Set(pairs.flatMap(({ stored }) => stored?.id ?? []));
    const taken = new Set((await readdir(this.root)).map(toKey));
    const newPairs: Pair[] = [];
    for await (const { id, name } of this.#client.templates.all()) {
      if (knownIds.has(id)) continue;
      const folder = chooseFolder(name, taken);
      taken.add(toKey(folder));
      const stored = await this.#findById(id);
      const lock = undefined;
      newPairs.push({ folder, source: null, local: null, lock, stored });
    }
    return newPairs;
  }

  /** @throws PlatenError that says which service did not answer, or what it refused */
  async #call<T>(act: () => Promise<T>): Promise<T> {
    const { name, url, keyVariable } = this.profile;
    try {
      return await act();
    } catch (error) {
      if (error instanceof PlatenConnectionError)
        throw new PlatenError(
          "unavailable",
          `The service of the profile "${name}" does not answer. ${error.message}`,
          { cause: error },
        );
      if (!(error instanceof PlatenApiError)) throw error;
      const isKey = error.status === 401 || error.status === 403;
      throw new PlatenError(
        isKey
          ? "unauthorized"
          : error.status === 409
            ? "conflict"
            : "unavailable",
        `${url}: ${error.message}${isKey ? ` The profile "${name}" reads the key from ${keyVariable}.` : ""}`,
        { cause: error },
      );
    }
  }
}

function isRefusal(action: SyncAction): boolean {
  return action === "conflict" || action === "invalid";
}

function isWrite(action: SyncAction): boolean {
  return action === "create" || action === "update";
}

function listAssets(source: TemplateSource | null): AssetFile[] {
  return source ? [...source.assets.values(), ...source.fonts] : [];
}

function keyOf({ checksum, name }: AssetFile): string {
  return `${checksum} ${name}`;
}

function toTemplate(stored: StoredTemplate): PortableTemplate {
  const { name, templateType, description, definition } = stored;
  return { name, templateType, description, definition };
}

function hashStored(stored: StoredTemplate): string {
  return hashJson(toTemplate(stored));
}

/** Of the template and of the files that it uses. */
function hashSource(source: TemplateSource): string {
  const files = listAssets(source).map(({ path, checksum }) => [
    path,
    checksum,
  ]);
  return hashJson([readPortable(source), files]);
}

function hashPartial({
  title,
  templateType,
  components,
}: Omit<PartialSource, "name">): string {
  const plain: unknown = JSON.parse(
    JSON.stringify(components, (key, value: unknown) =>
      key === "id" && typeof value === "string" && ID.test(value)
        ? undefined
        : value,
    ),
  );
  return hashJson([title, templateType, plain]);
}

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function parsePartial(text: string): Partial<PartialSource> | null {
  try {
    const { $schema: _schema, ...partial }: { $schema?: unknown } =
      JSON.parse(text);
    return partial;
  } catch {
    return null;
  }
}

function toPartialFile({ title, templateType, components }: StoredPartial) {
  return toJsonText({ title, templateType, components });
}

function hashJson(value: unknown): string {
  return checksumOf(JSON.stringify(sortKeys(value)));
}

function checksumOf(content: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

/** A UUID for a file that is not uploaded yet. */
function toUuid(checksum: string): string {
  const hex = checksum.slice("sha256:".length);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `7${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

function formatTime(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}

function toKey(name: string): string {
  return name.toLowerCase();
}

/** A folder for a template of this name. */
function chooseFolder(name: string, taken: ReadonlySet<string>): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 60);
  const base = words || "template";
  for (let count = 1; ; count += 1) {
    const folder = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(toKey(folder))) return folder;
  }
}
