import { z } from "zod";
import { PAGE_SIZES, TEMPLATE_TYPES } from "../../definition/index.js";
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

/** A template's next definition. */
export const templateRedefinition = z
  .strictObject({
    definition,
    createVersion: z.boolean().optional().meta({
      description: "True freezes it as a version with the next number.",
    }),
    versionNote: z
      .string()
      .max(10_000, "must be at most 10000 characters long")
      .optional()
      .meta({ description: "What changed; kept with the version." }),
    expectedVersion: z
      .union([z.int(), z.string()])
      .optional()
      .meta({
        description:
          "The `updatedAt` that was read, or the `version` if nothing was changed since it was made: 409 when the template " +
          "was changed since.",
        example: "2026-07-31T09:30:00.000Z",
      }),
  })
  .meta({ id: "TemplateRedefinition" });

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
