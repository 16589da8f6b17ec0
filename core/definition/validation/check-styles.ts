import type { Problem } from "../../plugin-api/index.js";
import type { ProjectData } from "../schema/definition-schema.js";
import { classNames } from "../schema/text-schema.js";
import type { Tree, TreeNode } from "./component-tree.js";
import { pathStep, suggestion } from "./problems.js";
import {
  styleStrings,
  templateStrings,
  type TemplateString,
} from "./template-strings.js";

/** Second pass: checks that style values cannot leave their declaration and that every class is a named style. */
export function checkStyles(
  tree: Tree,
  styles: ProjectData["styles"],
): Problem[] {
  const names = Object.keys(styles ?? {});
  return [
    ...Object.entries(styles ?? {}).flatMap(([name, style]) =>
      checkValues(styleStrings(style, `$.styles${pathStep(name)}`)),
    ),
    ...tree.all
      .filter(({ isValid }) => isValid)
      .flatMap((node) => [
        ...checkValues(componentStyleStrings(node)),
        ...checkClasses(node, names),
      ]),
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
      ? []
      : [
          {
            path: suffix,
            code: "wrong_value",
            message: `${JSON.stringify(source)} is not a valid style value: ${fault}.`,
            hint: "Write a single plain CSS value. To show an image, use an image component or page.background.",
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
  const literal = source.replace(/\{\{.*?\}\}/gs, "0");
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
