import { z } from "zod";
import { TEMPLATE_TYPES } from "../../definition/index.js";
import type { Partials } from "../../templates/index.js";
import { getActor } from "../middleware.js";
import { defineOperation, type Operation } from "../operation.js";
import { timestampSchema } from "../../lib/schemas.js";

const nameSchema = z.string().meta({
  description:
    "How definitions refer to it: lower-case letters, digits and single hyphens. It never changes.",
  example: "payment-details",
});

const titleSchema = z.string().meta({
  description: "How people see it.",
  example: "Payment details",
});

/** As of definitions, the checker reports all problems of their content. */
const componentsSchema = z
  .custom<Record<string, unknown>[]>(Array.isArray, "must be an array")
  .meta({
    description: "Components of a definition, without other blocks.",
    override: {
      type: "array",
      items: { type: "object", additionalProperties: true },
    },
  });

const templateTypeSchema = z.enum(TEMPLATE_TYPES).meta({
  description: "The type of the templates that can use it.",
});

export const partialSchema = z
  .strictObject({
    name: nameSchema,
    title: titleSchema,
    templateType: templateTypeSchema,
    components: componentsSchema,
    version: z.number().int().meta({ description: "Counts the changes." }),
    usedBy: z
      .array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          isPublished: z
            .boolean()
            .meta({ description: "False: only the template's draft uses it." }),
        }),
      )
      .meta({
        description:
          "Templates whose definition, newest version or draft uses it; those in the trash too.",
      }),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .meta({ id: "Partial" });

const newPartialSchema = z
  .strictObject({
    name: nameSchema,
    title: titleSchema.optional(),
    templateType: templateTypeSchema.optional(),
    components: componentsSchema,
  })
  .meta({
    id: "NewPartial",
    example: {
      name: "payment-details",
      title: "Payment details",
      components: [{ type: "text", text: "IBAN DE02 1203 0000 0000 2020 51" }],
    },
  });

const partialPatchSchema = z
  .strictObject({
    title: titleSchema,
    components: componentsSchema,
    expectedVersion: z.int().meta({
      description:
        "The `version` that you read. Returns 409 if the block has changed since.",
    }),
  })
  .partial()
  .meta({ id: "PartialPatch", example: { title: "Bank account" } });

const partialParams = z.strictObject({ name: nameSchema });
const tag = "Templates";
const onePath = "/api/partials/:name";

/** Reusable blocks of templates. */
export function partialOperations(partials: Partials): Operation[] {
  return [
    defineOperation({
      id: "listPartials",
      method: "get",
      path: "/api/partials",
      scope: "templates:read",
      tag,
      summary: "List reusable blocks",
      description:
        "All of them by title, at most 200. A definition uses one with the component `partial` and its name.",
      reply: {
        description: "The blocks.",
        schema: z.strictObject({ data: z.array(partialSchema) }),
      },
      handle: async ({ caller }) => ({
        data: await partials.list(caller.organizationId),
      }),
    }),
    defineOperation({
      id: "createPartial",
      method: "post",
      path: "/api/partials",
      scope: "templates:write",
      tag,
      summary: "Create a reusable block",
      description:
        "The components are checked by themselves; paths of data and names of styles are checked in each template that uses the block. Returns 409 if the name is taken.",
      body: newPartialSchema,
      reply: { status: 201, description: "The block.", schema: partialSchema },
      errors: [409, 413],
      idempotent: true,
      handle: async ({ caller, body, keepAnswer }) =>
        await partials.create(caller, body, getActor(caller), keepAnswer),
    }),
    defineOperation({
      id: "getPartial",
      method: "get",
      path: onePath,
      scope: "templates:read",
      tag,
      summary: "Read a reusable block",
      description: "Includes its components and the templates that use it.",
      params: partialParams,
      reply: { description: "The block.", schema: partialSchema },
      errors: [404],
      handle: async ({ caller, params: { name } }) =>
        await partials.get(caller.organizationId, name),
    }),
    defineOperation({
      id: "updatePartial",
      method: "patch",
      path: onePath,
      scope: "templates:write",
      tag,
      summary: "Change a reusable block",
      description:
        "Changes it in all templates that use it, at once: the next document of each, also of a running batch, has the new block. Nothing changes if a template would become invalid.",
      params: partialParams,
      body: partialPatchSchema,
      reply: { description: "The block.", schema: partialSchema },
      errors: [404, 409, 413],
      handle: async ({ caller, params: { name }, body }) =>
        await partials.change(caller, name, body, getActor(caller)),
    }),
    defineOperation({
      id: "deletePartial",
      method: "delete",
      path: onePath,
      scope: "templates:write",
      tag,
      summary: "Delete a reusable block",
      description:
        "Returns 409 while the definition, the newest version or the draft of a template uses it. Older versions that use it can no longer be rendered.",
      params: partialParams,
      reply: { description: "The deleted block.", schema: partialSchema },
      errors: [404, 409],
      handle: async ({ caller, params: { name } }) =>
        await partials.remove(caller.organizationId, name, getActor(caller)),
    }),
  ];
}
