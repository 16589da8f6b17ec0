import {
  PlatenError,
  type Problem,
  suggestNames,
} from "../../plugin-api/index.js";
import { AssetRegistry } from "../asset-registry.js";
import {
  BAR_TEXT_HEIGHT,
  describeSmallCode,
  MIN_BAR_HEIGHT,
  measureBarcode,
  type PrintedCode,
  SYMBOLOGIES,
} from "../barcodes.js";
import { getProblem, safeUrl } from "../expressions/index.js";
import { toPx } from "../page/layout.js";
import { showsPageNumber } from "../page/page-numbers.js";
import {
  DEFAULT_QRCODE_SIZE,
  encodeQrcode,
  QRCODE_QUIET_ZONE,
} from "../qrcodes.js";
import type {
  Component,
  ComponentOf,
  ComponentType,
} from "../schema/component-schema.js";
import {
  STYLE_PROPERTIES,
  type StyleProperty,
} from "../schema/known-values.js";
import { checkStyleValue, describeSyntax } from "../schema/style-values.js";
import type { TemplateType, ProjectData } from "../schema/definition-schema.js";
import {
  ALLOWED_CHILDREN,
  BODY_ONLY,
  DOCUMENT_ONLY,
  EMAIL_ONLY,
  REQUIRED_PARENTS,
  TOP_LEVEL,
  isVariableColumn,
} from "../schema/placement.js";
import { classNames } from "../schema/text-schema.js";
import {
  templateStrings,
  type TemplateString,
  styleStrings,
} from "./check-bindings.js";
import { listHtmlAddresses } from "./check-unfinished.js";
import type { Tree, TreeNode } from "./component-tree.js";
import {
  type Findings,
  listProblems,
  pathKeys,
  pathStep,
  suggestion,
} from "./problems.js";

/** Second pass: checks that each component is allowed in its place and in this type of template. */
export function checkPlacement(
  tree: Tree,
  templateType: TemplateType,
): Problem[] {
  return tree.all.flatMap((node) => {
    const advice =
      wrongTemplate(node, templateType) ??
      wrongParent(node) ??
      wrongHeader(node);
    return advice === null
      ? []
      : [{ path: node.path, code: "misplaced", ...advice }];
  });
}

interface Advice {
  message: string;
  hint: string;
}

function wrongTemplate(
  { component: { type } }: TreeNode,
  templateType: TemplateType,
): Advice | null {
  const foreign = templateType === "email" ? DOCUMENT_ONLY : EMAIL_ONLY;
  if (!foreign.has(type)) return null;
  const other = templateType === "email" ? "documents" : "emails";
  return {
    message: `A ${type} is only available in ${other}, but the type of this template is "${templateType}".`,
    hint: "Remove it, or change the type of the template.",
  };
}

function wrongParent(node: TreeNode): Advice | null {
  const { type } = node.component;
  // A partial that is still here does not exist, which is reported once.
  if (type === "fragment" || type === "partial") return null;
  const parent = parentType(node);
  const parents = REQUIRED_PARENTS.get(type);
  if (parents && !(parent && parents.includes(parent)))
    return {
      message: `A ${type} must be inside a ${parents.join(" or a ")}.`,
      hint: `Move it into the components of a ${parents[0]}.`,
    };
  if (TOP_LEVEL.has(type) && !(parent === null || parent === "container"))
    return {
      message: `A ${type} is not allowed inside a ${parent}.`,
      hint: "Move it to the top level of the body, or into a container there.",
    };
  const children = parent && ALLOWED_CHILDREN.get(parent);
  if (!children || children.includes(type)) return null;
  return {
    message: `A ${parent} may only contain ${children.join(", ")} and fragment, not a ${type}.`,
    hint: `Move the ${type} into a ${children[0]}.`,
  };
}

/** A fragment is transparent, so its children belong to its own parent. */
function parentType({ parent }: TreeNode): ComponentType | null {
  if (parent === null) return null;
  return parent.component.type === "fragment"
    ? parentType(parent)
    : parent.component.type;
}

function wrongHeader({
  component,
  isInHeader,
  isValid,
}: TreeNode): Advice | null {
  if (!isInHeader && isValid && showsPageNumber(component))
    return {
      message: "Page numbers are only available in headers and footers.",
      hint: "Move it into page.header or page.footer.",
    };
  const { type } = component;
  if (BODY_ONLY.has(type) && isInHeader)
    return {
      message: `A ${type} is not allowed in a header or footer.`,
      hint: "Remove it, or move it into the body.",
    };
  return null;
}

