import { z } from "zod";
import {
  type FileBatches,
  TABLE_PROBLEM_CODES,
  type UploadedFiles,
} from "../../integrations/platforms/index.js";
import { parseJson } from "../../lib/json.js";
import {
  BOOLEAN_STYLES,
  DATE_ORDERS,
  DECIMAL_MARKS,
  HIDDEN_CELLS,
  PlatenError,
  TABLE_FORMATS,
} from "../../plugin-api/index.js";
import {
  createDefinition,
  type Operation,
  type OperationRequest,
  validate,
} from "../operation.js";
import { readFileForm } from "../request-body.js";
import {
  acceptedBatchSchema,
  batchSettingsSchema,
  toMergeRequest,
} from "./batches.js";
import { answerBatch, type BatchServices } from "./export-batch.js";
import { idInput } from "../../lib/schemas.js";

const mapping = z
  .record(z.string(), z.string().min(1).nullable())
  .optional()
  .meta({
    description:
      "The field for each column, as a path from the record, such as `customer.name`; null leaves a column out, and so do columns that are not listed. Default: each column has the values of the field with its name or label, ignoring case, spaces and underscores.",
    example: { "Invoice no": "number", City: "customer.city" },
  });

const tableFields = {
  sheet: z.string().optional().meta({
    description:
      "The sheet of a workbook, by name, also of a hidden one. Default: the first visible one.",
    example: "Invoices",
  }),
  headerRow: z.int().min(0).max(1_048_576).optional().meta({
    description:
      "The number of the row that names the columns; 0 where none does, so that they are called A, B and so on. Default: detected among the first 20.",
  }),
  mapping,
};

const joinSchema = z
  .strictObject({
    ...tableFields,
    key: z.string().meta({
      description: "The column that identifies a row.",
      example: "Invoice no",
    }),
    foreignKey: z.string().optional().meta({
      description:
        "The column of the joined table that has the same value. Default: the one that is called like `key`.",
    }),
    as: z.string().meta({
      description: "The list field for the rows of the joined table.",
      example: "lines",
    }),
  })
  .meta({ id: "TableJoin" });

const readingFields = {
  ...tableFields,
  delimiter: z.string().length(1).optional().meta({
    description:
      "What separates the values of a CSV file. Default: that of a first line such as `sep=;`, else detected among `,`, `;`, tab and `|`.",
  }),
  encoding: z.string().max(40).optional().meta({
    description:
      "Of a text file, by its name in the WHATWG Encoding Standard, or `ibm850` or `ibm852`. Default: detected; where its letters would be words in two encodings, it is required.",
    example: "windows-1252",
  }),
  decimal: z.enum(DECIMAL_MARKS).optional().meta({
    description:
      "The decimal mark of numbers in texts. Default: that which the values of the column show, or else those of other columns of Number fields; where `1,234` alone may be two numbers, it is required.",
  }),
  dateFormat: z.enum(DATE_ORDERS).optional().meta({
    description:
      "The order of day, month and year of dates in texts. Default: detected; where day and month cannot be told apart, it is required.",
  }),
  hiddenRows: z.enum(HIDDEN_CELLS).optional().meta({
    description:
      "Whether rows that a sheet hides, by hand or by a filter, are used or left out. Default: `include`.",
  }),
  hiddenColumns: z.enum(HIDDEN_CELLS).optional().meta({
    description:
      "Whether columns that a sheet hides are used without `mapping`. Default: `include`.",
  }),
  join: z
    .union([joinSchema, z.array(joinSchema).min(1).max(10)])
    .transform((joins) => [joins].flat())
    .optional()
    .meta({
      description:
        "Another table whose rows become items of a list in the rows of the first, or a list of such tables with a list field for each: sheets of the same file, or the form's file `join`.",
    }),
  group: z
    .strictObject({
      by: z.string().meta({
        description: "The column with the key of a document.",
        example: "Invoice no",
      }),
      as: z.string().meta({
        description: "The list field for the rows of a document.",
        example: "lines",
      }),
    })
    .optional()
    .meta({
      description:
        "Rows with the same key become one document. Columns with the name of a field of the document must agree in its rows; the others become the items of the list. Paths of `mapping` such as `lines.quantity` name fields of the items.",
    }),
};

