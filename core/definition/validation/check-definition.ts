import { limitSuggestions, type Problem } from "../../plugin-api/index.js";
import { rootTypes } from "../expressions/index.js";
import { getSharedLanguage } from "../locale.js";
import { migrateDefinition } from "../migrate-definition.js";
import {
  expandPartials,
  NO_PARTIALS,
  type PartialLibrary,
  placePartialProblems,
} from "../partials.js";
import { checkMarkupPlaces } from "../markup/check-markup.js";
import {
  type MarkupComponent,
  mergePageRules,
} from "../markup/markup-parts.js";
import { listConformance } from "../schema/conformance.js";
import type { ProjectData, TemplateType } from "../schema/definition-schema.js";
import { EINVOICE_PROFILES } from "../schema/einvoice-terms.js";
import { checkBindings, checkDocument } from "./check-bindings.js";
import { checkCaps } from "./check-caps.js";
import {
  checkAddresses,
  checkCodes,
  checkEmail,
  checkIds,
  checkPlacement,
  checkSharedFields,
  checkSignFields,
  checkStyles,
} from "./check-components.js";
import { checkComputedFields } from "./check-computed.js";
import { checkDataModel, checkPage } from "./check-data-model.js";
import { checkTranslations } from "./check-translations.js";
import { checkShape, type ShapeProblem } from "./check-shape.js";
import { getValidParts, buildTree, type Tree } from "./component-tree.js";
import { type Findings, limitProblems, untilTooMany } from "./problems.js";

export interface CheckedDefinition {
  /** Null when there are problems; otherwise the value that was passed in, unchanged. */
  definition: ProjectData | null;
  /** At most 1000, and as many warnings; the last says how many more there are. */
  problems: Problem[];
  warnings: Problem[];
}

/**
 * Checks a whole definition and lists every problem once, with its JSON path. A loop or condition in the syntax of
 * another template language is a warning, since it is printed as it is; in a definition that is refused it is the
 * probable cause and stands first among the problems.
 * @param written any JSON value; an older version is migrated first.
 * @param partials those that it may use: their components are checked in each place that uses them
 */
export function checkDefinition(
  written: unknown,
  templateType: TemplateType,
  partials: PartialLibrary = NO_PARTIALS,
): CheckedDefinition {
  return limitSuggestions(() => checkWritten(written, templateType, partials));
}

function checkWritten(
  written: unknown,
  templateType: TemplateType,
  partials: PartialLibrary,
): CheckedDefinition {
  const caps = checkCaps(written);
  if (caps.length > 0) return refused(caps);
  const input = migrateDefinition(written);
  const { expanded, uses, problems: missing } = expandPartials(input, partials);
  const expandedCaps = uses.length > 0 ? checkCaps(expanded) : [];
  if (expandedCaps.length > 0)
    return refused(placePartialProblems(expandedCaps, uses));
  const shape = checkShape(expanded);
  const meaning = checkMeaning(expanded, shape, templateType);
  const place = (list: readonly Problem[]) => placePartialProblems(list, uses);
  const allProblems = [
    ...missing,
    ...place([...shape.map(withoutKeys), ...meaning.problems]),
  ];
  const isRefused = allProblems.length > 0;
  const isProblem = ({ code }: Problem) =>
    isRefused && code === "foreign_syntax";
  const foreign = place(meaning.warnings.filter(isProblem));
  const others = place(
    meaning.warnings.filter((warning) => !isProblem(warning)),
  );
  const problems = limitProblems([...foreign, ...allProblems], "problems");
  const warnings = limitProblems(others, "warnings");
  return isDefinition(input, problems)
    ? { definition: input, problems, warnings }
    : refused(problems, warnings);
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
  const language = getSharedLanguage(definition);
  const types = rootTypes(definition.schema, language);
  const texts = checkTranslations(definition, language.translations);
  const codes = checkCodes(tree);
  const findings: Findings = {
    problems: [
      ...texts.problems,
      ...checkDataModel(definition.schema),
      ...checkPage(mergePageRules(definition.page, listSoundMarkups(tree))),
      ...checkMarkupPlaces(tree, templateType, definition.page),
      ...checkPlacement(tree, templateType),
      ...checkIds(tree),
      ...codes.problems,
      ...checkSignFields(tree),
      ...checkStyles(tree, definition.styles),
      ...checkEinvoicePlace(definition, templateType),
      ...checkEinvoicePdf(definition),
    ],
    warnings: [
      ...texts.warnings,
      ...checkEmail(tree, templateType),
      ...checkAddresses(tree),
      ...checkSharedFields(tree),
      ...codes.warnings,
    ],
  };
  untilTooMany(() => {
    checkComputedFields(definition.schema, language, findings);
    checkDocument(definition, types, findings);
    checkBindings(tree, types, findings);
  });
  return findings;
}

