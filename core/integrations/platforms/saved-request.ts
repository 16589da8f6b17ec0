import { z } from "zod";
import {
  DOCUMENT_DELIVERIES,
  type DocumentDeliveries,
  requireBatchPlan,
} from "../../batches/index.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import { deliverField, formatsSchema, idInput } from "../../lib/schemas.js";
import { type Format, FORMATS, PlatenError } from "../../plugin-api/index.js";
import {
  type Automation,
  type DeliverEntry,
  type Link,
  Organization,
  type Store,
  STORE,
  Template,
} from "../../storage/database/index.js";
import { ConnectionService } from "../connections/index.js";
import { resolveDestination } from "./destination.js";
import {
  checkSelector,
  type RecordSelector,
  recordsSchema,
  toSelector,
} from "./select-records.js";

// Links and automations each store a request for documents of a platform's records.

const recordsInAnswers = z.union([
  z.strictObject({ viewId: z.string(), viewName: z.string() }),
  z.strictObject({ filter: z.unknown() }),
  z.strictObject({ emptyAttachment: z.literal(true) }),
]);

/** What an answer says of a saved request, whose `records` are null when they are named each time. */
export const savedRequestFields = {
  id: z.string(),
  organizationId: z.string(),
  name: z.string(),
  templateId: z.string(),
  platform: z.string(),
  connectionId: z.string(),
  baseId: z.string().nullable(),
  tableId: z.string(),
  tableName: z.string(),
  attachmentField: z.string().nullable().meta({
    description:
      "The field that receives the files; null when nothing is written back.",
  }),
  formats: z.array(z.enum(FORMATS)),
  overwriteExisting: z.boolean(),
  records: recordsInAnswers,
  deliver: deliverField.nullable().meta({
    description:
      "Where its documents are delivered; null: where the template says.",
  }),
};

export const newSavedRequestFields = {
  templateId: idInput,
  platform: z.string().meta({ example: "airtable" }),
  name: z.string().optional().meta({
    description: "Default: the template's name.",
  }),
  connectionId: idInput.optional().meta({
    description:
      "Default: the template's, else the organization's only one for the platform.",
  }),
  baseId: z.string().optional(),
  tableId: z.string().optional().meta({
    description: "By id or name. Default: the template's.",
  }),
  attachmentField: z.string().optional().meta({
    description: "By id or name. Without it, nothing is written back.",
  }),
  formats: formatsSchema.optional().meta({ default: ["pdf"] }),
  overwriteExisting: z.boolean().optional().meta({ default: false }),
  records: recordsSchema,
  deliver: deliverField.optional().meta({
    description:
      "Where its documents are delivered. Default: where the template says, also when that changes. `[]`: nowhere.",
  }),
};

/** Fields that are left out stay as they are. */
export const savedRequestPatchFields = {
  name: z.string().optional(),
  isPaused: z.boolean().optional(),
  attachmentField: z.string().nullable().optional().meta({
    description: "By id or name; null: nothing is written back.",
  }),
  formats: formatsSchema.optional(),
  overwriteExisting: z.boolean().optional(),
  deliver: deliverField.nullable().optional().meta({
    description:
      "Where its documents are delivered from now on; null: where the template says.",
  }),
};

type FieldsOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;
type NewRequest = Omit<FieldsOf<typeof newSavedRequestFields>, "records">;
interface Patch extends FieldsOf<typeof savedRequestPatchFields> {
  records?: RecordSelector | undefined;
}
type SavedRequest = Link | Automation;
/** On whose behalf the documents are made. */
type Author = Pick<SavedRequest, "organizationId" | "createdById">;

const maxNameLength = 200;

