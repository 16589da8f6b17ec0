import { z } from "zod";
import type { ZodOpenApiOverrideMetaContext } from "zod-openapi";

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
