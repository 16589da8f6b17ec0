import { z } from "zod";
import type { Brands } from "../../templates/index.js";
import { getActor } from "../middleware.js";
import { defineOperation, type Operation } from "../operation.js";
import { idInput, timestampSchema } from "../../lib/schemas.js";

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, "must be a color such as #1446a0");

/** Nothing that could leave a font-family. */
const font = z
  .string()
  .regex(/^[\p{L}\p{N} _.-]{1,100}$/u, "must be the name of a font family")
  .nullable();

const kitSchema = z
  .strictObject({
    colors: z
      .record(
        z.string().regex(/^[a-z][a-zA-Z0-9-]{0,31}$/, "must be a short name"),
        color,
      )
      .refine(
        (colors) => Object.keys(colors).length <= 16,
        "must have at most 16 colors",
      )
      .meta({
        description:
          "By name. The example templates use `primary`, `text`, `muted` and `background`.",
      }),
    headingFont: font.meta({ description: "A font family; null for none." }),
    bodyFont: font.meta({ description: "A font family; null for none." }),
    logo: idInput
      .nullable()
      .meta({ description: "The id of an image; null for none." }),
    textStyles: z
      .record(
        z.string().regex(/^[A-Za-z][\w-]{0,63}$/, "must be a name of a style"),
        z.record(z.string(), z.string()),
      )
      .refine(
        (styles) => Object.keys(styles).length <= 20,
        "must have at most 20 styles",
      )
      .meta({
        description:
          "Named styles, as in `styles` of a definition; templates that are made from an example get them.",
      }),
  })
  .meta({ id: "BrandKit" });

const brandFields = {
  kit: kitSchema,
  version: z
    .number()
    .int()
    .meta({ description: "Counts the changes; 0 before the first." }),
  updatedAt: timestampSchema.nullable(),
};

const brandSchema = z.strictObject(brandFields).meta({ id: "Brand" });

export const changedBrandSchema = z
  .strictObject({
    ...brandFields,
    templates: z
      .array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          error: z.string().nullable().meta({
            description: "Why it stayed as it was; null when it follows.",
          }),
        }),
      )
      .meta({ description: "The result of each template that follows." }),
  })
  .meta({ id: "ChangedBrand" });

const brandChangeSchema = z
  .strictObject({
    kit: kitSchema,
    expectedVersion: z.int().optional().meta({
      description:
        "The `version` that you read. Returns 409 if the kit has changed since.",
    }),
    templateIds: z.array(idInput).max(10_000).optional().meta({
      description:
        "The templates that follow: the kit's old values in them are replaced by the new ones, as a new version and in the draft.",
    }),
  })
  .meta({
    id: "BrandChange",
    example: {
      kit: {
        colors: { primary: "#1446a0", text: "#131a29" },
        headingFont: "Playfair Display",
        bodyFont: "Inter",
        logo: null,
        textStyles: { note: { "font-size": "8pt", color: "#647085" } },
      },
    },
  });

const tag = "Templates";

/** The colors, fonts, logo and text styles of the organization. */
export function brandOperations(brands: Brands): Operation[] {
  return [
    defineOperation({
      id: "getBrand",
      method: "get",
      path: "/api/brand",
      scope: "templates:read",
      tag,
      summary: "Read the brand kit",
      description: "Empty, with version 0, until it is set.",
      reply: { description: "The brand kit.", schema: brandSchema },
      handle: ({ caller }) => brands.get(caller.organizationId),
    }),
    defineOperation({
      id: "findBrandUses",
      method: "post",
      path: "/api/brand/uses",
      scope: "templates:read",
      tag,
      summary: "List the templates that a change of the brand kit concerns",
      description:
        "Templates whose definition or draft uses values of the present kit that are different in this one. Nothing is changed.",
      body: z.strictObject({ kit: kitSchema }),
      reply: {
        description: "The templates, by name.",
        schema: z.strictObject({
          data: z.array(z.strictObject({ id: z.string(), name: z.string() })),
        }),
      },
      errors: [413],
      handle: async ({ caller, body }) => ({
        data: await brands.findUses(caller.organizationId, body.kit),
      }),
    }),
    defineOperation({
      id: "replaceBrand",
      method: "put",
      path: "/api/brand",
      scope: "templates:write",
      tag,
      summary: "Replace the brand kit",
      description:
        "Templates that are made from an example afterwards have its values. Others stay as they are, except for those in `templateIds`.",
      body: brandChangeSchema,
      reply: {
        description: "The brand kit, and what became of the templates.",
        schema: changedBrandSchema,
      },
      errors: [409, 413],
      handle: ({ caller, body }) =>
        brands.replace(caller, body, getActor(caller)),
    }),
  ];
}
