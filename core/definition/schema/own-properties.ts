import { z } from "zod";
import { SIGN_FIELD_TYPES } from "../../plugin-api/index.js";
import { templateString } from "./data-schema.js";
import { colorSchema, sizeSchema } from "./primitives.js";
import { textSchema } from "./text-schema.js";

// The properties of components that hold no others, beside those that every component has.

export const heading = {
  text: textSchema,
  level: z.number().int().min(1).max(6).optional(),
};

export const text = {
  text: textSchema,
};

export const markdown = {
  value: templateString,
};

export const html = {
  value: templateString,
};

export const image = {
  src: templateString,
  alt: templateString.optional(),
  width: sizeSchema.optional(),
  height: sizeSchema.optional(),
  fit: z.enum(["contain", "cover"]).optional(),
  href: templateString.optional(),
};

export const button = {
  text: textSchema,
  href: templateString,
};

export const spacer = {
  height: sizeSchema,
};

export const qrcode = {
  value: templateString,
  size: sizeSchema.optional(),
  ecc: z.enum(["L", "M", "Q", "H"]).optional(),
};

export const barcode = {
  value: templateString,
  symbology: z.enum([
    "code128",
    "code39",
    "ean13",
    "ean8",
    "upca",
    "itf14",
    "datamatrix",
    "pdf417",
  ]),
  showText: z.boolean().optional(),
  height: sizeSchema.optional(),
};

export const chart = {
  chart: z.enum(["bar", "line", "pie", "doughnut"]),
  data: z.string().min(1),
  label: z.string().min(1),
  series: z
    .array(
      z.strictObject({
        field: z.string().min(1),
        label: z.string().optional(),
        color: colorSchema.optional(),
        aggregate: z.enum(["SUM", "COUNT", "AVG"]).optional(),
      }),
    )
    .min(1),
  height: sizeSchema.optional(),
};

export const pageNumber = {
  format: z.string().optional(),
};

export const signField = {
  field: z.enum(SIGN_FIELD_TYPES),
  name: z.string().min(1),
  submitter: templateString,
  required: z.boolean().optional(),
  width: sizeSchema.optional(),
  height: sizeSchema.optional(),
  options: z.array(z.string()).optional(),
};

export const social = {
  items: z.array(
    z.strictObject({ network: z.string().min(1), href: templateString }),
  ),
};

export const preheader = {
  text: templateString,
};
