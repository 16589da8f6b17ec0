import { type Log, PlatenError } from "../../../plugin-api/index.js";
import { getTemplateToRender } from "../../../documents/index.js";
import {
  insertRow,
  isDuplicate,
  isId,
  type Link,
  LinkRun,
  newId,
} from "../../../storage/database/index.js";
import type { OpenLink } from "./open-link.js";
import type { RunPorts } from "./ports.js";
import { type RecordNames, recordNames } from "./record-names.js";
import { openForm, type RunOrder, sealForm } from "./run-form.js";
import { type RunProgress, runProgress } from "./run-progress.js";

/** What a run would make, for the page that asks. */
export interface RunPreview extends RecordNames {
  templateName: string;
  /** Of its live definition: names the template's picture. */
  definitionHash: string;
  /** Those that are there; the others are left out. */
  recordIds: string[];
  /** Proof for `start`. */
  form: string;
}

/** More in one address would not arrive. */
const mostRecords = 1000;

/** Presses of a link's button: each is one batch, however often it is sent. */
export class Runs {
  constructor(private readonly ports: RunPorts) {}

  /** Makes nothing. @throws PlatenError for a template that cannot be rendered any more, or for no records at all. */
  async preview(
    { link }: OpenLink,
    asked: readonly string[],
    log: Log,
  ): Promise<RunPreview> {
    const { store, secrets } = this.ports;
    requireRecords(asked);
    const [template, known] = await Promise.all([
      getTemplateToRender(store.read, link),
      recordNames(this.ports, link, asked, log),
    ]);
    const recordIds = present(asked, known.missing);
    const order = { run: newId(), recordIds, names: known.names };
    return {
      ...known,
      templateName: template.name,
      definitionHash: template.definitionHash,
      recordIds,
      form: await sealForm(secrets, link, order),
    };
  }

  /** @returns the run's id; of a form that was sent before, that of the run which it began. @throws PlatenError */
  async start(open: OpenLink, form: string): Promise<string> {
    const order = await openForm(this.ports.secrets, open.link, form);
    if (await this.find(open.link, order.run)) return order.run;
    try {
      await this.generate(open, order);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    return order.run;
  }

  /** @throws PlatenError `not_found` for a run of another link too. */
  async progress({ link }: OpenLink, id: string): Promise<RunProgress> {
    const run = (await this.find(link, id)) ?? noRun();
    const page = { page: 1, pageSize: 100 };
    const { batches } = this.ports;
    const batch = await batches.get(run.organizationId, run.batchId, page);
    return runProgress(link, run, batch);
  }

  /** Tries again to save files in their records. @throws PlatenError `not_found`; `gone` when they have expired. */
  async saveAgain({ link }: OpenLink, id: string): Promise<void> {
    const run = (await this.find(link, id)) ?? noRun();
    const { organizationId, batchId } = run;
    await this.ports.records.writeBackAgain(organizationId, batchId);
  }

  private find(link: Link, id: string): Promise<LinkRun | null> {
    if (!isId(id)) return Promise.resolve(null);
    const where = { id, linkId: link.id };
    return this.ports.store.read.findOneBy(LinkRun, where);
  }

  /** The run is written with its batch: neither is there without the other. */
  private async generate(
    { link, plan }: OpenLink,
    { run: id, recordIds, names }: RunOrder,
  ): Promise<void> {
    const { id: linkId, organizationId, createdById } = link;
    const request = {
      organizationId,
      createdById,
      plan,
      platform: link.platform,
      templateId: link.templateId,
      recordIds,
      connectionId: link.connectionId,
      baseId: link.baseId ?? undefined,
      tableId: link.tableId,
      formats: link.formats,
      attachmentField: link.fieldId ?? undefined,
      overwriteExisting: link.overwriteExisting,
    };
    await this.ports.records.generate(request, async (tx, batch) => {
      const row = { id, linkId, organizationId, batchId: batch.id, names };
      await insertRow(tx, LinkRun, { ...row, createdAt: new Date() });
    });
  }
}

function requireRecords(recordIds: readonly string[]): void {
  if (recordIds.length === 0)
    throw wrongRecords("none_chosen", "must name at least one record");
  if (recordIds.length > mostRecords)
    throw wrongRecords("too_many", `must name at most ${mostRecords} records`);
}

function wrongRecords(code: string, message: string): PlatenError {
  const problems = [{ path: "recordId", code, message }];
  const text = "The address does not name the right number of records.";
  return new PlatenError("invalid_request", text, { problems });
}

/** @throws PlatenError when none is there. */
function present(
  asked: readonly string[],
  missing: readonly string[],
): string[] {
  const there = asked.filter((id) => !missing.includes(id));
  if (there.length > 0) return there;
  throw new PlatenError("invalid_request", "None of these records exists.", {
    problems: missing.map((id) => ({
      path: "$.recordIds",
      code: "missing",
      message: `The table has no record "${id}".`,
    })),
  });
}

function noRun(): never {
  throw new PlatenError("not_found", "There is no such page any more.");
}
