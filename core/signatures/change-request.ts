import type {
  EntityManager,
  FindOptionsWhere,
  QueryDeepPartialEntity,
} from "typeorm";
import { SignatureRequest } from "../storage/database/index.js";

/** What a request's row is while a move is decided; a row that is not so any more is left alone. */
export type Expected = Pick<SignatureRequest, "id" | "status"> &
  FindOptionsWhere<SignatureRequest>;

/** A provider may answer with whole pages. */
const longestError = 2000;

/** One conditional update. @returns whether the row was as expected. */
export async function changeRequest(
  tx: EntityManager,
  expected: Expected,
  changes: Partial<SignatureRequest>,
): Promise<boolean> {
  const { error, updatedAt = new Date() } = changes;
  // TypeORM's type looks into JSON columns, where any value may stand.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const columns = {
    ...changes,
    ...(error && { error: error.slice(0, longestError) }),
    updatedAt,
  } as QueryDeepPartialEntity<SignatureRequest>;
  const { affected } = await tx.update(SignatureRequest, expected, columns);
  return affected === 1;
}
