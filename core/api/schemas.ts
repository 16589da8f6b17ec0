import { z } from "zod";
import type { ZodOpenApiOverrideMetaContext } from "zod-openapi";
import { localeSchema, UNKNOWN_FIELDS } from "../definition/index.js";
import { isPlainObject } from "../lib/json.js";
import { paginationSchema } from "../lib/schemas.js";

/** A page of a list. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    data: z.array(item),
    pagination: paginationSchema,
  });
}

/** A page of a list, or a part of it that follows an item, for which nothing is counted. */
export function pageOrFollowingSchema<Item extends z.ZodType>(item: Item) {
  const { page, pageSize, total } = paginationSchema.shape;
  return z.strictObject({
    data: z.array(item),
    pagination: z
      .strictObject({
        page: page.exactOptional(),
        pageSize,
        total: total.exactOptional(),
        next: z.string().nullable().exactOptional().meta({
          description:
            "With `after` instead of the other two: the `after` of what follows, null at the end.",
        }),
      })
      .meta({ id: "PageOrFollowing" }),
  });
}

export const errorSchema = z
  .strictObject({
    error: z.string().meta({
      description: "What is wrong, where, and how to fix it.",
      example: "$.formats: is required.",
    }),
  })
  .meta({ id: "Error" });

// Query values come as text. Each is checked as text and documented as what it means.

/** A whole number without sign, zeros in front or other notations. */
function wholeNumber(minimum: number, maximum: number) {
  const problem = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,15})$/, problem)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, problem)
    .meta({
      override: ({ jsonSchema }: ZodOpenApiOverrideMetaContext) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: "integer", minimum, maximum });
      },
    });
}

export const booleanWord = z
  .enum(["true", "false"])
  .transform((word) => word === "true")
  .meta({
    override: ({ jsonSchema }: ZodOpenApiOverrideMetaContext) => {
      delete jsonSchema.enum;
      jsonSchema.type = "boolean";
    },
  });

/** `page` is used when `pageSize` is given, as the specification says; it must be right all the same. */
export const pageQuery = {
  page: wholeNumber(1, 1_000_000).optional().meta({
    description: "1-based; used when `pageSize` is given.",
    example: 1,
  }),
  pageSize: wholeNumber(1, 100).optional().meta({
    description: "1 to 100. Without it, the first 100 are returned.",
    example: 20,
  }),
};

/** Without `pageSize`, the first 100, whatever `page` says. */
export function pageOf(query: {
  page?: number | undefined;
  pageSize?: number | undefined;
}): { page: number; pageSize: number } {
  if (query.pageSize === undefined) return { page: 1, pageSize: 100 };
  return { page: query.page ?? 1, pageSize: query.pageSize };
}

/** Any object, handed on as it came: what is in it is the template's affair, and its names are checked by the merge. */
export const dataSchema = z
  .custom<Record<string, unknown>>(isPlainObject, "must be an object")
  .meta({
    description: "The root record: variables of the template.",
    override: { type: "object", additionalProperties: true },
  });

export const unknownFieldsSchema = z.enum(UNKNOWN_FIELDS).meta({
  description:
    "What happens to fields of `data` that the template's schema does not declare: `allow` ignores them, `warn` lists them in the report, `error` refuses the document. Collections without fields accept every field.",
  default: "allow",
});

export const localeField = localeSchema.max(64).optional().meta({
  description:
    "The language of the document: its translations, formats and text direction. A BCP 47 tag. Default: that of the record, if the definition's `locale` is an expression, or else of the template.",
  example: "de-DE",
});
