import { z } from "zod";
import { PAGE_SIZES, TEMPLATE_TYPES } from "../../template/index.js";
import { definition } from "./common.js";
import { templatePatch, templateSettings } from "./template.js";

const { name, description } = templatePatch.shape;

/** A template that is to be made: one source at most. */
export const templateOrder = z
  .strictObject({
    name: name.unwrap(),
    description,
    templateType: z.enum(TEMPLATE_TYPES).optional().meta({
      description:
        "By default that of the blueprint or the template, or else `document`.",
    }),
    definition: definition.optional(),
    blueprint: z.string().optional().meta({
      description: "The name of an example template.",
      example: "invoice",
    }),
    cloneTemplateId: z
      .string()
      .optional()
      .meta({ description: "A template of the organization." }),
    format: z.enum(PAGE_SIZES).optional().meta({
      description:
        "Sets `page.size`; `Custom` needs `page.width` and `page.height` in the definition. Not for emails.",
    }),
    isLandscape: z.boolean().optional().meta({
      description: "Sets `page.landscape`. Not for emails.",
    }),
  })
  .meta({
    id: "TemplateOrder",
    example: { name: "Our invoice", blueprint: "invoice", format: "Letter" },
  });

const warning = z.strictObject({
  path: z.string().meta({ example: "$.components[0].text" }),
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  expression: z.string().optional(),
  column: z.number().int().optional(),
});

export const madeTemplate = templateSettings
  .extend({
    warnings: z.array(warning).meta({
      description: "Odd, but allowed: paths that the schema does not declare.",
    }),
  })
  .meta({ id: "MadeTemplate" });
