import { z } from "zod";
import { Batches, type BatchView } from "../../batches/index.js";
import { getTemplateToRender } from "../../documents/index.js";
import { clock } from "../../lib/clock.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../../lib/injection.js";
import { SecretBox } from "../../lib/secrets.js";
import { formatError, type Log, PlatenError } from "../../plugin-api/index.js";
import {
  type DocumentStatus,
  insertRow,
  isDuplicate,
  isId,
  type Link,
  LinkRun,
  newId,
  type Store,
  STORE,
} from "../../storage/database/index.js";
import { SECRETS } from "../../lib/process-values.js";
import { ConnectionService } from "../connections/index.js";
import { RecordBatches, type RecordsRequest } from "./record-batches.js";
import { toRecordsRequest } from "./saved-request.js";
import { toSelector } from "./select-records.js";
import { assertNotPaused, type OpenLink } from "./links.js";

/** Encrypts the forms of runs. */
const FORM_SECRETS = createToken<SecretBox>("run forms");
provide(FORM_SECRETS, (c) => new SecretBox(c.resolve(SECRETS), "run forms"));

/** What a run would generate, for the page that asks for confirmation. */
interface RunPreview extends RecordNames {
  templateName: string;
  /** The hash of the live definition, for the thumbnail's address. */
  definitionHash: string;
  /** Without those that do not exist. Empty only for a link that selects its records. */
  recordIds: string[];
  /** Whether the link selects more records, for which there is no place in one run. */
  hasMore: boolean;
  /** The form for `start`. */
  form: string;
}

interface RecordNames {
  /** By record id; records without a name are not included. */
  names: Record<string, string>;
  /** The requested records that do not exist. */
  missing: string[];
}

interface RunFile {
  url: string;
  name: string;
  label: string;
  sizeBytes: number;
}

/** The state of writing a document's files into its record; null when nothing is written back. */
type RunWriteBack =
  | { state: "pending"; field: string }
  | { state: "saved"; field: string }
  | { state: "failed"; field: string; error: string }
  | null;

export interface RunDocument {
  recordId: string;
  /** The record's name, or its id. */
  name: string;
  status: DocumentStatus;
  /** Only if it failed. */
  error: string | null;
  files: RunFile[];
  writeBack: RunWriteBack;
}

export interface RunProgress {
  total: number;
  /** The number of finished documents. */
  ready: number;
  /** The number of failed and expired documents. */
  lost: number;
  writeBack: { pending: number; succeeded: number; failed: number } | null;
  /** Whether nothing changes any more without a retry. */
  isOver: boolean;
  /** Until when files can be downloaded, ISO 8601; null while there are none. */
  filesUntil: string | null;
  /** The first hundred. */
  documents: RunDocument[];
}

/** More records do not fit in one address. */
const maxRecords = 1000;

