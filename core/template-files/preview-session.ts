import { once } from "node:events";
import { basename, relative, sep } from "node:path";
import { watch } from "chokidar";
import { z } from "zod";
import type { DraftProof } from "../documents/index.js";
import { clock, type Timer } from "../lib/clock.js";
import { PlatenError } from "../plugin-api/index.js";
import { hasErrors, toFileProblems } from "./check-template.js";
import type { LocalPrinter } from "./local-printer.js";
import { createFileProblem, type FileProblem } from "./source-text.js";
import {
  ASSETS_FOLDER,
  PARTIALS_FOLDER,
  PICTURES_FOLDER,
  readTemplate,
  readTemplatesFolder,
  type Sample,
  type TemplatesFolder,
  type TemplateSource,
} from "./template-folder.js";

/** Editors write a file in several steps; the events of one save arrive within this time. */
const DEBOUNCE_MS = 15;
/** A file that cannot be read may be half written: it is read again after this time. */
const HALF_WRITTEN_MS = 120;
/** Page images that are kept of one proof. */
const MAX_IMAGES = 200;

export interface TemplateStatus {
  folder: string;
  name: string;
  templateType: TemplateSource["templateType"];
  samples: string[];
  errors: number;
  warnings: number;
}

export interface FolderStatus {
  root: string;
  templates: TemplateStatus[];
  /** Of the folder and its blocks. */
  problems: readonly FileProblem[];
}

/** A template with one of its samples, as a page shows it. */
export interface PreviewView {
  folder: string;
  sample: string;
  /** Of the last proof that could be made; 0: none yet. */
  revision: number;
  /** Whether that proof is of the files as they are. */
  isCurrent: boolean;
  title: string;
  pages: number;
  widthPx: number;
  heightPx: number;
  problems: readonly FileProblem[];
  /** How long it took to make the proof. */
  tookMs: number;
}

/** What was found out about a template after a change. */
export interface PreviewResult {
  folder: string;
  problems: readonly FileProblem[];
  tookMs: number;
}

export interface PreviewEvents {
  /** The list of templates may have changed. */
  onStatus: (status: FolderStatus) => void;
  /** A preview that is shown was made again. */
  onPreview: (view: PreviewView) => void;
  onResult: (result: PreviewResult) => void;
}

interface Preview {
  view: PreviewView;
  proof: DraftProof | null;
  images: Map<string, Promise<Buffer>>;
}

/** The templates of a folder while they are edited: each change makes the previews again that are shown. */
export class PreviewSession {
  readonly #sources = new Map<string, TemplateSource>();
  /** By the template's folder: of its check and its first sample. */
  readonly #problems = new Map<string, readonly FileProblem[]>();
  readonly #previews = new Map<string, Preview>();
  /** How many pages show each preview. */
  readonly #shownPages = new Map<string, number>();
  readonly #changed = new Set<string>();
  #folder: TemplatesFolder;
  #revision = 0;
  #timer: Timer | null = null;
  #work: Promise<void> = Promise.resolve();
  #close: () => Promise<void> = async () => undefined;

  private constructor(
    private readonly printer: LocalPrinter,
    folder: TemplatesFolder,
    private readonly events: PreviewEvents,
    private readonly now: Date | null,
  ) {
    this.#folder = folder;
  }

  /** @throws PlatenError `invalid_request` as `readTemplatesFolder` */
  static async open(
    printer: LocalPrinter,
    path: string,
    events: PreviewEvents,
    now: Date | null,
  ): Promise<PreviewSession> {
    const folder = await readTemplatesFolder(path);
    const session = new PreviewSession(printer, folder, events, now);
    await session.#watch();
    for (const name of folder.folders)
      session.#sources.set(name, await readTemplate(folder.root, name));
    // Pages need not wait until all templates are checked.
    session.#enqueue(() => session.#update(folder.folders));
    return session;
  }

  status(): FolderStatus {
    const { root, folders, problems } = this.#folder;
    const templates = folders.flatMap((folder): TemplateStatus[] => {
      const source = this.#sources.get(folder);
      if (!source) return [];
      const { name, templateType, samples } = source;
      const fileProblems = this.#problems.get(folder) ?? [];
      const errors = fileProblems.filter(
        (problem) => problem.severity === "error",
      ).length;
      return [
        {
          folder,
          name,
          templateType,
          samples: samples.map((sample) => sample.name),
          errors,
          warnings: fileProblems.length - errors,
        },
      ];
    });
    return { root, templates, problems };
  }