const requestSchema = z
  .strictObject({
    ...batchSettingsSchema.omit({ validate: true, isTest: true }).shape,
    ...readingFields,
    metadata: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description:
          "Keys of each document's metadata, and the columns with their values. `row`, the number of the row, is always there.",
        example: { customer: "Customer no" },
      }),
  })
  .meta({
    id: "FileBatchRequest",
    example: {
      templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
      formats: ["pdf"],
      sheet: "Invoices",
      mapping: { "Invoice no": "number", City: "customer.city" },
      join: { sheet: "Lines", key: "Invoice no", as: "lines" },
    },
  });

const bytes = z.string().meta({ format: "binary" });

const formSchema = z
  .strictObject({
    file: bytes.meta({
      description:
        "CSV, XLSX, ODS, JSON (a list of objects) or JSON Lines, detected from its content.",
    }),
    join: bytes.optional().meta({
      description:
        "A second file, with the tables of `join`, unless they are sheets of the first.",
    }),
    request: requestSchema,
  })
  .meta({ id: "FileBatchForm" });

const inspectRequestSchema = z
  .strictObject({
    templateId: idInput,
    templateVersion: batchSettingsSchema.shape.templateVersion,
    unknownFields: batchSettingsSchema.shape.unknownFields,
    locale: batchSettingsSchema.shape.locale,
    ...readingFields,
  })
  .meta({ id: "FileInspectionRequest" });

const inspectFormSchema = z
  .strictObject({
    file: bytes,
    join: bytes.optional(),
    request: inspectRequestSchema,
  })
  .meta({ id: "FileInspectionForm" });

const columnSchema = z.strictObject({
  name: z.string().meta({
    description:
      "From the header row; a repeated name, and a missing one, gets the column's letters.",
  }),
  type: z.enum(["text", "number", "date", "boolean", "other", "empty"]),
  values: z.array(z.unknown()).meta({
    description: "The first five, as a sheet shows them.",
  }),
  isHidden: z.boolean().meta({ description: "Whether the sheet hides it." }),
  dateOrder: z
    .enum([...DATE_ORDERS, "ambiguous"])
    .nullable()
    .meta({
      description: "How its texts write dates; null without such texts.",
    }),
  decimal: z
    .enum([...DECIMAL_MARKS, "ambiguous"])
    .nullable()
    .meta({
      description:
        "The decimal mark that its texts show; null when it does not matter, and `ambiguous` for texts such as `1,234` alone.",
    }),
  booleans: z.enum(BOOLEAN_STYLES).nullable().meta({
    description:
      "How its texts write yes and no: as TRUE and FALSE, by marks alone (an empty cell is no), by crosses and words for no, or by words; null without such texts.",
  }),
});

const inspectedTableFields = {
  format: z.enum(TABLE_FORMATS),
  encoding: z.string().nullable().meta({ example: "utf-8" }),
  delimiter: z.string().nullable(),
  sheets: z.array(z.string()),
  hiddenSheets: z.array(z.string()).meta({
    description:
      "Sheets that the workbook hides. Name one in `sheet`, or in `join`, to use it.",
  }),
  sheet: z.string().nullable(),
  headerRow: z.int().nullable(),
  rowCount: z.int(),
  hiddenRowCount: z.int().meta({
    description:
      "The rows that the sheet hides, by hand or by a filter, whether they are used or not.",
  }),
  columns: z.array(columnSchema),
  mapping: z.record(z.string(), z.string().nullable()),
};