/** Checks what links and automations store, so that these work. */
@scoped(Lifecycle.ContainerScoped)
export class SavedRequests {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(ConnectionService) private readonly connections: ConnectionService,
    @inject(DOCUMENT_DELIVERIES)
    private readonly deliveries: Pick<DocumentDeliveries, "check">,
  ) {}

  /**
   * Checks a new request on the platform, but for its records. @returns its columns.
   * @throws PlatenError `not_found`, or `invalid_request` as a batch would.
   */
  async create({ organizationId, createdById }: Author, input: NewRequest) {
    const { templateId, platform, deliver = null } = input;
    const author = { organizationId, createdById };
    const { destination, columns } = await this.find(author, input);
    await this.checkDeliver({ ...author, templateId }, deliver);
    const { name = await this.getTemplateName(templateId) } = input;
    return {
      destination,
      columns: {
        ...author,
        name: parseName(name),
        templateId,
        platform,
        deliver,
        ...columns,
      },
    };
  }

  /**
   * Checks another destination on the platform, as a new one, and other records. @returns the columns that change.
   * @throws PlatenError `invalid_request`.
   */
  async change(row: SavedRequest, patch: Patch) {
    const { name, deliver } = patch;
    const source = changesSource(patch) && (await this.findChanged(row, patch));
    await this.checkDeliver(row, deliver ?? null);
    return {
      ...source,
      ...(name !== undefined && { name: parseName(name) }),
      ...(deliver !== undefined && { deliver }),
    };
  }

  private async findChanged(row: SavedRequest, patch: Patch) {
    const {
      attachmentField = row.fieldId,
      formats = row.formats,
      overwriteExisting = row.overwriteExisting,
      records = row.records && toSelector(row.records),
    } = patch;
    const { destination, columns } = await this.find(row, {
      ...toRecordsRequest(row),
      formats,
      overwriteExisting,
      attachmentField: attachmentField ?? undefined,
    });
    return {
      ...columns,
      ...(records && { records: await checkSelector(destination, records) }),
    };
  }

  private async find(
    { organizationId, createdById }: Author,
    input: NewRequest,
  ) {
    const { store, connections } = this;
    const { plan } = await store.read.findOneByOrFail(Organization, {
      id: organizationId,
    });
    requireBatchPlan(plan);
    const destination = await resolveDestination(
      { store, connections },
      { ...input, organizationId, createdById, plan },
    );
    const { connection, scope, table, field } = destination;
    const { formats = ["pdf"], overwriteExisting = false } = input;
    const columns = {
      connectionId: connection.id,
      baseId: scope.baseId ?? null,
      tableId: table.id,
      tableName: table.name,
      fieldId: field?.id ?? null,
      fieldName: field?.name ?? null,
      formats: [...new Set<Format>(formats)],
      overwriteExisting,
    };
    return { destination, columns };
  }

  private async checkDeliver(
    row: Pick<SavedRequest, keyof Author | "templateId">,
    deliver: readonly DeliverEntry[] | null,
  ): Promise<void> {
    const { organizationId, createdById, templateId } = row;
    if (deliver === null) return;
    const order = { organizationId, createdById, templateId, deliver };
    await this.deliveries.check(order);
  }

  private async getTemplateName(id: string): Promise<string> {
    const { name } = await this.store.read.findOneOrFail(Template, {
      where: { id },
      select: { id: true, name: true },
    });
    return name.slice(0, maxNameLength);
  }
}

/** A saved request as a batch takes it, without its records. */
export function toRecordsRequest(row: SavedRequest) {
  return {
    organizationId: row.organizationId,
    createdById: row.createdById,
    platform: row.platform,
    templateId: row.templateId,
    connectionId: row.connectionId,
    baseId: row.baseId ?? undefined,
    tableId: row.tableId,
    formats: row.formats,
    attachmentField: row.fieldId ?? undefined,
    overwriteExisting: row.overwriteExisting,
    deliver: row.deliver ?? undefined,
  };
}

/** What the audit log says of a change. */
export function describeChange(row: SavedRequest, patch: Patch) {
  const { isPaused, deliver } = patch;
  return {
    name: row.name,
    ...(isPaused !== undefined && { isPaused }),
    ...(changesSource(patch) && {
      attachmentField: row.fieldName,
      formats: row.formats,
      overwriteExisting: row.overwriteExisting,
    }),
    ...(deliver !== undefined && { deliver }),
  };
}

function changesSource(patch: Patch): boolean {
  const { attachmentField, formats, overwriteExisting, records } = patch;
  return [attachmentField, formats, overwriteExisting, records].some(
    (value) => value !== undefined,
  );
}

/** @throws PlatenError `invalid_request`. */
function parseName(name: string): string {
  const text = name.trim();
  if (text !== "" && text.length <= maxNameLength) return text;
  throw new PlatenError(
    "invalid_request",
    `$.name: must have 1 to ${maxNameLength} characters.`,
  );
}