/** Second pass: checks that every `id` and `collectionId` is unique in the template. */
export function checkIds(tree: Tree): Problem[] {
  const sound = tree.all.filter((node) => node.isValid);
  return [
    ...duplicates(sound, "id", (node) => node.component.id),
    ...duplicates(
      sound,
      "collection.collectionId",
      (node) => node.component.collection?.collectionId,
    ),
  ];
}

function duplicates(
  nodes: readonly TreeNode[],
  property: string,
  nameOf: (node: TreeNode) => string | undefined,
): Problem[] {
  const firsts = new Map<string, TreeNode>();
  return nodes.flatMap((node) => {
    const name = nameOf(node);
    if (name === undefined) return [];
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, node);
      return [];
    }
    return [
      {
        path: `${node.path}.${property}`,
        code: "duplicate_id",
        message: `${JSON.stringify(name)} is already the ${property.split(".").at(-1)} of ${first.path}.`,
        hint: "Give this one a unique name.",
      },
    ];
  });
}

/** Second pass: checks that each code with a constant value can encode it; a warning when it is too small. */
export function checkCodes(tree: Tree): Findings {
  const findings: Findings = { problems: [], warnings: [] };
  for (const { component, path, isValid } of tree.all) {
    if (!isValid || !isCode(component)) continue;
    const { type, value } = component;
    // Braces may contain an expression that does not parse.
    if (value.includes("{{") || (type === "qrcode" && value === "")) continue;
    try {
      const message = describeSmallCode(measureCode(component));
      if (message !== null)
        findings.warnings.push({ path, code: "small_code", message });
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      const { message } = error;
      const place = { path: `${path}.value`, code: "wrong_value" };
      findings.problems.push({ ...place, message });
    }
  }
  return findings;
}

type Code = ComponentOf<"barcode"> | ComponentOf<"qrcode">;

function isCode(component: Component): component is Code {
  return component.type === "barcode" || component.type === "qrcode";
}

/** A code that is as large as its properties say; what is around it may make it smaller. */
function measureCode(code: Code): PrintedCode {
  if (code.type === "qrcode") {
    const { value, ecc, size = DEFAULT_QRCODE_SIZE } = code;
    const modules = encodeQrcode(value, ecc).size + 2 * QRCODE_QUIET_ZONE;
    const widthMm = toMm(code.style?.["width"]) ?? toMm(size) ?? Infinity;
    return { name: "QR code", modules, widthMm };
  }
  const { value, symbology, showText = true, width, height } = code;
  const { columns, rows } = measureBarcode(value, symbology);
  const heightMm = toMm(height);
  const widthMm = Math.min(
    toMm(width) ?? Infinity,
    rows === null || heightMm === null ? Infinity : (heightMm * columns) / rows,
  );
  const { name, moduleMm } = SYMBOLOGIES[symbology];
  const hasHeight = rows === null && width === undefined && heightMm !== null;
  const least = MIN_BAR_HEIGHT + (showText ? BAR_TEXT_HEIGHT : 0);
  return {
    name,
    modules: columns,
    widthMm,
    ...(hasHeight && { height: { mm: heightMm, leastMm: least * moduleMm } }),
  };
}

function toMm(length: string | undefined): number | null {
  const px = toPx(length);
  return px === null ? null : (px / 96) * 25.4;
}

/** Second pass: checks that select fields have options. */
export function checkSignFields(tree: Tree): Problem[] {
  return tree.all.flatMap(({ component, path, isValid }) => {
    if (!isValid || component.type !== "sign-field") return [];
    const { field, options = [] } = component;
    if (field !== "select" || options.length > 0) return [];
    return [
      {
        path: `${path}.options`,
        code: "missing_property",
        message:
          'A sign-field of the type "select" needs options to choose from.',
        hint: 'Add an array of strings, such as ["Yes", "No"].',
      },
    ];
  });
}

/** The types of sign-fields that expect another answer in each row; people sign the same way everywhere. */
const ANSWERED_PER_ROW: readonly string[] = [
  "text",
  "checkbox",
  "select",
  "number",
  "image",
];

/** Second pass, warnings: repeated sign-fields that have the same name in every row, and so one answer for all rows. */
export function checkSharedFields(tree: Tree): Problem[] {
  return tree.all.flatMap((node) => {
    const { component, path, isValid } = node;
    if (!isValid || component.type !== "sign-field" || !isRepeated(node))
      return [];
    const { field, name, submitter } = component;
    const isShared = ![name, submitter].some((text) => text.includes("{{"));
    if (!isShared || !ANSWERED_PER_ROW.includes(field)) return [];
    return [
      {
        path: `${path}.name`,
        code: "shared_field",
        message: `This sign-field is repeated, and "${name}" is its name in every row: all rows share one answer.`,
        hint: 'For one answer per row, put a value of the row in the name, such as "Note {{ line.number }}".',
      },
    ];
  });
}

