import { type EntityManager, IsNull, MoreThanOrEqual } from "typeorm";
import { z } from "zod";
import { type Actor, recordAudit } from "../../accounts/index.js";
import {
  checkSequence,
  createSequenceUse,
  type SequenceUse,
  writeNumber,
} from "../../definition/index.js";
import { clock } from "../../lib/clock.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import { timestampSchema, toView } from "../../lib/schemas.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  changeRows,
  findForUpdate,
  formatDatetime,
  getDatabaseTime,
  insertRow,
  isDuplicate,
  marks,
  newId,
  NumberSequence,
  SequenceNumber,
  type Store,
  STORE,
} from "../../storage/database/index.js";
import type { RenderJob } from "./render-request.js";

// Numbers without gaps. A number is reserved before its document is merged, in a transaction of its own, so that nothing
// is locked while the document is printed. It is confirmed in the transaction that records the document. A number whose
// render failed, or whose process died, goes to the next document.

export interface ReservedNumber {
  /** The sequence's name. */
  name: string;
  /** As the document prints it. */
  text: string;
  rowId: string;
  /** Proves the reservation: another document may have got the number meanwhile. */
  token: string;
}

/** The document that gets numbers. */
type NumberOwner = Pick<
  RenderJob,
  "organizationId" | "documentId" | "lockToken"
>;

/** For whom and until when numbers are reserved: by the database's clock, since those of nodes may be wrong. */
interface Reservation extends NumberOwner {
  now: Date;
  until: Date;
}

/** A document that is still printed at its deadline is stopped soon after. */
const GRACE_MS = 60_000;
const MAX_VALUE = 999_999_999;

/**
 * No document has the number, because its render failed or its process died; or an earlier attempt at the same document
 * has it, which can no longer be recorded, since the document was claimed again.
 */
const IS_FREE = `confirmed_at IS NULL AND (reserved_until IS NULL OR reserved_until < ? OR
  document_id = ? AND EXISTS (SELECT 1 FROM document WHERE document.id = ? AND document.lock_token = ?))`;

function getFreeValues({ now, documentId, lockToken }: Reservation) {
  return [formatDatetime(now), documentId, documentId, lockToken];
}

