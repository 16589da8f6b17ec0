import { mkdir, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SharpConstructor } from "sharp";
import type { DraftProof } from "../documents/index.js";
import { PlatenError } from "../plugin-api/index.js";
import { hasErrors, toFileProblems } from "./check-template.js";
import type { LocalPrinter } from "./local-printer.js";
import type { FileProblem } from "./source-text.js";
import {
  type PartialSource,
  PICTURES_FOLDER,
  readTemplate,
  readTemplatesFolder,
  type Sample,
  type TemplateSource,
} from "./template-folder.js";

/** The present time of tests that do not say which: documents must not differ from day to day. */
const DEFAULT_NOW = new Date("2026-01-01T12:00:00Z");
/** The largest difference of two colors that count as equal, from 0 to 1; smoothed edges are left out. */
const COLOR_THRESHOLD = 0.1;
/** Image pixels for each CSS px. */
const SCALE = 1;

export interface VisualTestSettings {
  /** The templates folder. */
  folder: string;
  /** Stores the pictures instead of comparing them. */
  isUpdate: boolean;
  /** How many percent of a page's pixels may differ. */
  tolerance: number;
  now: Date | null;
  onResult: (result: VisualResult) => void;
}

/** One page, compared with its stored picture. */
export interface PageComparison {
  page: number;
  state: "same" | "different" | "new" | "gone";
  /** Percent of its pixels. */
  difference: number;
  /** The stored picture, the page as it is, and where they differ; as png. */
  expected: Buffer | null;
  actual: Buffer | null;
  overlay: Buffer | null;
}

/** A template with one of its samples. */
export interface VisualResult {
  folder: string;
  sample: string;
  /** Of pictures that were stored, `updated`. */
  state: "passed" | "failed" | "updated";
  pages: readonly PageComparison[];
  problems: readonly FileProblem[];
}

/**
 * Makes a document of each sample of each template and compares its pages with the stored pictures.
 * @throws PlatenError `invalid_request` as `readTemplatesFolder`
 */
export async function runVisualTests(
  printer: LocalPrinter,
  settings: VisualTestSettings,
): Promise<VisualResult[]> {
  const { root, folders, partials, problems } = await readTemplatesFolder(
    settings.folder,
  );
  const results: VisualResult[] = [];
  const add = (result: VisualResult) => {
    results.push(result);
    settings.onResult(result);
  };
  if (hasErrors(problems))
    add({ folder: "", sample: "", state: "failed", pages: [], problems });
  for (const folder of folders) {
    const source = await readTemplate(root, folder);
    const pictures = join(root, folder, PICTURES_FOLDER);
    const keptNames = new Set<string>();
    for (const sample of source.samples) {
      const test = { printer, source, partials, sample, pictures };
      const result = await runTest(test, settings);
      for (const { page, state } of result.pages)
        if (state !== "gone") keptNames.add(pictureName(sample.name, page));
      add(result);
    }
    const isComplete = results.every((result) => result.state === "updated");
    if (settings.isUpdate && isComplete)
      await deleteOthers(pictures, keptNames);
  }
  return results;
}

interface VisualTest {
  printer: LocalPrinter;
  source: TemplateSource;
  partials: readonly PartialSource[];
  sample: Sample;
  /** The folder of the stored pictures. */
  pictures: string;
}

async function runTest(
  { printer, source, partials, sample, pictures }: VisualTest,
  { isUpdate, tolerance, now }: VisualTestSettings,
): Promise<VisualResult> {
  const { folder } = source;
  const result = { folder, sample: sample.name };
  const time = now ?? sample.now ?? DEFAULT_NOW;
  const made = await printer.proof(source, partials, sample, time);
  if (made.proof === null)
    return { ...result, state: "failed", pages: [], problems: made.problems };
  try {
    const images = await drawPages(source, made.proof);
    const flaws = await printer.findFlaws(source, made.proof);
    const problems = [...made.problems, ...flaws];
    const pages = await comparePages(pictures, sample.name, images, tolerance);
    if (isUpdate) {
      await storePictures(pictures, sample.name, pages);
      return { ...result, state: "updated", pages, problems };
    }
    const isSame = pages.every(({ state }) => state === "same");
    return { ...result, state: isSame ? "passed" : "failed", pages, problems };
  } catch (error) {
    const problems = toFileProblems(source, error);
    return { ...result, state: "failed", pages: [], problems };
  }
}

async function drawPages(
  { templateType }: TemplateSource,
  proof: DraftProof,
): Promise<Buffer[]> {
  if (templateType === "email") return [(await proof.screenshot(SCALE)).bytes];
  const images = await proof.images("all", SCALE);
  return images.map(({ bytes }) => bytes);
}

