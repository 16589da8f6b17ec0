import { z } from "zod";
import {
  brandKitSchema,
  type Brands,
  brandSchema,
  changedBrandSchema,
} from "../../templates/index.js";
import { getActor } from "../middleware.js";
import { createDefinition, type Operation } from "../operation.js";
import { idInput } from "../../lib/schemas.js";

const brandChangeSchema = z
  .strictObject({
    kit: brandKitSchema,
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

const defineOperation = createDefinition("Templates");

export function brandOperations(brands: Brands): Operation[] {
  return [
    defineOperation({
      id: "getBrand",
      get: "/api/brand",
      scope: "templates:read",
      summary: "Read the brand kit",
      description: "Empty, with version 0, until it is set.",
      reply: { description: "The brand kit.", schema: brandSchema },
      handle: ({ caller }) => brands.get(caller.organizationId),
    }),
    defineOperation({
      id: "findBrandUses",
      post: "/api/brand/uses",
      scope: "templates:read",
      summary: "List the templates that a change of the brand kit concerns",
      description:
        "Templates whose definition or draft uses values of the present kit that are different in this one. Nothing is changed.",
      body: z.strictObject({ kit: brandKitSchema }),
      reply: {
        description: "The templates, by name.",
        schema: z.strictObject({
          data: z.array(z.strictObject({ id: z.string(), name: z.string() })),
        }),
      },
      handle: async ({ caller, body }) => ({
        data: await brands.findUses(caller.organizationId, body.kit),
      }),
    }),
    defineOperation({
      id: "replaceBrand",
      put: "/api/brand",
      scope: "templates:write",
      summary: "Replace the brand kit",
      description:
        "Templates that are made from an example afterwards have its values. Others stay as they are, except for those in `templateIds`.",
      body: brandChangeSchema,
      reply: {
        description: "The brand kit, and what became of the templates.",
        schema: changedBrandSchema,
      },
      errors: [409],
      handle: ({ caller, body }) =>
        brands.replace(caller, body, getActor(caller)),
    }),
  ];
}
