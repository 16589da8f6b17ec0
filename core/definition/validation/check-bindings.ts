import {
  checkLogic,
  checkRepeat,
  checkTemplate,
  type ScopeTypes,
} from "../expressions/index.js";
import { repeatSchema } from "../schema/data-schema.js";
import { checkChart } from "./check-chart.js";
import { reportAt, type Findings } from "./report.js";
import { templateStrings } from "./template-strings.js";
import type { Tree, TreeNode } from "./tree.js";

/** Second pass: every expression, path and rule of the components, in the scopes that it stands in. */
export function checkBindings(
  tree: Tree,
  root: ScopeTypes,
  findings: Findings,
): void {
  for (const node of tree.roots) checkNode(node, root, findings);
}

function checkNode(
  node: TreeNode,
  outer: ScopeTypes,
  findings: Findings,
): void {
  if (node.isSound) checkCondition(node, outer, findings);
  const inner = scopeInside(node, outer, findings);
  if (node.isSound && inner) checkOwn(node, inner, findings);
  for (const child of node.branches) checkNode(child, outer, findings);
  if (inner)
    for (const child of node.children) checkNode(child, inner, findings);
}

function checkCondition(
  { component, path }: TreeNode,
  types: ScopeTypes,
  findings: Findings,
): void {
  if (component.condition)
    checkLogic(
      component.condition,
      types,
      reportAt(findings, `${path}.condition`),
    );
}

/** Null where an ill-formed collection hides which names exist inside. */
function scopeInside(
  { component, path, isSound }: TreeNode,
  outer: ScopeTypes,
  findings: Findings,
): ScopeTypes | null {
  const { collection } = component;
  if (collection === undefined) return outer;
  if (!isSound && !repeatSchema.strip().safeParse(collection).success)
    return null;
  return checkRepeat(
    collection,
    outer,
    reportAt(findings, `${path}.collection`),
  );
}

function checkOwn(
  { component, path }: TreeNode,
  types: ScopeTypes,
  findings: Findings,
): void {
  for (const { suffix, source } of templateStrings(component))
    checkTemplate(source, types, reportAt(findings, path + suffix));
  if (component.type === "chart") checkChart(component, path, types, findings);
}