async function comparePages(
  folder: string,
  sample: string,
  images: readonly Buffer[],
  tolerance: number,
): Promise<PageComparison[]> {
  const stored = await findStored(folder, sample);
  const count = Math.max(images.length, ...stored.keys());
  const pages: PageComparison[] = [];
  for (let page = 1; page <= count; page += 1) {
    const file = stored.get(page);
    const expected = file === undefined ? null : await readFile(file);
    const actual = images[page - 1] ?? null;
    if (expected && actual)
      pages.push({
        page,
        ...(await comparePictures(expected, actual, tolerance)),
        expected,
        actual,
      });
    else if (expected || actual)
      pages.push({
        page,
        state: expected ? "gone" : "new",
        difference: 100,
        expected,
        actual,
        overlay: null,
      });
  }
  return pages;
}

/** The stored pictures of a sample, by page. */
async function findStored(
  folder: string,
  sample: string,
): Promise<Map<number, string>> {
  const names = await readdir(folder).catch((): string[] => []);
  const paths = new Map<number, string>();
  for (const name of names) {
    const page = Number(/-(\d+)\.png$/.exec(name)?.[1]);
    if (name === pictureName(sample, page)) paths.set(page, join(folder, name));
  }
  return paths;
}

function pictureName(sample: string, page: number): string {
  return `${sample}-${page}.png`;
}

async function comparePictures(
  expected: Buffer,
  actual: Buffer,
  tolerance: number,
): Promise<Pick<PageComparison, "state" | "difference" | "overlay">> {
  if (expected.equals(actual))
    return { state: "same", difference: 0, overlay: null };
  const [{ default: sharp }, { default: pixelmatch }] = await Promise.all([
    import("sharp"),
    import("pixelmatch"),
  ]);
  const sizes = await Promise.all(
    [expected, actual].map((bytes) => readSize(sharp, bytes)),
  );
  const width = Math.max(...sizes.map((size) => size.width));
  const height = Math.max(...sizes.map((size) => size.height));
  const read = (bytes: Buffer, size: { width: number; height: number }) =>
    sharp(bytes)
      .ensureAlpha()
      .extend({
        right: width - size.width,
        bottom: height - size.height,
        background: { r: 255, g: 0, b: 255, alpha: 1 },
      })
      .raw()
      .toBuffer();
  const [expectedPixels, other] = await Promise.all([
    read(expected, sizes[0] ?? { width, height }),
    read(actual, sizes[1] ?? { width, height }),
  ]);
  const overlay = Buffer.alloc(width * height * 4);
  const count = pixelmatch(expectedPixels, other, overlay, width, height, {
    threshold: COLOR_THRESHOLD,
    alpha: 0.2,
    diffColor: [209, 36, 47],
  });
  const difference = (count / (width * height)) * 100;
  const isSameSize = sizes.every(
    (size) => size.width === width && size.height === height,
  );
  return {
    state: isSameSize && difference <= tolerance ? "same" : "different",
    difference,
    overlay: await sharp(overlay, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer(),
  };
}

async function readSize(sharp: SharpConstructor, bytes: Buffer) {
  try {
    const { width, height } = await sharp(bytes).metadata();
    return { width, height };
  } catch (cause) {
    throw new PlatenError(
      "invalid_request",
      "The stored picture is not a png file. Delete it, and store the pictures again with --update.",
      { cause },
    );
  }
}

/** Pictures that do not differ stay as they are, so that git shows those that do. */
async function storePictures(
  folder: string,
  sample: string,
  pages: readonly PageComparison[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { page, state, actual } of pages) {
    const file = join(folder, pictureName(sample, page));
    if (actual === null) await unlink(file);
    else if (state !== "same") await writeFile(file, actual);
  }
}

/** Pictures of samples that are no longer there. */
async function deleteOthers(
  folder: string,
  keptNames: ReadonlySet<string>,
): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names)
    if (/-\d+\.png$/.test(name) && !keptNames.has(name))
      await unlink(join(folder, name));
}

/** What became of one sample, in a line. */
export function describeVisualResult(result: VisualResult): string {
  const { folder, sample, state, pages, problems } = result;
  if (folder === "") return "failed   the folder";
  const count = pages.length === 1 ? "1 page" : `${pages.length} pages`;
  const different = pages.filter((page) => page.state !== "same");
  const details =
    state === "failed"
      ? different.map(describePage).join(", ") ||
        createCount(
          problems.filter((problem) => problem.severity === "error").length,
        )
      : count;
  return `${state.padEnd(7)}  ${folder}/${sample}: ${details}`;
}

function createCount(errors: number): string {
  return errors === 1 ? "1 error" : `${errors} errors`;
}

/** What is wrong with one page. */
export function describePage({
  page,
  state,
  difference,
}: PageComparison): string {
  if (state === "new") return `page ${page} has no stored picture`;
  if (state === "gone") return `page ${page} is missing`;
  return `page ${page} differs in ${difference < 0.01 ? "less than 0.01" : difference.toFixed(2)} % of its pixels`;
}
