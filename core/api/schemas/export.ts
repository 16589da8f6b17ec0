import { z } from "zod";
import { renderOptionsSchema } from "../../definition/index.js";
import { data, formats } from "./record.js";

const submitter = z.strictObject({
  role: z
    .string()
    .min(1, "must not be empty")
    .meta({ description: "A role of the template." }),
  email: z.email("must be an e-mail address"),
  name: z.string().optional(),
  values: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: "Values that are filled in for this signer." }),
  order: z
    .number()
    .optional()
    .meta({ description: "Place in a sequence of signers." }),
});

const esignSettings = z.strictObject({
  submitters: z.array(submitter).optional(),
  expiresAt: z.string().optional().meta({
    description:
      "An ISO 8601 timestamp, or a date, until when it can be signed.",
  }),
  message: z
    .strictObject({
      subject: z.string().optional(),
      body: z.string().optional(),
    })
    .optional(),
});

export const exportBody = z
  .strictObject({
    templateId: z.string().meta({
      description: "An active template of the organization.",
      example: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
    }),
    templateVersion: z.int().min(1, "must be at least 1").optional().meta({
      description: "A snapshot's number; without it, the live definition.",
    }),
    formats,
    data: data.optional(),
    expiresAt: z.string().optional().meta({
      description:
        "When files and links end: an ISO 8601 timestamp (in UTC when it has no offset), or a date, which means the end of that day in UTC. 24 hours from now by default.",
      example: "2030-01-31",
    }),
    imageType: z
      .enum(["png", "jpg"])
      .optional()
      .meta({ description: "Kind of the `image`.", default: "png" }),
    isTest: z.boolean().optional().meta({
      description: "Watermarks every format; is not counted.",
      default: false,
    }),
    strict: z.boolean().optional().meta({
      description:
        "True makes everything that the render report would list an error that lists it: missing variables, images and characters, and what is too wide for the page. Otherwise `x-render-warnings` counts it, and the document's `metadata.platen.report` lists it.",
      default: false,
    }),
    renderOptions: renderOptionsSchema.optional().meta({
      description:
        "What this one document changes of the template's page: margin, paper, scale; which `pages` an image shows, whether in one picture (`singleImage`), at which `deviceScaleFactor` and `quality`; what the PDF tells and carries (`pdf`); and whether the render fails or draws a placeholder when an image cannot be had (`failedAssets`, by default a placeholder) or a barcode cannot carry its value (`invalidCodes`, by default it fails).",
      example: { margin: "20mm", pages: "1-2" },
    }),
    sendForSignature: z.boolean().optional().meta({
      description:
        "Has the document's PDF signed: its sign-fields become fields of the provider's. All that is wrong with signers, roles, expiry and connection is refused before anything is printed, and then nothing is stored. `pdf` need not be among `formats`: it is stored all the same. Not together with `isTest` and `renderOptions.pdf.password`.",
      default: false,
    }),
    esignConnection: z.string().optional().meta({
      description:
        "Id of the saved e-signature connection. Default: the template's.",
    }),
    esignSettings: esignSettings.optional().meta({
      description:
        "Who signs, until when, and what they are told; it goes before what the template's root connection says, role by role.",
    }),
  })
  .meta({
    id: "ExportRequest",
    example: {
      templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
      formats: ["pdf"],
      data: { number: "2026-117" },
    },
  });

export type ExportBody = z.output<typeof exportBody>;
