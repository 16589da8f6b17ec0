import { z } from "zod";
import { FORMATS, type Output } from "../plugin-api/index.js";
import { normalizeId } from "./ids.js";
import { isPlainObject } from "./json.js";

// What the requests and answers of several capabilities have in common.

/** An id in a request; a UUID in upper case is the same id. */
export const idInput = z.string().overwrite(normalizeId);

export const timestampSchema = z.iso
  .datetime()
  .meta({ description: "ISO 8601, UTC.", example: "2026-07-31T09:30:00.000Z" });

export const personSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    image: z.string().nullable().meta({ description: "URL of a portrait." }),
  })
  .meta({ id: "Person" });

export const paginationSchema = z
  .strictObject({
    page: z.number().int(),
    pageSize: z.number().int(),
    total: z
      .number()
      .int()
      .meta({ description: "The number of items on all pages." }),
  })
  .meta({ id: "Pagination" });

export const formatsSchema = z
  .array(z.enum(FORMATS))
  .min(1)
  .refine(isWithoutDuplicates, "must name each format once")
  .meta({
    description:
      "Each at most once. `image` is the first page, or all of an email, unless `renderOptions.pages` says otherwise; `mjml` is the MJML source with the data merged, of a document its parts that a mail can show; `xml` is the electronic invoice of a template with `einvoice`.",
    example: ["pdf"],
  });

function isWithoutDuplicates(words: readonly string[]): boolean {
  return new Set(words).size === words.length;
}

/** One stored file of a document. */
export const outputSchema = z
  .strictObject({
    label: z.string().meta({
      description:
        "The format; pages after the first of an image are `image-2`, `image-3` …",
      example: "pdf",
    }),
    storageKey: z.string(),
    url: z.string().meta({
      description: "Download link; needs no key, works until `expiresAt`.",
    }),
    mimeType: z.string().meta({ example: "application/pdf" }),
    sizeBytes: z.number().int(),
    checksum: z
      .string()
      .meta({ description: "`sha256:` and 64 hexadecimal digits." }),
  })
  .meta({ id: "Output" }) satisfies z.ZodType<Output>;

/** Any object: the checker of definitions reports all problems of its content. The reference shows the real schema. */
export const definitionSchema = z
  .custom<Record<string, unknown>>(isPlainObject, "must be an object")
  .meta({
    id: "Definition",
    override: { type: "object", additionalProperties: true },
  });

const deliveryText = z.string().max(2000);

const deliverySchema = z
  .object({
    connection: z.string().max(255).optional().meta({
      description:
        "The id of a connection to a delivery method. Default: `email`, the mail server of the service.",
    }),
    formats: formatsSchema.optional().meta({
      description: "Which files. Default: all that the document has.",
    }),
    filename: deliveryText.optional().meta({
      description:
        "The name of the file, without extension. Default: the document's.",
      example: "Invoice {{root.number}}",
    }),
    to: deliveryText.optional().meta({
      description: "Email: addresses separated by commas, semicolons or lines.",
      example: "{{root.customer.email}}",
    }),
    cc: deliveryText.optional().meta({ description: "Email." }),
    bcc: deliveryText.optional().meta({ description: "Email." }),
    replyTo: deliveryText.optional().meta({ description: "Email." }),
    testTo: deliveryText.optional().meta({
      description:
        "Email: everything goes to this address, or several as in `to`, and nothing to the others; `me` is your own.",
    }),
    subject: deliveryText.optional().meta({
      description:
        "Email. Default: the subject of `template`, or the document's name.",
      example: "Your invoice {{root.number}}",
    }),
    body: z
      .string()
      .max(20_000)
      .optional()
      .meta({ description: "Email: plain text." }),
    template: idInput.optional().meta({
      description:
        "Email: the id of an email template, which is rendered with the same record and is the body.",
    }),
    files: z.enum(["attach", "link"]).optional().meta({
      description:
        "Email: whether files are attached, or linked until the document expires. Default: `attach`.",
    }),
    folder: deliveryText.optional().meta({
      description: "Storages: the folder of the file.",
      example: "invoices/{{root.year}}",
    }),
  })
  .catchall(z.unknown())
  .meta({
    id: "Delivery",
    description:
      "Where each document is delivered once it has succeeded. Texts may contain expressions over the record. Which of `to`, `folder` and other fields exist depends on the connection's delivery method; GET /api/delivery-methods describes them as `target`.",
  });

/** `deliver` of a batch, a link or a template. */
export const deliverField = z.array(deliverySchema).max(10);

/** What an answer is made of, where times can be dates. */
type Values<View> = {
  readonly [Name in keyof View]:
    | View[Name]
    | (string extends View[Name] ? Date : never)
    | (object extends Pick<View, Name> ? undefined : never);
};

type RequiredNames<Of> = {
  [Name in keyof Of]-?: object extends Pick<Of, Name> ? never : Name;
}[keyof Of];

/**
 * An answer with what its schema names: computed values, and the rest from a row, whose other columns are left out.
 * Times become ISO 8601. A computed value that is undefined is left out.
 */
export function toView<
  Schema extends z.ZodObject,
  Computed extends Partial<Values<z.output<Schema>>> = object,
>(
  { shape }: Schema,
  row: Values<Omit<z.output<Schema>, RequiredNames<Computed>>>,
  computed?: Computed,
): z.output<Schema> {
  const view = Object.keys(shape).flatMap((name) => {
    const source = computed && name in computed ? computed : row;
    const value: unknown = Reflect.get(source, name);
    if (value === undefined) return [];
    return [[name, value instanceof Date ? value.toISOString() : value]];
  });
  return Object.fromEntries(view);
}
