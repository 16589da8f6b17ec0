import { z } from "zod";
import { marginSchema, pageSizeSchema } from "./page-schema.js";
import { pdfOptionsSchema } from "./pdf-schema.js";
import { lengthSchema } from "./primitives.js";

/** What one request may change of a template's page set-up, and how it is rendered. */
export const renderOptionsSchema = z.strictObject({
  margin: marginSchema.optional(),
  /** Of what is on the page; the paper keeps its size. */
  scale: z.number().min(0.1).max(2).optional(),
  size: pageSizeSchema.optional(),
  width: lengthSchema.optional(),
  height: lengthSchema.optional(),
  landscape: z.boolean().optional(),
  /** Which pages an image output shows. */
  pages: z
    .string()
    .regex(/^(all|\d+(-\d+)?(,\d+(-\d+)?)*)$/, {
      error: '"all", or page numbers such as "1-3,5"',
    })
    .optional(),
  /** Whether an image output shows them one below the other in one picture. */
  singleImage: z.boolean().optional(),
  /** Pixels of a picture for each CSS pixel (1/96 inch). */
  deviceScaleFactor: z.number().min(0.1).max(8).optional(),
  /** Of a jpg. */
  quality: z.int().min(1).max(100).optional(),
  pdf: pdfOptionsSchema.optional(),
  /** What becomes of a document when an image of it cannot be had. */
  failedAssets: z.enum(["placeholder", "fail"]).optional(),
  /** What becomes of it when a barcode or QR code cannot carry its value. */
  invalidCodes: z.enum(["placeholder", "fail"]).optional(),
});

export type RenderOptions = z.infer<typeof renderOptionsSchema>;