function checkEinvoicePlace(
  { einvoice }: ProjectData,
  templateType: TemplateType,
): Problem[] {
  if (einvoice === undefined || templateType === "document") return [];
  return [
    {
      path: "$.einvoice",
      code: "misplaced",
      message: "An email cannot be an e-invoice.",
      hint: "Move it to the document template of the invoice, and attach that document to the email.",
    },
  ];
}

/** The PDF of a Factur-X profile contains the invoice, and is a PDF/A-3. */
function checkEinvoicePdf({ einvoice, pdf = {} }: ProjectData): Problem[] {
  if (!einvoice || EINVOICE_PROFILES[einvoice.profile].facturX === null)
    return [];
  const archival = listConformance(pdf.conformance).find((standard) =>
    standard.startsWith("pdf/a-2"),
  );
  const joined = (["before", "after"] as const).filter(
    (option) => (pdf[option] ?? []).length > 0,
  );
  return [
    ...(archival === undefined
      ? []
      : [
          {
            path: "$.pdf.conformance",
            code: "conformance",
            message: `A PDF with the profile ${einvoice.profile} contains the e-invoice, and ${archival} allows no attached files.`,
            hint: `Use ${archival.replace("2", "3")}, or leave it out.`,
          },
        ]),
    ...joined.map((option) => ({
      path: `$.pdf.${option}`,
      code: "conformance",
      message: `A PDF with the profile ${einvoice.profile} is a PDF/A-3, and it is not known whether a joined PDF conforms to it.`,
      hint: "Leave the joined PDFs out, or send them beside the invoice.",
    })),
  ];
}

function listSoundMarkups({ all }: Tree): MarkupComponent[] {
  return all.flatMap(({ component, isValid }) =>
    isValid && component.type === "markup" ? [component] : [],
  );
}

/**
 * Checks that an update keeps the `collectionId` of every component that keeps its id, because other expressions refer
 * to it.
 * @returns the problems of `next`; `checkDefinition` must have accepted both
 */
export function validateTemplateUpdate(
  previous: ProjectData,
  next: ProjectData,
): Problem[] {
  const before = collectionIds(previous);
  return buildTree(next, []).all.flatMap(({ component, path }) => {
    const { id, collection } = component;
    const previousId = id === undefined ? undefined : before.get(id);
    if (previousId === undefined || collection === undefined) return [];
    if (collection.collectionId === previousId) return [];
    return [
      {
        path: `${path}.collection.collectionId`,
        code: "changed_collection_id",
        message: `The collectionId of this component is "${previousId}" and cannot be changed to "${collection.collectionId}".`,
        hint: `Write "${previousId}", or give the component a new id.`,
      },
    ];
  });
}

function collectionIds(definition: ProjectData): Map<string, string> {
  const nodes = buildTree(definition, []).all;
  return new Map(
    nodes.flatMap(({ component: { id, collection } }) =>
      id === undefined || collection === undefined
        ? []
        : [[id, collection.collectionId]],
    ),
  );
}
