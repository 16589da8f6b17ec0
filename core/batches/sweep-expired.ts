import { In, LessThanOrEqual } from "typeorm";
import { Document, type Store } from "../storage/database/index.js";
import { endDocuments } from "./end-documents.js";
import { expired } from "./expired.js";
import { findAcceptingBatchIds, notIn } from "../documents/index.js";

const chunk = 200;

/** Ends documents whose expiry passed before they were ready, chunk by chunk. @returns how many. */
export async function sweepExpired(
  { read, unitOfWork }: Pick<Store, "read" | "unitOfWork">,
  now: Date,
): Promise<number> {
  let total = 0;
  const hidden = await findAcceptingBatchIds(read);
  for (;;) {
    const rows = await read.find(Document, {
      where: {
        status: In(["queued", "rendering"]),
        expiresAt: LessThanOrEqual(now),
        ...notIn(hidden),
      },
      select: { id: true },
      take: chunk,
    });
    if (rows.length === 0) return total;
    const ids = rows.map(({ id }) => id);
    total += await unitOfWork.run((tx) =>
      endDocuments(tx, { id: In(ids) }, expired),
    );
  }
}
