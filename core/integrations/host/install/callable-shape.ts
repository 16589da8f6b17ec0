import { z } from "zod";
import { PLUGIN_API } from "../../../plugin-api/index.js";
import type { CallableKind } from "../callable-plugins.js";

export const method = z.custom<unknown>(
  (value) => typeof value === "function",
  "must be a function",
);

const rate = z.object({
  key: method,
  perSecond: method.optional(),
  maxPerSecond: z.number().positive().optional(),
  maxPerMinute: z.number().int().positive().optional(),
  maxInFlight: z.number().int().positive(),
  cooldownMs: z.number().nonnegative().optional(),
});

/** What plugins of every kind that is called must have. */
export function callableShape(kind: CallableKind) {
  return {
    meta: z.object({
      kind: z.literal(kind),
      id: z.string(),
      title: z.string(),
      version: z.string(),
      api: z.literal(PLUGIN_API),
    }),
    credentials: z.object({ schema: z.looseObject({}) }),
    rate,
    check: method,
  };
}

/** In words for the plugin's author. */
export function firstFault(shape: z.ZodType, value: unknown): string {
  const [issue] = shape.safeParse(value).error?.issues ?? [];
  const place = ["plugin", ...(issue?.path ?? [])].join(".");
  return `${place}: ${issue?.message ?? "is wrong"}`;
}