  /** The preview is made again with each change, until `hide` is called as often. @throws PlatenError `not_found` */
  async show(folder: string, sample: string): Promise<PreviewView> {
    await this.#find(folder, sample);
    const key = keyOf(folder, sample);
    this.#shownPages.set(key, (this.#shownPages.get(key) ?? 0) + 1);
    // It may have been made again meanwhile.
    return (await this.#find(folder, sample)).view;
  }

  hide(folder: string, sample: string): void {
    const key = keyOf(folder, sample);
    const count = (this.#shownPages.get(key) ?? 0) - 1;
    if (count > 0) this.#shownPages.set(key, count);
    else this.#shownPages.delete(key);
  }

  /** The last proof that could be made. @throws PlatenError `not_found` */
  async proof(folder: string, sample: string): Promise<DraftProof> {
    const { proof } = await this.#find(folder, sample);
    if (proof) return proof;
    throw new PlatenError(
      "not_found",
      "The template has errors, and no earlier preview.",
    );
  }

  /** The document as html, in its own fonts. @throws PlatenError as `proof` */
  async html(folder: string, sample: string): Promise<string> {
    const proof = await this.proof(folder, sample);
    const isEmail = this.#sources.get(folder)?.templateType === "email";
    return isEmail ? proof.html : proof.htmlWithFonts();
  }

  /** A page of the last proof, as png. @throws PlatenError `not_found` */
  async image(
    folder: string,
    sample: string,
    page: number,
    scale: number,
  ): Promise<Buffer> {
    const { images, proof } = await this.#find(folder, sample);
    if (!proof || page > (await proof.countPages()))
      throw new PlatenError("not_found", `There is no page ${page}.`);
    const key = `${page} ${scale}`;
    const cached = images.get(key);
    if (cached) return cached;
    if (images.size >= MAX_IMAGES) images.clear();
    const drawing = proof.images(String(page), scale).then(([image]) => {
      if (image) return image.bytes;
      throw new PlatenError("not_found", `There is no page ${page}.`);
    });
    images.set(key, drawing);
    drawing.catch(() => images.delete(key));
    return drawing;
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.#close();
    await this.#work;
  }

  async #watch(): Promise<void> {
    const { root } = this.#folder;
    const watcher = watch(root, {
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (path) => isIgnored(relative(root, path)),
    });
    const ready = once(watcher, "ready");
    // Its other events leave out changes within 50 ms of the last one.
    watcher.on("raw", (_event, name, details: unknown) => {
      const { watchedPath } = rawDetailsSchema.parse(details);
      if (typeof name === "string" && isHidden(basename(name))) return;
      this.#schedule(relative(root, watchedPath));
    });
    this.#close = () => watcher.close();
    await ready;
    watcher.on("error", (error) => this.#reportFailure(error));
  }

  #schedule(path: string): void {
    this.#changed.add(path);
    this.#timer?.cancel();
    this.#timer = clock.after(DEBOUNCE_MS, () => {
      const changed = [...this.#changed];
      this.#changed.clear();
      this.#enqueue(() => this.#handle(changed));
    });
  }

  /** Changes are handled one after the other. */
  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work
      .then(work)
      .catch((error: unknown) => this.#reportFailure(error));
  }