/** The numbers of all organizations' sequences. */
@scoped(Lifecycle.ContainerScoped)
export class Numbers {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
  ) {}

  /**
   * Reserves the lowest free number of each sequence, for the time of a render.
   * @param deadline ms since 1970, by this process's clock
   */
  async reserve(
    owner: NumberOwner,
    uses: readonly SequenceUse[],
    deadline: number,
  ): Promise<ReservedNumber[]> {
    const now = await getDatabaseTime(this.store.read);
    const reservedMs = deadline - clock.now() + GRACE_MS;
    const until = new Date(now.getTime() + reservedMs);
    const reservation = { ...owner, now, until };
    const reserved: ReservedNumber[] = [];
    try {
      for (const use of uses)
        reserved.push(await this.#reserveOne(reservation, use));
    } catch (error) {
      await this.release(reserved);
      throw error;
    }
    return reserved;
  }

  async #reserveOne(
    owner: Reservation,
    use: SequenceUse,
  ): Promise<ReservedNumber> {
    const sequence = await this.#getSequence(owner.organizationId, use);
    const token = newId();
    const toReserved = (rowId: string, text: string): ReservedNumber => {
      return { name: use.name, text, rowId, token };
    };
    for (;;) {
      const free = await this.#findFree(sequence.id, owner);
      if (free === null) break;
      const text = writeNumber(use, free.value);
      if (await this.#take({ id: free.id, text }, owner, token))
        return toReserved(free.id, text);
    }
    for (;;) {
      const { nextValue: value } = await this.store.read.findOneByOrFail(
        NumberSequence,
        { id: sequence.id },
      );
      if (value > MAX_VALUE)
        throw new PlatenError(
          "conflict",
          `The sequence "${use.name}" has no numbers left.`,
        );
      const id = newId();
      const text = writeNumber(use, value);
      const isOurs = await this.store.unitOfWork.run(async (tx) => {
        const changed = await changeRows(
          tx,
          "UPDATE number_sequence SET next_value = next_value + 1, pattern = ?, updated_at = ? WHERE id = ? AND next_value = ?",
          [use.pattern, formatDatetime(owner.now), sequence.id, value],
        );
        if (changed !== 1) return false;
        await insertRow(tx, SequenceNumber, {
          id,
          sequenceId: sequence.id,
          value,
          text,
          documentId: owner.documentId,
          token,
          reservedUntil: owner.until,
          confirmedAt: null,
          createdAt: owner.now,
        });
        return true;
      });
      if (isOurs) return toReserved(id, text);
    }
  }

  /** The sequence of a period, which begins with its first number. */
  async #getSequence(
    organizationId: string,
    { name, period, pattern }: SequenceUse,
  ): Promise<Pick<NumberSequence, "id">> {
    const where = { organizationId, name, period };
    const existing = await this.store.read.findOneBy(NumberSequence, where);
    if (existing) return existing;
    const now = clock.date();
    const row = {
      id: newId(),
      ...where,
      pattern,
      nextValue: 1,
      createdAt: now,
      updatedAt: now,
    };
    try {
      await this.store.unitOfWork.run((tx) =>
        insertRow(tx, NumberSequence, row),
      );
      return row;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return this.store.read.findOneByOrFail(NumberSequence, where);
    }
  }

  async #findFree(
    sequenceId: string,
    reservation: Reservation,
  ): Promise<{ id: string; value: number } | null> {
    const [free]: { id: string; value: number | string }[] =
      await this.store.read.query(
        `SELECT id, value FROM sequence_number WHERE sequence_id = ? AND ${IS_FREE} ORDER BY value LIMIT 1`,
        [sequenceId, ...getFreeValues(reservation)],
      );
    return free ? { id: free.id, value: Number(free.value) } : null;
  }

  async #take(
    { id, text }: { id: string; text: string },
    reservation: Reservation,
    token: string,
  ): Promise<boolean> {
    const { documentId, until } = reservation;
    const taken = await this.store.unitOfWork.run((tx) =>
      changeRows(
        tx,
        `UPDATE sequence_number SET text = ?, document_id = ?, token = ?, reserved_until = ? WHERE id = ? AND ${IS_FREE}`,
        [
          text,
          documentId,
          token,
          formatDatetime(until),
          id,
          ...getFreeValues(reservation),
        ],
      ),
    );
    return taken === 1;
  }

  /** Gives numbers of documents that were not recorded to the next ones. */
  async release(reserved: readonly ReservedNumber[]): Promise<void> {
    if (reserved.length === 0) return;
    const ids = reserved.map(({ rowId }) => rowId);
    const tokens = reserved.map(({ token }) => token);
    await this.store.unitOfWork.run((tx) =>
      changeRows(
        tx,
        `UPDATE sequence_number SET document_id = NULL, token = NULL, reserved_until = NULL
           WHERE id IN (${marks(ids)}) AND token IN (${marks(tokens)}) AND confirmed_at IS NULL`,
        [...ids, ...tokens],
      ),
    );
  }

  /** The numbers of a document as it prints them, by the names of their sequences. */
  async listOf(documentId: string): Promise<Record<string, string>> {
    const rows: { name: string; text: string }[] = await this.store.read.query(
      `SELECT s.name AS name, n.text AS text FROM sequence_number n
         JOIN number_sequence s ON s.id = n.sequence_id WHERE n.document_id = ?`,
      [documentId],
    );
    return Object.fromEntries(rows.map(({ name, text }) => [name, text]));
  }

  /** The sequences of an organization, by name and period. */
  async list(organizationId: string): Promise<SequenceView[]> {
    const { read } = this.store;
    const rows = await read.find(NumberSequence, {
      where: { organizationId },
      order: { name: "ASC", period: "DESC" },
      take: MAX_LISTED,
    });
    return Promise.all(rows.map((row) => view(read, row)));
  }

  /**
   * Sets which number of a sequence is the next new one. Free numbers below it are still given first.
   * @throws PlatenError `invalid_request`; `conflict` for a number that exists already
   */
  async change(
    organizationId: string,
    { name, pattern, nextValue, ...change }: SequenceChange,
    actor: Actor,
  ): Promise<SequenceView> {
    const problem = checkSequence([name, pattern]);
    if (problem !== null)
      throw new PlatenError("invalid_request", `$.pattern: ${problem}`);
    const present = createSequenceUse(name, pattern, clock.date(), "UTC");
    const { period = present.period } = change;
    const use = findSequenceUse({ name, pattern, period });
    if (use === null)
      throw new PlatenError(
        "invalid_request",
        `$.period: "${period}" is not a period of the pattern ${pattern}. The present one is "${present.period}".`,
      );
    const { id } = await this.#getSequence(organizationId, use);
    return this.store.unitOfWork.run(async (tx) => {
      const row = await findForUpdate(tx, NumberSequence, { id });
      if (!row)
        throw new PlatenError("not_found", "There is no such sequence.");
      const taken = await tx.findOne(SequenceNumber, {
        where: { sequenceId: id, value: MoreThanOrEqual(nextValue) },
        order: { value: "DESC" },
      });
      if (taken)
        throw new PlatenError(
          "conflict",
          `Number ${taken.value} of the sequence "${name}" exists already. The next one is ${taken.value + 1} or higher.`,
        );
      const before = row.nextValue;
      Object.assign(row, { nextValue, pattern, updatedAt: clock.date() });
      await tx.update(
        NumberSequence,
        { id },
        { nextValue, pattern, updatedAt: row.updatedAt },
      );
      await recordAudit(tx, actor, {
        organizationId,
        action: "sequence.changed",
        subject: id,
        details: { name, period, before, next: nextValue },
      });
      return view(tx, row);
    });
  }
}

