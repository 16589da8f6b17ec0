import type { SampleProblem } from "../../../../core/definition/views.js";
import type {
  DraftAnalysis,
  SampleRow,
} from "../../../../core/compiler/views.js";
import type { DataCollection } from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { asWords } from "../scope/path-text.js";
import type { UnknownField } from "./unknown-fields.js";

/** Where the page prints values of the sample that do not fit the schema or unknown fields, with the messages about them. */
export interface SampleMarks {
  /** By `getChipKey`. */
  chips: ReadonlyMap<string, string>;
  /** By the id of the component: those that print such a value outside of a Template, such as a chart. */
  components: ReadonlyMap<string, string>;
  /** The problems of each chip, by `getChipKey`. */
  problems: ReadonlyMap<string, readonly SampleProblem[]>;
}

/** What is wrong with a value that a further row prints. */
export function findRowProblem(
  { problems }: SampleMarks,
  chip: string,
  { place }: SampleRow,
): string | undefined {
  if (place === null) return undefined;
  const rowProblems = problems
    .get(chip)
    ?.filter(({ keys }) => place.every((key, index) => key === keys[index]));
  return rowProblems?.map(({ message }) => message).join("\n") || undefined;
}

export function getChipKey(owner: string | null, expression: string): string {
  return `${owner ?? ""} ${expression}`;
}

export function getSampleMarks(
  facts: DraftAnalysis | null,
  unknown: readonly UnknownField[],
): SampleMarks {
  const chips = new Map<string, string>();
  const components = new Map<string, string>();
  const { problems } = splitSampleProblems(facts);
  const byChip = new Map<string, SampleProblem[]>();
  for (const problem of problems) {
    const { message, places } = problem;
    for (const { component, expression } of places) {
      if (expression === null) {
        addLine(components, component, message);
        continue;
      }
      const chip = getChipKey(component, expression);
      addLine(chips, chip, message);
      byChip.set(chip, [...(byChip.get(chip) ?? []), problem]);
    }
  }
  for (const { component, expression, message } of unknown) {
    if (expression === null) addLine(components, component, message);
    else addLine(chips, getChipKey(component, expression), message);
  }
  return { chips, components, problems: byChip };
}

function addLine(lines: Map<string, string>, key: string, line: string): void {
  const before = lines.get(key);
  if (before === undefined) lines.set(key, line);
  else if (!before.includes(line)) lines.set(key, `${before}\n${line}`);
}

/** A value's place in the sample as people know it: "Lines 2 › Price". */
export function describePlace(
  schema: readonly DataCollection[],
  { keys }: Pick<SampleProblem, "keys">,
): string {
  let collection = schema[0];
  const words: string[] = [];
  for (const key of keys) {
    if (typeof key === "number") {
      words.push(`${words.pop() ?? ""} ${key + 1}`.trim());
      continue;
    }
    const field = collection?.fields.find(({ name }) => name === key);
    words.push(field?.label ?? asWords(key));
    const target = field && "target" in field ? field.target : null;
    collection = schema.find(({ id }) => id === target);
  }
  return words.join(" › ");
}

/** Values that are missing or wrong, and fields that are empty without being required. */
export function splitSampleProblems(facts: DraftAnalysis | null): {
  problems: SampleProblem[];
  empty: SampleProblem[];
} {
  const all = facts?.sampleProblems ?? [];
  return {
    problems: all.filter(({ code }) => code !== "empty_value"),
    empty: all.filter(({ code }) => code === "empty_value"),
  };
}

export function summarizeProblems(problems: readonly SampleProblem[]): string {
  const count = problems.length;
  const missing = problems.filter(({ code }) => code === "missing_value");
  if (missing.length === count) return t("canvas.missingInSample", { count });
  if (missing.length === 0) return t("canvas.wrongInSample", { count });
  return t("canvas.missingOrWrongInSample", { count });
}