function isRepeated({ component, parent }: TreeNode): boolean {
  if (component.collection !== undefined) return true;
  return parent !== null && isRepeated(parent);
}

/** Second pass, warnings: components that may not behave as expected in an email. */
export function checkEmail(tree: Tree, templateType: TemplateType): Problem[] {
  if (templateType !== "email") return [];
  const sound = tree.all.filter(({ isValid }) => isValid);
  return [...sound.flatMap(slowColumns), ...morePreheaders(sound)];
}

function morePreheaders(nodes: readonly TreeNode[]): Problem[] {
  const lines = nodes.filter(({ component }) => component.type === "preheader");
  return lines.slice(1).map(({ path }) => ({
    path,
    code: "second_preheader",
    message: "Mail programs show only one preheader. The first one is used.",
    hint: "Remove this one. To vary the text, use an expression in the first one.",
  }));
}

function slowColumns({ component, parent, path }: TreeNode): Problem[] {
  if (!isVariableColumn(component, parent?.component)) return [];
  return [
    {
      path,
      code: "slow_email",
      message:
        "The number of columns depends on the record, so this email is laid out again for each record, which is slower.",
      hint: "Put the condition or collection on the section, or on the content of the column.",
    },
  ];
}

/** Second pass, warnings: constant addresses that no document shows or follows. */
export function checkAddresses(tree: Tree): Problem[] {
  return tree.all.flatMap(({ component, path, isValid }) =>
    isValid
      ? [
          ...templateStrings(component).flatMap((templateString) =>
            checkAddress(templateString, path),
          ),
          ...checkHtmlLinks(component, path),
        ]
      : [],
  );
}

