import * as z from "zod";
import type { TableScope } from "../../core/plugin-api/index.js";
import { ask, type NocodbContext } from "./client.js";

/** NocoDB inlines so many linked records when it disregards the limit that it is asked for, and does not say so. */
const shortestCut = 25;
const page = 1000;

const linked = z.object({ id: z.union([z.string(), z.number()]) });
const linkedPage = z.object({
  records: z.union([z.array(linked), linked.nullable()]).optional(),
  next: z.string().nullish(),
});

/** The ids that a record names in itself; null when it names no records, but how many there are. */
export function inlinedIds(value: unknown): string[] | null {
  if (value === null || value === undefined || value === 0) return [];
  const one = linked.safeParse(value);
  if (one.success) return [String(one.data.id)];
  const many = z.array(linked).safeParse(value);
  return many.success ? many.data.map(({ id }) => String(id)) : null;
}

/** A list shorter than the shortest cut, or than another list of the same reply, was not cut. */
export function isSurelyWhole(
  list: string[] | null,
  lists: readonly (string[] | null)[],
): list is string[] {
  if (list === null) return false;
  if (list.length < shortestCut) return true;
  return lists.some((other) => other !== null && other.length > list.length);
}

/** All links of a row, page by page. */
export async function allLinks(
  context: NocodbContext,
  { baseId = "", tableId }: TableScope,
  fieldId: string,
  recordId: string,
): Promise<string[]> {
  const all: string[] = [];
  const path = `api/v3/data/${baseId}/${tableId}/links/${fieldId}/${recordId}`;
  for (let number = 1; ; number += 1) {
    const query = `?pageSize=${page}&page=${number}`;
    const { records, next } = await ask(context, path + query, linkedPage);
    const found = Array.isArray(records) ? records : records ? [records] : [];
    all.push(...found.map(({ id }) => String(id)));
    if (!next || found.length === 0) return [...new Set(all)];
  }
}
