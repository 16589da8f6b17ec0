import type { Problem } from "../../plugin-api/index.js";
import { classNames } from "../schema/class-names.js";
import type { ProjectData } from "../schema/project-data.js";
import { pathStep } from "./json-path.js";
import { styleValueFault } from "./style-value.js";
import { suggestion } from "./suggest.js";
import {
  ofStyle,
  templateStrings,
  type TemplateString,
} from "./template-strings.js";
import type { Tree, TreeNode } from "./tree.js";

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
