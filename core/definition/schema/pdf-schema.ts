import { z } from "zod";
import { templateString } from "./data-schema.js";

// What a PDF tells and carries beside its pages.

const structure = {
  tagged: z
    .boolean()
    .optional()
    .describe(
      "Accessible: with a structure tree, for readers that speak. Twice the size, a third more time.",
    ),
  outline: z
    .boolean()
    .optional()
    .describe("Bookmarks, one for each heading; the PDF is tagged too."),
};

const assetSchema = z
  .strictObject({
    asset: z.string().min(1).describe("Id of a stored PDF."),
  })
  .meta({ id: "PdfAsset", description: "A stored PDF." });

const mostJoined = 20;

/** The PDF of every document that is made from a template. */
export const pdfSetupSchema = z
  .strictObject({
    ...structure,
    title: templateString
      .optional()
      .describe("Title in its properties; by default the file's name."),
    author: templateString.optional(),
    subject: templateString.optional(),
    keywords: z.array(templateString).max(50).optional(),
    before: z
      .array(assetSchema)
      .max(mostJoined)
      .optional()
      .describe("PDFs whose pages come before those of the document."),
    after: z
      .array(assetSchema)
      .max(mostJoined)
      .optional()
      .describe("PDFs whose pages come after them, such as terms."),
  })
  .meta({
    id: "PdfSetup",
    description: "What a PDF tells and carries beside its pages.",
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
    owner: passwordText.optional().describe("Lifts the restrictions."),
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
        "What whoever opens it with the user's password may do; everything by default.",
      ),
  })
  .refine(
    ({ user, owner }) => user !== undefined || owner !== undefined,
    "must hold a user or an owner password",
  );

const attachmentFields = {
  name: z
    .string()
    .regex(
      /^[^\p{Cc}\\/]{1,255}$/u,
      "must be a file's name of 1 to 255 characters, without a path",
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
      "How the file relates to the document: AFRelationship; Unspecified by default.",
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

/** What one request changes of it, and what belongs to one document alone. */
export const pdfOptionsSchema = z.strictObject({
  ...structure,
  title: shortText.optional(),
  author: shortText.optional(),
  subject: shortText.optional(),
  keywords: z.array(shortText).max(50).optional(),
  before: z.array(contentSchema).max(mostJoined).optional(),
  after: z.array(contentSchema).max(mostJoined).optional(),
  attachments: z.array(attachmentSchema).max(mostJoined).optional(),
  password: passwordSchema.optional(),
});

export type PdfSetup = z.infer<typeof pdfSetupSchema>;
export type PdfOptions = z.infer<typeof pdfOptionsSchema>;