const MAX_LISTED = 500;
const MAX_LISTED_OPEN = 100;

/** What documents of a period need; null for a period that the pattern does not have. */
function findSequenceUse({
  name,
  pattern,
  period,
}: Pick<SequenceUse, "name" | "pattern" | "period">): SequenceUse | null {
  const firstDay = new Date(period + "2000-01-01".slice(period.length));
  if (Number.isNaN(firstDay.getTime())) return null;
  const use = createSequenceUse(name, pattern, firstDay, "UTC");
  return use.period === period ? use : null;
}

/** Which number of a period is the next new one. */
export interface SequenceChange {
  name: string;
  /** Such as "2026"; by default, the present one. */
  period?: string | undefined;
  pattern: string;
  nextValue: number;
}

export const sequenceSchema = z
  .strictObject({
    name: z.string(),
    period: z.string().meta({
      description:
        "What the pattern has of the date, such as `2026`: the numbers of each period begin with 1. Empty for a pattern without a date.",
    }),
    pattern: z.string().meta({
      description:
        "How the document with the newest number writes it, such as `RE-{yyyy}-{0000}`.",
    }),
    nextValue: z.int().meta({ description: "The next new number." }),
    nextNumber: z.string().meta({
      description: "The next new number as its document prints it.",
      example: "RE-2026-0418",
    }),
    open: z
      .array(
        z.strictObject({
          value: z.int(),
          number: z.string(),
          documentId: z.string().nullable().meta({
            description:
              "The document that is rendered with it; null when it is free.",
          }),
        }),
      )
      .meta({
        description:
          "Lower numbers that no finished document has: of documents that are rendered now, and of failed ones, whose numbers the next documents get. The first 100.",
      }),
    updatedAt: timestampSchema,
  })
  .meta({ id: "Sequence" });

export type SequenceView = z.output<typeof sequenceSchema>;

async function view(
  read: EntityManager,
  sequence: NumberSequence,
): Promise<SequenceView> {
  const { id, nextValue } = sequence;
  const use = findSequenceUse(sequence);
  const write = (value: number) =>
    use === null ? String(value) : writeNumber(use, value);
  const now = await getDatabaseTime(read);
  const open = await read.find(SequenceNumber, {
    where: { sequenceId: id, confirmedAt: IsNull() },
    order: { value: "ASC" },
    take: MAX_LISTED_OPEN,
  });
  return toView(sequenceSchema, sequence, {
    nextNumber: write(nextValue),
    open: open.map(({ value, documentId, reservedUntil }) => ({
      value,
      number: write(value),
      documentId:
        reservedUntil !== null && reservedUntil > now ? documentId : null,
    })),
  });
}

/**
 * Gives documents the numbers that they reserved, in the transaction that records them.
 * @throws PlatenError `timeout` when a reservation ended before: another document may have the number. Then nothing may
 * be committed.
 */
export async function confirmNumbers(
  tx: EntityManager,
  reserved: readonly ReservedNumber[],
): Promise<void> {
  if (reserved.length === 0) return;
  const ids = reserved.map(({ rowId }) => rowId);
  const tokens = reserved.map(({ token }) => token);
  const confirmed = await changeRows(
    tx,
    `UPDATE sequence_number SET confirmed_at = ?, reserved_until = NULL
       WHERE id IN (${marks(ids)}) AND token IN (${marks(tokens)}) AND confirmed_at IS NULL`,
    [formatDatetime(clock.date()), ...ids, ...tokens],
  );
  if (confirmed !== reserved.length)
    throw new PlatenError(
      "timeout",
      "The document took longer than its number was reserved for, so another document may have the number. Nothing was recorded: try again.",
    );
}

/** The numbers as they are printed, by the names of their sequences. */
export function toNumbers(
  reserved: readonly ReservedNumber[],
): Record<string, string> {
  return Object.fromEntries(reserved.map(({ name, text }) => [name, text]));
}
