import type { DeliveryNotes, OutboxEvent } from "../storage/database/index.js";

/** Receivers are built for small messages: Standard Webhooks advises less than 20 kB. */
const mostBytes = 20_000;
const longestError = 2000;
const mostOutputs = 20;
const mostSubmitters = 20;

type Data = OutboxEvent["data"];

/** What is shortened, in this order, until the message is small enough. */
const cuts: Record<string, (data: Data) => unknown> = {
  metadata: () => ({}),
  error: ({ error }) => String(error).slice(0, longestError),
  outputs: ({ outputs }) => firstOf(outputs, mostOutputs),
  submitters: ({ submitters }) => firstOf(submitters, mostSubmitters),
};

/**
 * The body of a delivery, under 20 kB: `data` is the event's payload; what is ours stands beside it. The names of
 * what was cut stand in `truncated`.
 */
export function messageOf(
  event: Pick<OutboxEvent, "type" | "data" | "createdAt">,
  notes: DeliveryNotes | null,
): string {
  const truncated = [...(notes?.truncated ?? [])];
  const write = (data: Data) => textOf(event, data, notes, truncated);
  let data = event.data;
  for (const [name, cut] of Object.entries(cuts)) {
    if (Buffer.byteLength(write(data)) < mostBytes) break;
    if (!(name in data)) continue;
    data = { ...data, [name]: cut(data) };
    truncated.push(name);
  }
  return write(data);
}

function firstOf(list: unknown, most: number): unknown[] {
  return Array.isArray(list) ? list.slice(0, most) : [];
}

function textOf(
  { type, createdAt }: Pick<OutboxEvent, "type" | "createdAt">,
  data: Data,
  notes: DeliveryNotes | null,
  truncated: readonly string[],
): string {
  return JSON.stringify({
    type,
    timestamp: createdAt.toISOString(),
    data,
    ...notes,
    ...(truncated.length > 0 && { truncated }),
  });
}
