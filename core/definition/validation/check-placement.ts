import type { Problem } from "../../plugin-api/index.js";
import { showsNumber } from "../page/page-numbers.js";
import type { ComponentType } from "../schema/component-schema.js";
import {
  ALLOWED_CHILDREN,
  BODY_ONLY,
  DOCUMENT_ONLY,
  EMAIL_ONLY,
  REQUIRED_PARENTS,
  TOP_LEVEL,
} from "../schema/placement.js";
import type { TemplateType } from "../schema/template-type.js";
import type { Tree, TreeNode } from "./tree.js";

/** Second pass: each component stands where it may, in a template of its kind. */
export function checkPlacement(
  tree: Tree,
  templateType: TemplateType,
): Problem[] {
  return tree.all.flatMap((node) => {
    const advice =
      wrongTemplate(node, templateType) ?? wrongParent(node) ?? wrongBand(node);
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
    message: `A ${type} works in ${other} only, and this template is of the type "${templateType}".`,
    hint: "Remove it, or change the template's type.",
  };
}

function wrongParent(node: TreeNode): Advice | null {
  const { type } = node.component;
  if (type === "fragment") return null;
  const parent = parentType(node);
  const parents = REQUIRED_PARENTS.get(type);
  if (parents && !(parent && parents.includes(parent)))
    return {
      message: `A ${type} may only stand in a ${parents.join(" or a ")}.`,
      hint: `Put it into the components of a ${parents[0]}.`,
    };
  if (TOP_LEVEL.has(type) && !(parent === null || parent === "container"))
    return {
      message: `A ${type} cannot stand in a ${parent}.`,
      hint: "Put it at the top of the body, or in a container there.",
    };
  const children = parent && ALLOWED_CHILDREN.get(parent);
  if (!children || children.includes(type)) return null;
  return {
    message: `A ${parent} takes ${children.join(", ")} and fragment only, not a ${type}.`,
    hint: `Put the ${type} into a ${children[0]}.`,
  };
}

/** A fragment draws nothing, so what it holds belongs to the fragment's own parent. */
function parentType({ parent }: TreeNode): ComponentType | null {
  if (parent === null) return null;
  return parent.component.type === "fragment"
    ? parentType(parent)
    : parent.component.type;
}

function wrongBand({ component, inBand, isSound }: TreeNode): Advice | null {
  if (!inBand && isSound && showsNumber(component))
    return {
      message: "Page numbers work in headers and footers only.",
      hint: "Move it into page.header or page.footer.",
    };
  const { type } = component;
  if (BODY_ONLY.has(type) && inBand)
    return {
      message: `A ${type} cannot stand in a header or footer.`,
      hint: "Remove it, or put it into the body.",
    };
  return null;
}
