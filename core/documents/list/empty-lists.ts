import { Between, type EntityManager, In } from "typeorm";
import { getFormula } from "../../definition/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  type Batch,
  Document,
  DocumentRecord,
} from "../../storage/database/index.js";
import { getAcceptedTemplate } from "../render/compiled-templates.js";

const MAX_CHECKED = 1000;
const CHECKED_TOGETHER = 20;

/**
 * The lists of the template's record that are empty in the records of all documents of a batch, or of its first thousand.
 * Lists that are left empty on purpose, or calculated, are none of them; a batch without records or template has none.
 */
export async function findEmptyLists(
  read: EntityManager,
  batch: Batch,
): Promise<string[]> {
  if (batch.recordsPurgeAt === null) return [];
  let names = await listDeliveredLists(read, batch);
  let isRead = false;
  const count = Math.min(batch.totalCount, MAX_CHECKED);
  for (
    let first = 0;
    names.length > 0 && first < count;
    first += CHECKED_TOGETHER
  ) {
    const batchIndex = Between(first, first + CHECKED_TOGETHER - 1);
    const documents = await read.find(Document, {
      where: { batchId: batch.id, batchIndex },
      select: { id: true },
    });
    const records = await read.find(DocumentRecord, {
      where: { documentId: In(documents.map(({ id }) => id)) },
      select: { documentId: true, data: true },
    });
    isRead ||= records.length > 0;
    // Records are compact JSON: a quotation mark in a text is escaped.
    const isFilled = (name: string) =>
      records.some(({ data }) => data.includes(`${JSON.stringify(name)}:[{`));
    names = names.filter((name) => !isFilled(name));
  }
  return isRead ? names : [];
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
    if (error instanceof PlatenError && error.code === "not_found") return [];
    throw error;
  }
}
