import type { Problem } from "../../plugin-api/index.js";
import type { TemplateType } from "../schema/template-type.js";
import { isVariableColumn } from "../schema/variable-column.js";
import type { Tree, TreeNode } from "./tree.js";

/** Second pass, warnings: what works in an email, but not as its author may expect. */
export function checkEmail(tree: Tree, templateType: TemplateType): Problem[] {
  if (templateType !== "email") return [];
  const sound = tree.all.filter(({ isSound }) => isSound);
  return [
    ...sound.flatMap((node) => [...slowColumns(node), ...unseenDrawing(node)]),
    ...morePreheaders(sound),
  ];
}

function morePreheaders(nodes: readonly TreeNode[]): Problem[] {
  const lines = nodes.filter(({ component }) => component.type === "preheader");
  return lines.slice(1).map(({ path }) => ({
    path,
    code: "second_preheader",
    message: "Mail programs show one preheader: the first is taken.",
    hint: "Remove this one; its text may say different things by an expression.",
  }));
}

function slowColumns({ component, parent, path }: TreeNode): Problem[] {
  if (!isVariableColumn(component, parent?.component)) return [];
  return [
    {
      path,
      code: "slow_email",
      message:
        "The number of columns depends on the record, so this email is laid out anew for each one, which is slower.",
      hint: "Put the condition or collection on the section, or on the content of the column.",
    },
  ];
}

const DRAWINGS = new Set(["qrcode", "barcode", "chart"]);

function unseenDrawing({ component: { type }, path }: TreeNode): Problem[] {
  if (!DRAWINGS.has(type)) return [];
  return [
    {
      path,
      code: "unseen_drawing",
      message: `Many mail programs do not show a ${type}, which is drawn as SVG; in the pdf and the image of the email it is there.`,
    },
  ];
}