/** Runs of links: one for each click on the button, however often it is sent. */
@scoped(Lifecycle.ContainerScoped)
export class Runs {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(FORM_SECRETS) private readonly secrets: SecretBox,
    @inject(RecordBatches)
    private readonly records: Pick<
      RecordBatches,
      "firstSelected" | "generate" | "retryWriteBacks"
    >,
    @inject(ConnectionService)
    private readonly connections: Pick<ConnectionService, "open">,
    @inject(Batches) private readonly batches: Pick<Batches, "get">,
  ) {}

  /**
   * Generates nothing. @param requestedIds the records of the address, which a link that selects its records ignores.
   * @throws PlatenError for a paused link, a template that can no longer be rendered, or an address without records.
   */
  async preview(
    open: OpenLink,
    requestedIds: readonly string[],
    log: Log,
  ): Promise<RunPreview> {
    const { store, secrets } = this;
    const { link } = open;
    assertNotPaused(link);
    if (link.records === null) assertRecordCount(requestedIds);
    const { recordIds: requested, hasMore } =
      link.records === null
        ? { recordIds: requestedIds, hasMore: false }
        : await this.records.firstSelected(
            toRequest(open),
            toSelector(link.records),
          );
    const [template, recordNames] = await Promise.all([
      getTemplateToRender(store.read, link),
      this.findRecordNames(link, requested, log),
    ]);
    const { names, missing } = recordNames;
    const recordIds = requested.filter((id) => !missing.includes(id));
    if (recordIds.length === 0 && link.records === null)
      throw createMissingError(missing);
    const order = { run: newId(), recordIds, names };
    return {
      ...recordNames,
      hasMore,
      templateName: template.name,
      definitionHash: template.definitionHash,
      recordIds,
      form: await encryptForm(secrets, link, order),
    };
  }

  /** @returns the run's id, the same each time a form is sent. @throws PlatenError as a batch does, or for an invalid form. */
  async start(open: OpenLink, form: string): Promise<string> {
    const order = await decryptForm(this.secrets, open.link, form);
    if (await this.find(open.link, order.run)) return order.run;
    assertNotPaused(open.link);
    try {
      await this.generate(open, order);
    } catch (error) {
      // The same form, sent at the same time, can have taken the records that this one selects.
      if (!isDuplicate(error) && !(await this.find(open.link, order.run)))
        throw error;
    }
    return order.run;
  }

  /** @throws PlatenError `not_found`, also for a run of another link. */
  async progress({ link }: OpenLink, id: string): Promise<RunProgress> {
    const run = (await this.find(link, id)) ?? throwNotFound();
    const page = { page: 1, pageSize: 100 };
    const batch = await this.batches.get(run.organizationId, run.batchId, page);
    return toRunProgress(link, run, batch);
  }

  /** Retries the failed write-backs. @throws PlatenError `not_found`; `gone` when the files have expired. */
  async retryWriteBacks({ link }: OpenLink, id: string): Promise<void> {
    const run = (await this.find(link, id)) ?? throwNotFound();
    const { organizationId, batchId } = run;
    await this.records.retryWriteBacks(organizationId, batchId);
  }

  private find(link: Link, id: string): Promise<LinkRun | null> {
    if (!isId(id)) return Promise.resolve(null);
    const where = { id, linkId: link.id };
    return this.store.read.findOneBy(LinkRun, where);
  }

  /** Inserts the run in the transaction of its batch, so that neither exists without the other. */
  private async generate(
    open: OpenLink,
    { run: id, recordIds, names }: RunOrder,
  ): Promise<void> {
    const { id: linkId, organizationId, records } = open.link;
    const request = {
      ...toRequest(open),
      recordIds,
      ...(records && { records: toSelector(records) }),
      // Someone looks at the page until the one file is there.
      isUrgent: recordIds.length === 1,
    };
    await this.records.generate(request, async (tx, batch) => {
      const row = { id, linkId, organizationId, batchId: batch.id, names };
      await insertRow(tx, LinkRun, { ...row, createdAt: clock.date() });
    });
  }

  /** When the platform does not answer in time, the page is shown without names. */
  private async findRecordNames(
    link: Link,
    recordIds: readonly string[],
    log: Log,
  ): Promise<RecordNames> {
    const ids = recordIds.slice(0, maxNamedRecords);
    if (ids.length === 0) return { names: {}, missing: [] };
    try {
      return await fetchRecordNames(this.connections, link, ids);
    } catch (error) {
      log.info({ link: link.id, why: formatError(error) }, "no record names");
      return { names: {}, missing: [] };
    }
  }
}

function toRequest({ link, plan }: OpenLink): RecordsRequest {
  return { ...toRecordsRequest(link), plan };
}

function throwNotFound(): never {
  throw new PlatenError("not_found", "This page no longer exists.");
}

function assertRecordCount({ length }: readonly string[]): void {
  if (length > 0 && length <= maxRecords) return;
  const [code, message] =
    length === 0
      ? ["none_chosen", "must name at least one record"]
      : ["too_many", `must name at most ${maxRecords} records`];
  throw new PlatenError(
    "invalid_request",
    "The address names no records, or too many.",
    { problems: [{ path: "recordId", code, message }] },
  );
}

function createMissingError(missing: readonly string[]): PlatenError {
  const problems = missing.map((id) => ({
    path: "$.recordIds",
    code: "missing",
    message: `The table has no record "${id}".`,
  }));
  const message = "None of these records exists.";
  return new PlatenError("invalid_request", message, { problems });
}

/** The page waits for the names. */
const namesTimeoutMs = 4000;
/** More than anyone reads; accepting the batch checks all records. */
const maxNamedRecords = 100;
const maxNameLength = 80;