const fieldsSchema = z.array(
  z.strictObject({
    path: z.string(),
    label: z.string(),
    type: z.enum(["String", "Number", "Date", "Boolean", "Autogenerated"]),
    isRequired: z.boolean(),
  }),
);

const problemValuesSchema = z
  .strictObject({
    sheet: z.string().optional().meta({
      description: "The sheet of the rows of a list, or of the documents.",
    }),
    row: z.int().optional(),
    column: z.string().optional(),
    field: z.string().optional().meta({
      description: "The path of the field, or of the list.",
    }),
    text: z.string().optional().meta({
      description: "The value, or its first 60 characters.",
    }),
    other: z.string().optional().meta({
      description: "The value that it differs from, or the unit of a number.",
    }),
    otherRow: z.int().optional().meta({ description: "The row with `other`." }),
    readings: z.array(z.string()).optional().meta({
      description: "The numbers, or the orders of dates, that it may be.",
    }),
    fields: z.array(z.string()).optional().meta({
      description:
        "The fields that the column fits or of the record, or the lists.",
    }),
    columns: z.array(z.string()).optional().meta({
      description: "The columns that fit the list, or fields of the documents.",
    }),
    count: z.int().optional().meta({
      description:
        "How many values the row has, or how many rows are several to a document.",
    }),
    documentCount: z.int().optional(),
    range: z.string().optional().meta({
      description: "The cells that are merged.",
      example: "A2:B2",
    }),
  })
  .meta({
    description:
      "Where it is, and what the message says, each where it applies.",
    example: { row: 7, column: "Total", text: "many" },
  });

export const fileInspectionSchema = z
  .strictObject({
    ...inspectedTableFields,
    documentCount: z.int().meta({
      description: "How many documents a batch would have.",
    }),
    proposal: z
      .strictObject({
        by: z.string(),
        as: z.string(),
        documentCount: z.int(),
      })
      .nullable()
      .meta({
        description:
          "What `group` could be: the rows look like several to a document. Null when the request has `group`, `join` or `mapping`.",
      }),
    joins: z
      .array(
        z.strictObject({
          sheet: z.string(),
          key: z.string(),
          foreignKey: z.string(),
          as: z.string(),
        }),
      )
      .meta({
        description:
          "What `join` could be, one for each list: another sheet, which may be one of `hiddenSheets`, has columns of a list, and a row of this one for most of its rows. Several of a sheet where you have to choose; empty when the request has `mapping`.",
      }),
    joined: z
      .array(z.strictObject({ ...inspectedTableFields, fields: fieldsSchema }))
      .meta({
        description:
          "The tables of `join`, in its order, and the fields of their lists.",
      }),
    fields: fieldsSchema.meta({
      description: "The template's fields that columns can fill.",
    }),
    decimal: z.enum(DECIMAL_MARKS).nullable().meta({
      description:
        "Null when it must be given, and when the columns have different ones.",
    }),
    dateFormat: z.enum(DATE_ORDERS).nullable().meta({
      description: "Null when it must be given.",
    }),
    first: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        "The data of the first document; null when no row is without problems.",
    }),
    problems: z
      .array(
        z.strictObject({
          path: z.string().meta({ example: 'row 7, column "Total"' }),
          code: z.enum(TABLE_PROBLEM_CODES).meta({
            description: "What is wrong. Later versions may have other codes.",
            example: "not_a_number",
          }),
          message: z.string(),
          hint: z.string().optional(),
          values: problemValuesSchema,
        }),
      )
      .meta({
        description:
          "Why a batch of this file would not be accepted; at most 1,000.",
      }),
  })
  .meta({ id: "FileInspection" });

export interface FileBatchServices extends BatchServices {
  fileBatches: FileBatches;
}

type Request = OperationRequest<unknown, unknown, unknown>;

const defineOperation = createDefinition("Batches");