const LINK = /href|\]\s*[(:]|<[a-z][\w+.-]*:/i;

function checkHtmlLinks(component: Component, path: string): Problem[] {
  const isHtml = component.type === "html" || component.type === "markdown";
  if (!isHtml || !LINK.test(component.value)) return [];
  try {
    return listHtmlAddresses(component)
      .filter(({ isRefused }) => isRefused)
      .map(({ source }) => refuseLink(source, { path: `${path}.value` }));
  } catch (error) {
    // An expression without an end, which is reported with the others.
    getProblem(error);
    return [];
  }
}

function checkAddress(
  { suffix, source }: TemplateString,
  path: string,
): Problem[] {
  // Braces may contain an expression.
  if (source.trim() === "" || source.includes("{{")) return [];
  const name = /\.(\w+)$/.exec(suffix)?.[1];
  const at = { path: path + suffix };
  if (name === "href" || name === "link")
    return safeUrl(source) === "" ? [refuseLink(source, at)] : [];
  // `.style.background` is a color, but `.background` of a hero is an address.
  return suffix === ".src" || suffix === ".background"
    ? [...refusedImage(source, at)]
    : [];
}

function refuseLink(source: string, at: { path: string }): Problem {
  return {
    ...at,
    code: "refused_link",
    message: `${JSON.stringify(source.slice(0, 80))} is not an allowed link address, so the link is left out.`,
    hint: "Write an address that starts with https:, http:, mailto: or tel:.",
  };
}

function* refusedImage(source: string, at: { path: string }) {
  if (new AssetRegistry().address(source, "") !== null) return;
  yield {
    ...at,
    code: "refused_image",
    message: `${JSON.stringify(source.slice(0, 80))} is not a supported image address, so a placeholder is drawn.`,
    hint: "Write asset:<id>, an https address, or the data URL of an image.",
  };
}

/** Second pass: checks that style values cannot leave their declaration and that every class is a named style. */
export function checkStyles(
  tree: Tree,
  styles: ProjectData["styles"],
): Problem[] {
  const names = new Set(Object.keys(styles ?? {}));
  return [
    ...listProblems(Object.entries(styles ?? {}), ([name, style]) =>
      checkValues(styleStrings(style, `$.styles${pathStep(name)}`)),
    ),
    ...listProblems(
      tree.all.filter(({ isValid }) => isValid),
      (node) => [
        ...checkValues(componentStyleStrings(node)),
        ...checkClasses(node, names),
      ],
    ),
  ];
}

/** Includes the styles of marks in its text. */
function componentStyleStrings({
  component,
  path,
}: TreeNode): TemplateString[] {
  return templateStrings(component)
    .filter(({ suffix }) => /(^|\])\.style[.[]/.test(suffix))
    .map(({ suffix, source }) => ({ suffix: path + suffix, source }));
}

function checkValues(strings: readonly TemplateString[]): Problem[] {
  return strings.flatMap(({ suffix, source }) => {
    const fault = styleValueFault(source);
    return fault === null
      ? [...ignoredValue(source, suffix)]
      : [
          {
            path: suffix,
            code: "wrong_value",
            message: `${quoteValue(source)} is not a valid style value: ${fault}.`,
            hint: "Write a single plain CSS value. To show an image, use an image component or page.background.",
          },
        ];
  });
}

function quoteValue(value: string): string {
  const isLong = value.length > 200;
  return JSON.stringify(isLong ? `${value.slice(0, 200)}…` : value);
}

const MAX_LISTED = 24;

/** What to write instead of a part that is not valid. */
function suggestStyleValue(property: StyleProperty, part: string): string {
  const { words, kinds, colors } = describeSyntax(property);
  const nearest = /^[a-z-]+$/i.test(part)
    ? suggestNames(part, [...words, ...colors])
    : "";
  const meant = nearest.startsWith("Did you mean") ? nearest : "";
  const listed = words.length > MAX_LISTED ? [] : words;
  const allowed = [...kinds, ...listed.map((word) => `"${word}"`)];
  const last = allowed.pop();
  if (last === undefined) return meant;
  const list = allowed.length === 0 ? last : `${allowed.join(", ")} or ${last}`;
  return `${meant} Write ${list}.`.trim();
}

/** A constant that the browser would ignore. */
function* ignoredValue(source: string, path: string) {
  const name = String(pathKeys(path).at(-1));
  const property = STYLE_PROPERTIES.find((candidate) => candidate === name);
  if (property === undefined || source.includes("{{")) return;
  const fault = checkStyleValue(property, source);
  if (fault === null) return;
  const at = fault.part === source ? "" : `: ${quoteValue(fault.part)}`;
  yield {
    path,
    code: "wrong_value",
    message: `${quoteValue(source)} is not a valid value of ${property}${at}.`,
    hint: suggestStyleValue(property, fault.part),
  };
}

function checkClasses(
  { component, path }: TreeNode,
  names: ReadonlySet<string>,
): Problem[] {
  return classNames(component.class)
    .filter((name) => !names.has(name))
    .map((name) => ({
      path: `${path}.class`,
      code: "unknown_style",
      message: `$.styles has no style named ${JSON.stringify(name)}.`,
      hint: suggestion(name, names),
    }));
}

/** CSS functions that compute or paint, but load nothing. */
const FUNCTIONS = new Set([
  "calc",
  "clamp",
  "conic-gradient",
  "fit-content",
  "hsl",
  "hsla",
  "hwb",
  "inset",
  "lab",
  "lch",
  "linear-gradient",
  "max",
  "min",
  "minmax",
  "oklab",
  "oklch",
  "radial-gradient",
  "repeat",
  "repeating-linear-gradient",
  "rgb",
  "rgba",
  "rotate",
  "scale",
  "skew",
  "translate",
  "translatex",
  "translatey",
]);

/**
 * Returns why the literal part of a style value is rejected, or null. A value must not leave its declaration (`;`,
 * braces, comments, an open quote) and must not load anything.
 */
function styleValueFault(source: string): string | null {
  if (source.length > MAX_STYLE_VALUE)
    return `it is longer than ${MAX_STYLE_VALUE} characters`;
  const literal = replaceExpressions(source);
  // Not allowed even in quotes: HTML parses a style sheet first.
  const markup = /[<\p{Cc}]/u.exec(literal)?.[0];
  if (markup !== undefined)
    return `${JSON.stringify(markup)} is not allowed in it`;
  const outside = literal.replace(/"[^"\n\\]*"|'[^'\n\\]*'/g, "");
  const bad = /[;{}<>\\@"'\n\r\f]|\/\*|!/.exec(outside)?.[0];
  if (bad !== undefined) return `${JSON.stringify(bad)} is not allowed in it`;
  for (const [, name = ""] of outside.matchAll(/([\w-]*)\(/g))
    if (name !== "" && !FUNCTIONS.has(name.toLowerCase()))
      return `the function ${name}() is not allowed`;
  return null;
}

/** A pattern for this would take time with the square of the number of braces that are not closed. */
function replaceExpressions(source: string): string {
  let literal = "";
  for (let at = 0; ;) {
    const start = source.indexOf("{{", at);
    const end = start < 0 ? -1 : source.indexOf("}}", start + 2);
    if (end < 0) return literal + source.slice(at);
    literal += `${source.slice(at, start)}0`;
    at = end + 2;
  }
}

/** As long as an expression may be. */
const MAX_STYLE_VALUE = 4000;
