import { z } from "zod";
import { childrenSchema } from "./component-schema.js";
import { conformanceSchema, findConformanceConflicts } from "./conformance.js";
import { templateString } from "./data-schema.js";
import { colorSchema, lengthSchema } from "./primitives.js";

// Output settings: the page of a document template, the PDF file, and the options of a render request.

export const PAGE_SIZES = [
  "A4",
  "A3",
  "A5",
  "Letter",
  "Legal",
  "Tabloid",
  "Custom",
] as const;

const pageSizeSchema = z.enum(PAGE_SIZES);

const marginSchema = z
  .union([
    lengthSchema,
    z.strictObject({
      top: lengthSchema.optional(),
      right: lengthSchema.optional(),
      bottom: lengthSchema.optional(),
      left: lengthSchema.optional(),
    }),
  ])
  .meta({
    id: "Margin",
    description:
      "One length for all sides, or one for each side; an omitted side keeps its default.",
  });

const bandUnion = z
  .union([
    childrenSchema,
    z.strictObject({
      components: childrenSchema,
      height: lengthSchema.optional(),
    }),
  ])
  .meta({
    id: "Band",
    description: "A header or footer: its components and its minimum height.",
  });

export type Band = z.infer<(typeof bandUnion)["options"][number]>;
const bandSchema: z.ZodType<Band> = bandUnion;

const backgroundSchema = z.union([
  colorSchema,
  z.strictObject({
    color: colorSchema.optional(),
    image: templateString.optional(),
    fit: z.enum(["contain", "cover", "fill"]).optional(),
  }),
]);

const watermarkSchema = z.union([
  templateString,
  z.strictObject({
    text: templateString.optional(),
    image: templateString.optional(),
    color: colorSchema.optional(),
    opacity: z.number().min(0).max(1).optional(),
    angle: z.number().min(-360).max(360).optional(),
    fontSize: lengthSchema.optional(),
  }),
]);

export const pageSetupSchema = z.strictObject({
  size: pageSizeSchema.optional(),
  width: lengthSchema.optional(),
  height: lengthSchema.optional(),
  landscape: z.boolean().optional(),
  margin: marginSchema.optional(),
  header: bandSchema.optional(),
  footer: bandSchema.optional(),
  firstHeader: bandSchema.optional(),
  firstFooter: bandSchema.optional(),
  background: backgroundSchema.optional(),
  watermark: watermarkSchema.optional(),
});

export type PageSize = z.infer<typeof pageSizeSchema>;
export type Margin = z.infer<typeof marginSchema>;
export type Background = z.infer<typeof backgroundSchema>;
export type Watermark = z.infer<typeof watermarkSchema>;
export interface PageSetup extends z.infer<typeof pageSetupSchema> {}

const fileOptions = {
  conformance: conformanceSchema.optional(),
  tagged: z
    .boolean()
    .optional()
    .describe(
      "Accessible: with a structure tree for screen readers. Doubles the size and takes a third more time.",
    ),
  outline: z
    .boolean()
    .optional()
    .describe("Adds a bookmark for each heading; the PDF is tagged too."),
  sign: z
    .boolean()
    .optional()
    .describe(
      "Signs the PDF digitally with the organization's signing certificate (PAdES).",
    ),
};

/** Reports each option that another does not allow. */
function checkCombinations(
  options: Parameters<typeof findConformanceConflicts>[0],
  context: z.core.$RefinementCtx,
): void {
  for (const { option, message } of findConformanceConflicts(options))
    context.addIssue({ code: "custom", path: [option], message });
}

const assetSchema = z
  .strictObject({
    asset: z.string().min(1).describe("The id of a stored PDF."),
  })
  .meta({ id: "PdfAsset", description: "A stored PDF." });

const MAX_JOINED_PDFS = 20;

/** PDF settings of a template; they apply to all its documents. */
export const pdfSetupSchema = z
  .strictObject({
    ...fileOptions,
    title: templateString
      .optional()
      .describe("The title in the PDF properties; defaults to the file name."),
    author: templateString.optional(),
    subject: templateString.optional(),
    keywords: z.array(templateString).max(50).optional(),
    before: z
      .array(assetSchema)
      .max(MAX_JOINED_PDFS)
      .optional()
      .describe("PDFs whose pages are placed before those of the document."),
    after: z
      .array(assetSchema)
      .max(MAX_JOINED_PDFS)
      .optional()
      .describe("PDFs whose pages are placed after them, such as terms."),
  })
  .superRefine(checkCombinations)
  .meta({
    id: "PdfSetup",
    description: "Properties of the PDF file and PDFs joined to it.",
  });

const base64 = z.base64("must be base64, without a data: prefix");