async function fetchRecordNames(
  connections: Pick<ConnectionService, "open">,
  { organizationId, connectionId, baseId, tableId, primaryFieldId }: Link,
  ids: readonly string[],
): Promise<RecordNames> {
  const { platform } = await connections.open(organizationId, connectionId);
  const scope = { tableId, ...(baseId !== null && { baseId }) };
  const fields = primaryFieldId === null ? [] : [primaryFieldId];
  const limits = { timeoutMs: namesTimeoutMs, attempts: 1 };
  const fetched = await platform.fetchRows(scope, ids, fields, limits);
  const names = fetched.rows.flatMap((row) => {
    const name = toName(row.fields[primaryFieldId ?? ""]);
    return name === "" ? [] : [[row.id, name] as const];
  });
  return { names: Object.fromEntries(names), missing: fetched.missing };
}

function toName(value: unknown): string {
  const text = toNameText(value).trim();
  if (text.length <= maxNameLength) return text;
  return `${text.slice(0, maxNameLength - 1)}…`;
}

/** Lists and people, as some platforms return them, are named by their parts. */
function toNameText(value: unknown): string {
  if (typeof value === "string" || typeof value === "number")
    return String(value);
  if (Array.isArray(value))
    return value
      .map(toNameText)
      .filter((text) => text !== "")
      .join(", ");
  const { name, filename } = toRecord(value);
  return toText(name) || toText(filename);
}

const formSchema = z.strictObject({
  run: z.string(),
  recordIds: z.array(z.string()),
  names: z.record(z.string(), z.string()),
  /** Milliseconds since 1970. */
  until: z.number(),
});

type RunOrder = Omit<z.output<typeof formSchema>, "until">;

const formValidMs = 24 * 3_600_000;

/**
 * Creates the form of a page's button. It proves that the page was shown, and sending it twice starts only one run.
 */
function encryptForm(
  secrets: SecretBox,
  link: Link,
  order: RunOrder,
): Promise<string> {
  const until = clock.now() + formValidMs;
  return secrets.seal(JSON.stringify({ ...order, until }), getFormUse(link));
}

/** What a form is for: pressing its button does what the page says, or nothing. */
function getFormUse({ id, fieldId, formats, overwriteExisting }: Link): string {
  return JSON.stringify([id, fieldId, formats, overwriteExisting]);
}

/** @throws PlatenError `conflict` for a form of another link, an expired one, or one from before the link was changed. */
async function decryptForm(
  secrets: SecretBox,
  link: Link,
  form: string,
): Promise<RunOrder> {
  const { until, ...order } = await parseForm(secrets, link, form);
  if (until <= clock.now()) throw createFormError();
  return order;
}

async function parseForm(secrets: SecretBox, link: Link, form: string) {
  try {
    return formSchema.parse(
      JSON.parse(await secrets.open(form, getFormUse(link))),
    );
  } catch (cause) {
    throw createFormError(cause);
  }
}

function createFormError(cause?: unknown): PlatenError {
  return new PlatenError(
    "conflict",
    "This page is out of date. Go back to your table and click the button again.",
    cause === undefined ? {} : { cause },
  );
}

type BatchDocument = BatchView["documents"][number];

function toRunProgress(
  link: Link,
  run: LinkRun,
  batch: BatchView,
): RunProgress {
  const { counts, writeBack, totalCount, status, documents } = batch;
  const finished = documents.find(
    (document) => document.status === "succeeded",
  );
  return {
    total: totalCount,
    ready: counts.succeeded,
    lost: counts.failed + counts.expired,
    writeBack,
    isOver: status === "completed" && (writeBack?.pending ?? 0) === 0,
    filesUntil: finished?.expiresAt ?? null,
    documents: documents.map((document) => toRunDocument(link, run, document)),
  };
}

function toRunDocument(
  link: Link,
  run: LinkRun,
  document: BatchDocument,
): RunDocument {
  const recordId = toText(document.metadata?.["recordId"]);
  const { status, error = null, outputs } = document;
  return {
    recordId,
    name: run.names[recordId] ?? recordId,
    status,
    error,
    files: outputs.map(({ url, label, sizeBytes }) => {
      const name = new URL(url).pathname.split("/").at(-1) ?? "";
      return { url, name: decodeURIComponent(name), label, sizeBytes };
    }),
    writeBack: getWriteBack(link, document),
  };
}

function getWriteBack(
  { fieldName, fieldId }: Link,
  { status, metadata }: BatchDocument,
): RunWriteBack {
  if (fieldId === null || status !== "succeeded") return null;
  const field = fieldName ?? fieldId;
  const result = toRecord(toRecord(metadata?.["platen"])["writeBack"]);
  if (result["status"] === "succeeded") return { state: "saved", field };
  if (result["status"] !== "failed") return { state: "pending", field };
  return { state: "failed", field, error: toText(result["error"]) };
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
