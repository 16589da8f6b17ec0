import { z } from "zod";
import { type Partials, partialSchema } from "../../templates/index.js";
import { getActor } from "../middleware.js";
import { createDefinition, type Operation } from "../operation.js";

const newPartialSchema = z
  .strictObject({
    name: partialSchema.shape.name,
    title: partialSchema.shape.title.optional(),
    templateType: partialSchema.shape.templateType.optional(),
    components: partialSchema.shape.components,
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
    title: partialSchema.shape.title,
    components: partialSchema.shape.components,
    expectedVersion: z.int().meta({
      description:
        "The `version` that you read. Returns 409 if the block has changed since.",
    }),
  })
  .partial()
  .meta({ id: "PartialPatch", example: { title: "Bank account" } });

const partialParams = z.strictObject({ name: partialSchema.shape.name });
const defineOperation = createDefinition("Templates");
const onePath = "/api/partials/:name";

/** Reusable blocks of templates. */
export function partialOperations(partials: Partials): Operation[] {
  return [
    defineOperation({
      id: "listPartials",
      get: "/api/partials",
      scope: "templates:read",
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
      post: "/api/partials",
      scope: "templates:write",
      summary: "Create a reusable block",
      description:
        "The components are checked by themselves; paths of data and names of styles are checked in each template that uses the block. Returns 409 if the name is taken.",
      body: newPartialSchema,
      reply: { status: 201, description: "The block.", schema: partialSchema },
      idempotent: true,
      handle: async ({ caller, body, keepAnswer }) =>
        await partials.create(caller, body, getActor(caller), keepAnswer),
    }),
    defineOperation({
      id: "getPartial",
      get: onePath,
      scope: "templates:read",
      summary: "Read a reusable block",
      description: "Includes its components and the templates that use it.",
      params: partialParams,
      reply: { description: "The block.", schema: partialSchema },
      handle: async ({ caller, params: { name } }) =>
        await partials.get(caller.organizationId, name),
    }),
    defineOperation({
      id: "updatePartial",
      patch: onePath,
      scope: "templates:write",
      summary: "Change a reusable block",
      description:
        "Changes it in all templates that use it, at once: the next document of each, also of a running batch, has the new block. Nothing changes if a template would become invalid.",
      params: partialParams,
      body: partialPatchSchema,
      reply: { description: "The block.", schema: partialSchema },
      errors: [409],
      handle: async ({ caller, params: { name }, body }) =>
        await partials.change(caller, name, body, getActor(caller)),
    }),
    defineOperation({
      id: "deletePartial",
      delete: onePath,
      scope: "templates:write",
      summary: "Delete a reusable block",
      description:
        "Returns 409 while the definition, the newest version or the draft of a template uses it. Older versions that use it can no longer be rendered.",
      params: partialParams,
      reply: { description: "The deleted block.", schema: partialSchema },
      errors: [409],
      handle: async ({ caller, params: { name } }) =>
        await partials.remove(caller.organizationId, name, getActor(caller)),
    }),
  ];
}