const contentSchema = z.union(
  [assetSchema, z.strictObject({ base64 })],
  'either { "asset": "<id of a stored PDF>" } or { "base64": "<the PDF>" }',
);

const shortText = z.string().max(1000, "must be at most 1000 characters long");

/** Passwords of more than 127 bytes would be cut off (ISO 32000-2, 7.6.4.3.3). */
const passwordText = z
  .string()
  .min(1, "must not be empty")
  .refine(
    (text) => new TextEncoder().encode(text).length <= 127,
    "must be at most 127 bytes long",
  );

const passwordSchema = z
  .strictObject({
    user: passwordText.optional().describe("Opens the PDF."),
    owner: passwordText.optional().describe("Removes the restrictions."),
    permissions: z
      .array(
        z.enum([
          "print",
          "modify",
          "copy",
          "annotate",
          "fillForms",
          "assemble",
        ]),
      )
      .optional()
      .describe(
        "What is allowed after opening it with the user password; everything by default.",
      ),
  })
  .refine(
    ({ user, owner }) => user !== undefined || owner !== undefined,
    "must contain a user or an owner password",
  );

/** Not `\p{Cc}`, because JSON Schema's patterns have no flags. */
const controlCharacters = String.raw`\u0000-\u001f\u007f-\u009f`;

const attachmentFields = {
  name: z
    .string()
    .regex(
      new RegExp(`^[^${controlCharacters}\\\\/]{1,255}$`, "u"),
      "must be a file name of 1 to 255 characters, without a path",
    ),
  mimeType: z
    .string()
    .regex(
      /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/,
      "must be a media type, such as text/xml",
    ),
  relationship: z
    .enum(["Source", "Data", "Alternative", "Supplement", "Unspecified"])
    .optional()
    .describe(
      "How the file relates to the document (AFRelationship); defaults to Unspecified.",
    ),
  description: shortText.optional(),
};

const attachmentSchema = z.union(
  [
    z.strictObject({ ...attachmentFields, base64 }),
    z.strictObject({ ...attachmentFields, ...assetSchema.shape }),
  ],
  'a name, a mimeType, and either "base64" or "asset"',
);

/** PDF options of one request: overrides of the template's settings, and features of a single document. */
const pdfOptionsSchema = z
  .strictObject({
    ...fileOptions,
    title: shortText.optional(),
    author: shortText.optional(),
    subject: shortText.optional(),
    keywords: z.array(shortText).max(50).optional(),
    before: z.array(contentSchema).max(MAX_JOINED_PDFS).optional(),
    after: z.array(contentSchema).max(MAX_JOINED_PDFS).optional(),
    attachments: z.array(attachmentSchema).max(MAX_JOINED_PDFS).optional(),
    password: passwordSchema.optional(),
  })
  .superRefine(checkCombinations);

export interface PdfSetup extends z.infer<typeof pdfSetupSchema> {}
export type PdfOptions = z.infer<typeof pdfOptionsSchema>;

const htmlOptionsSchema = z.strictObject({
  embedFonts: z
    .boolean()
    .optional()
    .describe(
      "Embeds the fonts that the document uses, so that it looks the same on machines without them; adds 10 to 40 KB for each face.",
    ),
});

/** What a request may override of a template's page setup, and how the document is rendered. */
export const renderOptionsSchema = z.strictObject({
  margin: marginSchema.optional(),
  /** Scale of the content; the paper keeps its size. */
  scale: z.number().min(0.1).max(2).optional(),
  size: pageSizeSchema.optional(),
  width: lengthSchema.optional(),
  height: lengthSchema.optional(),
  landscape: z.boolean().optional(),
  /** The pages of an image output. */
  pages: z
    .string()
    .regex(/^(all|\d+(-\d+)?(,\d+(-\d+)?)*)$/, {
      error: '"all", or page numbers such as "1-3,5"',
    })
    .optional(),
  /** Whether an image output stacks all pages in a single image. */
  singleImage: z.boolean().optional(),
  /** Image pixels per CSS pixel (1/96 inch). */
  deviceScaleFactor: z.number().min(0.1).max(8).optional(),
  /** Quality of a jpg. */
  quality: z.int().min(1).max(100).optional(),
  pdf: pdfOptionsSchema.optional(),
  html: htmlOptionsSchema.optional(),
  /** What happens to a document when one of its images cannot be fetched. */
  failedAssets: z.enum(["placeholder", "fail"]).optional(),
  /** What happens when a barcode or QR code cannot encode its value. */
  invalidCodes: z.enum(["placeholder", "fail"]).optional(),
});

export type RenderOptions = z.infer<typeof renderOptionsSchema>;
