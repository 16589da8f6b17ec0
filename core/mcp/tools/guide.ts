import { z } from "zod";
import { definitionGuide } from "../../definition/index.js";
import { textBlock, contentTool, type Tool } from "../tool.js";

const input = z.strictObject({});

/** The guide, as text: within JSON its line breaks alone would cost a tenth more. */
export function getTemplateAstGuide(): Tool {
  return contentTool({
    name: "get_template_ast_guide",
    title: "Read the guide to definitions",
    description:
      "How to write a template's definition (ProjectData): pages, components, data binding, styles, with examples. " +
      "Read it once before create_template or edit_template.",
    scope: "templates:read",
    input,
    annotations: {
      readOnlyHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    run: async () => [textBlock(definitionGuide())],
  });
}
