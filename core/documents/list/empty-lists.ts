import { type EntityManager, LessThan } from "typeorm";
import { getFormula } from "../../definition/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  type Batch,
  Document,
  DocumentRecord,
} from "../../storage/database/index.js";
import { getAcceptedTemplate } from "../render/compiled-templates.js";

const MAX_CHECKED = 1000;

/**
 * The lists of the template's record that are empty in the records of all documents of a batch, or of its first thousand.
 * Lists that are left empty on purpose, or calculated, are none of them; a batch without records or template has none.
 */
export async function findEmptyLists(
  read: EntityManager,
  batch: Batch,
): Promise<string[]> {
  const anyRecordHas = (text: string) =>
    read
      .createQueryBuilder(Document, "document")
      .innerJoin(
        DocumentRecord,
        "record",
        "record.documentId = document.id AND INSTR(record.data, :text) > 0",
        { text },
      )
      .where({ batchId: batch.id, batchIndex: LessThan(MAX_CHECKED) })
      .getExists();
  const empty: string[] = [];
  // Records are compact JSON: a quotation mark in a text is escaped.
  for (const name of await listDeliveredLists(read, batch))
    if (!(await anyRecordHas(`${JSON.stringify(name)}:[{`))) empty.push(name);
  return empty.length > 0 && (await anyRecordHas("{")) ? empty : [];
}

async function listDeliveredLists(
  read: EntityManager,
  batch: Batch,
): Promise<string[]> {
  try {
    const template = await getAcceptedTemplate(read, batch);
    const [root] = (await template.definition()).schema;
    const lists = (root?.fields ?? []).filter(
      (field) =>
        field.type === "OneToManyLink" &&
        getFormula(field) === undefined &&
        (batch.platform === null || field.source !== ""),
    );
    return lists.map(({ name }) => name);
  } catch (error) {
    // The batch ends without a template, too.
    if (error instanceof PlatenError) return [];
    throw error;
  }
}
