import type { Compute } from "../compute/index.js";
import {
  type PartialLibrary,
  pathKeys,
  type ProjectData,
} from "../definition/index.js";
import { isPlainObject } from "../lib/json.js";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import { replaceAssetPaths } from "./asset-paths.js";
import { createFileProblem, type FileProblem } from "./source-text.js";
import {
  type AssetFile,
  type JsonObject,
  type PartialSource,
  type TemplateSource,
} from "./template-folder.js";

/** A template of files that was checked as a service checks it. */
export interface CheckedSource {
  /** With ids of assets in place of paths; null when there are errors. */
  definition: ProjectData | null;
  problems: readonly FileProblem[];
}

/** @param assetIds the id under which each asset is stored */
export async function checkSource(
  compute: Compute,
  source: TemplateSource,
  partials: readonly PartialSource[],
  assetIds: (asset: AssetFile) => string,
): Promise<CheckedSource> {
  const { templateType } = source;
  const written = useAssetIds(source, assetIds);
  if (written === null || hasErrors(source.problems))
    return { definition: null, problems: source.problems };
  const caller = {
    organizationId: "",
    subject: `The template ${JSON.stringify(source.name)}`,
  };
  const input = {
    written,
    templateType,
    partials: createLibrary(partials, templateType),
  };
  try {
    const checked = await compute.check(input, caller);
    const problems = [
      ...source.problems,
      ...placeProblems(source, checked.problems, "error"),
      ...placeProblems(source, checked.warnings, "warning"),
    ];
    return { definition: checked.definition, problems };
  } catch (error) {
    return { definition: null, problems: toFileProblems(source, error) };
  }
}

/** The definition with `asset:<id>` in place of paths; null when its files cannot be read. */
export function useAssetIds(
  { definition, assets }: Pick<TemplateSource, "definition" | "assets">,
  assetIds: (asset: AssetFile) => string,
): JsonObject | null {
  if (definition === null) return null;
  const { $schema: _schema, ...written } = definition;
  return replaceAssetPaths(written, (path) => {
    const asset = assets.get(path);
    return asset ? `asset:${assetIds(asset)}` : null;
  });
}

/** Blocks of the folder as the checker takes them. */
export function createLibrary(
  partials: readonly PartialSource[],
  templateType: PartialSource["templateType"],
): PartialLibrary {
  const ownPartials = partials.filter(
    (partial) => partial.templateType === templateType,
  );
  const components = ownPartials.map(({ name, components: list }) => [
    name,
    list,
  ]);
  return {
    names: ownPartials.map(({ name }) => name),
    // The checker reports what is wrong with them in each place that uses them.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    components: Object.fromEntries(components) as PartialLibrary["components"],
  };
}

/** Problems of a definition at the places in the files that they are about. */
export function placeProblems(
  source: TemplateSource,
  problems: readonly Problem[],
  severity: FileProblem["severity"],
): FileProblem[] {
  return problems.map((problem) => {
    const keys = problem.path.startsWith("$") ? pathKeys(problem.path) : [];
    const { line, column } = problem;
    const text = keys.reduce<unknown>(
      (value, key) =>
        isPlainObject(value) || Array.isArray(value)
          ? Reflect.get(value, key)
          : undefined,
      source.definition,
    );
    const isText = typeof text === "string";
    const location = source.locate(keys, isText ? line : undefined, column);
    const isJson = location.source.file.endsWith(".json");
    const { path, ...rest } = problem;
    return createFileProblem(
      location.source,
      // In HTML, line and column say where it is.
      isJson || location.position === null ? { path, ...rest } : rest,
      location.position,
      severity,
    );
  });
}

/** An error of a step, as problems of the template's files. */
export function toFileProblems(
  source: TemplateSource,
  error: unknown,
): FileProblem[] {
  if (!(error instanceof PlatenError)) throw error;
  if (error.problems.length > 0)
    return placeProblems(source, error.problems, "error");
  const { source: file } = source.locate([]);
  return [createFileProblem(file, { message: error.message })];
}

export function hasErrors(problems: readonly FileProblem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}
