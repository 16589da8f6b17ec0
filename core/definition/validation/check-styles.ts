import type { Problem } from "../../plugin-api/index.js";
import type { ProjectData } from "../schema/definition-schema.js";
import { classNames } from "../schema/text-schema.js";
import type { Tree, TreeNode } from "./component-tree.js";
import { pathStep, suggestion } from "./problems.js";
import {
  ofStyle,
  templateStrings,
  type TemplateString,
} from "./template-strings.js";

/** Second pass: style values keep inside their declaration, and every class is a named style. */
export function checkStyles(
  tree: Tree,
  styles: ProjectData["styles"],
): Problem[] {
  const names = Object.keys(styles ?? {});
  return [
    ...Object.entries(styles ?? {}).flatMap(([name, style]) =>
      checkValues(ofStyle(style, `$.styles${pathStep(name)}`)),
    ),
    ...tree.all
      .filter(({ isSound }) => isSound)
      .flatMap((node) => [
        ...checkValues(styleStrings(node)),
        ...checkClasses(node, names),
      ]),
  ];
}

/** Those of the marks of its text as well as its own. */
function styleStrings({ component, path }: TreeNode): TemplateString[] {
  return templateStrings(component)
    .filter(({ suffix }) => /(^|\])\.style[.[]/.test(suffix))
    .map(({ suffix, source }) => ({ suffix: path + suffix, source }));
}

function checkValues(strings: readonly TemplateString[]): Problem[] {
  return strings.flatMap(({ suffix, source }) => {
    const fault = styleValueFault(source);
    return fault === null
      ? []
      : [
          {
            path: suffix,
            code: "wrong_value",
            message: `${JSON.stringify(source)} is not accepted as a style: ${fault}.`,
            hint: "Write one plain CSS value; images belong into an image component or page.background.",
          },
        ];
  });
}

function checkClasses(
  { component, path }: TreeNode,
  names: readonly string[],
): Problem[] {
  return classNames(component.class)
    .filter((name) => !names.includes(name))
    .map((name) => ({
      path: `${path}.class`,
      code: "unknown_style",
      message: `There is no style ${JSON.stringify(name)} in $.styles.`,
      hint: suggestion(name, names),
    }));
}

/** Functions of CSS that only compute or draw: none of them loads anything. */
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
 * Why the literal part of a style value is refused, or null. A value must not leave its declaration
 * (`;`, braces, comments, an open quote), and must not load anything.
 */
function styleValueFault(source: string): string | null {
  const literal = source.replace(/\{\{.*?\}\}/gs, "0");
  // Not even between quotes: in a style sheet, HTML reads it first.
  const markup = /[<\p{Cc}]/u.exec(literal)?.[0];
  if (markup !== undefined)
    return `${JSON.stringify(markup)} cannot stand in it`;
  const outside = literal.replace(/"[^"\n\\]*"|'[^'\n\\]*'/g, "");
  const bad = /[;{}<>\\@"'\n\r\f]|\/\*|!/.exec(outside)?.[0];
  if (bad !== undefined) return `${JSON.stringify(bad)} cannot stand in it`;
  for (const [, name = ""] of outside.matchAll(/([\w-]*)\(/g))
    if (name !== "" && !FUNCTIONS.has(name.toLowerCase()))
      return `the function ${name}() is not allowed`;
  return null;
}