export function fileBatchOperations(services: FileBatchServices): Operation[] {
  return [
    defineOperation({
      id: "exportFileBatch",
      post: "/api/export/batch/file",
      scope: "documents:write",
      summary: "Render the rows of a file in the background",
      description:
        "Requires the premium or enterprise plan. Each row of the file becomes one document, with the number of the row as `row` in its `metadata`. " +
        "All rows are read, converted to the types of the template's fields and checked first: if any has a problem, the response is a 400 that " +
        "lists up to 1,000 of them by row and column, and nothing is created. `GET /api/batches/:batchId/table` returns the rows with links to their " +
        "documents. With an `Idempotency-Key` you can safely retry the request for 24 hours: it creates one batch and returns the same response.",
      body: formSchema,
      readsBody: true,
      isForm: true,
      reply: {
        status: 202,
        description: "The batch, with every document queued.",
        schema: acceptedBatchSchema,
      },
      errors: [404],
      idempotent: {
        hashBody: (request) =>
          readForm(services, request, requestSchema, ({ hash }) =>
            Promise.resolve(hash),
          ),
        replay: (id, { caller }) => answerBatch(services.batches, caller, id),
      },
      handle: (request) =>
        readForm(services, request, requestSchema, async (form) => {
          const { caller, keepAnswer } = request;
          const { organizationId, plan, userId: createdById } = caller;
          const { merge, ...options } = form.options;
          const batch = await services.fileBatches.generate(
            {
              ...options,
              merge: merge && toMergeRequest(merge),
              organizationId,
              plan,
              createdById,
            },
            form.files,
            (tx, { id }) => keepAnswer(tx, id, form.hash),
          );
          return answerBatch(services.batches, caller, batch.id);
        }),
    }),
    defineOperation({
      id: "inspectFile",
      post: "/api/export/batch/file/inspect",
      scope: "documents:write",
      summary: "Check a file without creating documents",
      description:
        "Reads a file as `POST /api/export/batch/file` does, and returns what it detected: format, encoding, delimiter, sheets, header row, " +
        "columns with their first values, the field for each column, the data of the first document, and all problems. The file is not kept.",
      body: inspectFormSchema,
      readsBody: true,
      isForm: true,
      reply: {
        description: "What the file has.",
        schema: fileInspectionSchema,
      },
      errors: [404],
      handle: (request) =>
        readForm(
          services,
          request,
          inspectRequestSchema,
          async ({ options, files }) => {
            const { organizationId } = request.caller;
            const order = { ...options, organizationId };
            const { first, ...inspection } = await services.fileBatches.inspect(
              order,
              files,
            );
            return { ...inspection, first: first && { ...first } };
          },
        ),
    }),
  ];
}

interface ReadForm<Options> {
  options: Options;
  files: UploadedFiles;
  /** Identifies the options and the files. */
  hash: string;
}

async function readForm<S extends z.ZodType, T>(
  { fileBatches, maxBatchBodyBytes }: FileBatchServices,
  { ctx }: Request,
  schema: S,
  take: (form: ReadForm<z.output<S>>) => Promise<T>,
): Promise<T> {
  const limits = {
    folder: fileBatches.uploadFolder,
    maxBytes: maxBatchBodyBytes,
    names: ["file", "join"],
  };
  return readFileForm(ctx.req, limits, async ({ fields, files }) => {
    const file = files.get("file");
    if (file === undefined)
      throw new PlatenError(
        "invalid_request",
        "The form has no file. Send it as curl -F file=@orders.csv -F 'request={ … }' does.",
      );
    const { request } = fields;
    if (request === undefined)
      throw new PlatenError(
        "invalid_request",
        'The form has no field "request". Send the template\'s id and the formats in it, as JSON.',
      );
    const options = schema.parse(validate(schema, parseJson(request), "body"));
    const join = files.get("join");
    const hash = JSON.stringify([options, file.hash, join?.hash ?? null]);
    return take({ options, files: { file, join }, hash });
  });
}
