import { z } from "zod";

export const MEGABYTE = 1024 * 1024;

/** One variable of the environment: how it is read, and how to say what it should have been. */
export interface Variable<T> {
  /** Reads the trimmed text; undefined when it is not set. */
  schema: z.ZodType<T, string | undefined>;
  /** Completes "expected …". */
  expected: string;
  example: string;
  /** Its value is never shown. */
  isSecret?: boolean;
}

export const text = (fallback: string) => z.string().prefault(fallback);

export const optionalText = z
  .string()
  .optional()
  .transform((value) => value ?? null);

export function choice<const T extends readonly [string, ...string[]]>(
  words: T,
  fallback: T[number],
) {
  return z
    .string()
    .prefault(fallback)
    .transform((word) => word.toLowerCase())
    .pipe(z.enum(words));
}

/** A whole number between `least` and `most`, both allowed; null when it is not set. */
export function optionalWhole(least: number, most: number) {
  return z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .optional()
    .transform((value) => value ?? null);
}

/** A whole number between `least` and `most`, both allowed. */
export function whole(fallback: number, least: number, most: number) {
  return z
    .string()
    .regex(/^\d+$/)
    .prefault(String(fallback))
    .transform(Number)
    .pipe(z.number().min(least).max(most));
}
