import type { Problem } from "../../plugin-api/index.js";
import { rootTypes } from "../expressions/index.js";
import type { ProjectData, TemplateType } from "../schema/definition-schema.js";
import { migrateDefinition } from "../migrate-definition.js";
import {
  checkAddresses,
  checkCodes,
  checkEmail,
  checkIds,
  checkPlacement,
  checkSignFields,
} from "./check-components.js";
import { checkBindings, checkDocument } from "./check-bindings.js";
import { checkCaps } from "./check-caps.js";
import { checkDataModel, checkPage } from "./check-data-model.js";
import { checkShape, type ShapeProblem } from "./check-shape.js";
import { checkStyles } from "./check-styles.js";
import type { Findings } from "./problems.js";
import { getValidParts, buildTree } from "./component-tree.js";

export interface CheckedDefinition {
  /** Null when there are problems; otherwise the value that was passed in, unchanged. */
  definition: ProjectData | null;
  problems: Problem[];
  warnings: Problem[];
}

/**
 * Checks a whole definition and lists every problem once, with its JSON path.
 * @param written any JSON value; an older version is migrated first.
 */
export function checkDefinition(
  written: unknown,
  templateType: TemplateType,
): CheckedDefinition {
  const caps = checkCaps(written);
  if (caps.length > 0) return refused(caps);
  const input = migrateDefinition(written);
  const shape = checkShape(input);
  const meaning = checkMeaning(input, shape, templateType);
  const problems = [...shape.map(withoutKeys), ...meaning.problems];
  return isDefinition(input, problems)
    ? { definition: input, problems, warnings: meaning.warnings }
    : refused(problems, meaning.warnings);
}

function isDefinition(
  _input: unknown,
  problems: readonly Problem[],
): _input is ProjectData {
  return problems.length === 0;
}

function refused(problems: Problem[], warnings: Problem[] = []) {
  return { definition: null, problems, warnings };
}

function withoutKeys({ keys: _keys, ...problem }: ShapeProblem): Problem {
  return problem;
}

/** Checks the well-formed parts of the input and skips malformed top-level parts. */
function checkMeaning(
  input: unknown,
  shape: readonly ShapeProblem[],
  templateType: TemplateType,
): Findings {
  const definition = getValidParts(input, shape);
  const tree = buildTree(input, shape);
  const types = rootTypes(definition.schema);
  const findings: Findings = {
    problems: [
      ...checkDataModel(definition.schema),
      ...checkPage(definition.page),
      ...checkPlacement(tree, templateType),
      ...checkIds(tree),
      ...checkCodes(tree),
      ...checkSignFields(tree),
      ...checkStyles(tree, definition.styles),
    ],
    warnings: [...checkEmail(tree, templateType), ...checkAddresses(tree)],
  };
  checkDocument(definition, types, findings);
  checkBindings(tree, types, findings);
  return findings;
}
