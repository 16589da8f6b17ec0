import { z } from "zod";
import { documentSignature } from "./document.js";

const file = {
  url: z.string().meta({
    description: "Download link; needs no key, works until `expiresAt`.",
  }),
  sizeBytes: z.number().int(),
  mimeType: z.string(),
  checksum: z
    .string()
    .meta({ description: "`sha256:` and 64 hexadecimal digits." }),
  filename: z.string(),
  storageKey: z.string(),
};

const storedFile = z.strictObject(file).meta({ id: "RenderedFile" });

const image = z
  .strictObject({
    ...file,
    pages: z
      .array(z.strictObject({ page: z.number().int(), ...file }))
      .optional()
      .meta({
        description:
          "Every page that `renderOptions.pages` asked for; the image itself is the first of them.",
      }),
  })
  .meta({ id: "RenderedImage" });

const html = z
  .strictObject({
    htmlDocument: z.string(),
    checksum: file.checksum,
    mimeType: z.literal("text/html"),
    url: z.literal(""),
    sizeBytes: file.sizeBytes,
  })
  .meta({ id: "RenderedHtml" });

const mjml = z
  .strictObject({
    mjmlDocument: z.string(),
    checksum: file.checksum,
    mimeType: z.literal("text/mjml"),
    url: z.literal(""),
    sizeBytes: file.sizeBytes,
  })
  .meta({ id: "RenderedMjml" });

/** Keyed by the formats that were asked for. */
export const exportResult = z
  .strictObject({
    pdf: storedFile.optional(),
    html: html.optional(),
    image: image.optional(),
    mjml: mjml.optional(),
    signature: documentSignature.optional().meta({
      description: "Of a document that went to signing.",
    }),
  })
  .meta({ id: "ExportResult" });

export type ExportResult = z.input<typeof exportResult>;