  async #handle(changed: readonly string[]): Promise<void> {
    const tops = new Set(changed.map((path) => path.split(sep)[0] ?? ""));
    const { root, folders } = this.#folder;
    const templatesFolder = await readTemplatesFolder(root).catch(
      (error: unknown): TemplatesFolder => {
        if (!(error instanceof PlatenError)) throw error;
        const { message } = error;
        const problem = createFileProblem({ file: "", text: "" }, { message });
        return { root, folders: [], partials: [], problems: [problem] };
      },
    );
    this.#folder = templatesFolder;
    for (const folder of folders)
      if (!templatesFolder.folders.includes(folder)) {
        this.#sources.delete(folder);
        this.#problems.delete(folder);
      }
    const isShared = tops.has(PARTIALS_FOLDER) || tops.has(ASSETS_FOLDER);
    await this.#update(
      templatesFolder.folders.filter(
        (folder) => isShared || tops.has(folder) || !this.#sources.has(folder),
      ),
    );
  }

  /** Those that are shown come first. */
  async #update(folders: readonly string[]): Promise<void> {
    const isShown = (folder: string) =>
      [...this.#shownPages.keys()].some((key) => key.startsWith(`${folder}\n`));
    const sorted = folders.toSorted(
      (folder, other) => Number(isShown(other)) - Number(isShown(folder)),
    );
    for (const folder of sorted) await this.#updateTemplate(folder);
    this.events.onStatus(this.status());
  }

  async #updateTemplate(folder: string): Promise<void> {
    const { root } = this.#folder;
    const startedAt = performance.now();
    let source = await readTemplate(root, folder);
    if (hasErrors(source.problems) && this.#sources.has(folder)) {
      await clock.sleep(HALF_WRITTEN_MS);
      source = await readTemplate(root, folder);
    }
    this.#sources.set(folder, source);
    const shownSamples = [...this.#shownPages.keys()]
      .map((key) => key.split("\n"))
      .filter(([of]) => of === folder)
      .map(([, sample]) => sample ?? "");
    for (const sample of shownSamples) {
      const { view } = await this.#make(source, sample, startedAt);
      this.events.onPreview(view);
    }
    for (const key of this.#previews.keys())
      if (key.startsWith(`${folder}\n`) && !this.#shownPages.has(key))
        this.#previews.delete(key);
    const [first] = source.samples;
    const cached = first && this.#previews.get(keyOf(folder, first.name));
    const problems = cached
      ? cached.view.problems
      : (await this.#merge(source, first)).problems;
    this.#problems.set(folder, problems);
    const tookMs = performance.now() - startedAt;
    this.events.onResult({ folder, problems, tookMs });
  }

  async #find(folder: string, sample: string): Promise<Preview> {
    const cached = this.#previews.get(keyOf(folder, sample));
    if (cached) return cached;
    const source = this.#sources.get(folder);
    if (!source)
      throw new PlatenError("not_found", `There is no template ${folder}.`);
    return this.#make(source, sample, performance.now());
  }

  /** A preview that cannot be made again keeps its last proof. */
  async #make(
    source: TemplateSource,
    name: string,
    startedAt: number,
  ): Promise<Preview> {
    const { folder, samples } = source;
    const key = keyOf(folder, name);
    const sample =
      samples.find((candidate) => candidate.name === name) ?? samples[0];
    const { proof, problems } = await this.#merge(source, sample);
    const before = this.#previews.get(key);
    const printed = proof && (await this.#print(source, proof));
    const allProblems = [...problems, ...(printed?.problems ?? [])];
    const isCurrent = proof !== null && printed?.pages !== null;
    const tookMs = performance.now() - startedAt;
    const state = {
      folder,
      sample: name,
      isCurrent,
      problems: allProblems,
      tookMs,
    };
    const preview: Preview = isCurrent
      ? {
          proof,
          images: new Map(),
          view: {
            ...state,
            revision: (this.#revision += 1),
            title: proof.title,
            pages: printed?.pages ?? 0,
            widthPx: proof.page.widthPx,
            heightPx: proof.page.heightPx,
          },
        }
      : {
          proof: before?.proof ?? null,
          images: before?.images ?? new Map(),
          view: { ...emptyView, ...before?.view, ...state },
        };
    this.#previews.set(key, preview);
    return preview;
  }

  #merge(source: TemplateSource, sample: Sample | undefined) {
    const chosen = sample ?? { name: "sample", data: {}, now: null };
    const now = chosen.now ?? this.now ?? clock.date();
    return this.printer.proof(source, this.#folder.partials, chosen, now);
  }

  /** @returns null for the number of pages if it cannot be printed */
  async #print(
    source: TemplateSource,
    proof: DraftProof,
  ): Promise<{ pages: number | null; problems: readonly FileProblem[] }> {
    try {
      // An email has no pages.
      const isEmail = source.templateType === "email";
      const pages = isEmail ? 0 : await proof.countPages();
      return { pages, problems: await this.printer.findFlaws(source, proof) };
    } catch (error) {
      return { pages: null, problems: toFileProblems(source, error) };
    }
  }

  #reportFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const problem = createFileProblem({ file: "", text: "" }, { message });
    this.events.onResult({ folder: "", problems: [problem], tookMs: 0 });
  }
}

/** Of a watcher's raw event: the file or the folder whose watch it is. */
const rawDetailsSchema = z.looseObject({ watchedPath: z.string() });

const emptyView = {
  revision: 0,
  title: "",
  pages: 0,
  widthPx: 794,
  heightPx: 1123,
};

function keyOf(folder: string, sample: string): string {
  return `${folder}\n${sample}`;
}

/** Stored pictures and hidden files are no part of a template. */
function isIgnored(path: string): boolean {
  const names = path.split(sep);
  return (
    names[1] === PICTURES_FOLDER ||
    names.some((name) => isHidden(name) || name === "node_modules")
  );
}

function isHidden(name: string): boolean {
  return name.startsWith(".") || name.endsWith("~");
}
