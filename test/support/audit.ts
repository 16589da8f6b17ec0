import { AuditLog } from "../../core/accounts/index.js";
import type { TestService } from "./service.js";

/** What was done to an object, the first act first. */
export async function listActs(
  { store }: Pick<TestService, "store">,
  organizationId: string,
  subjectId: string,
) {
  const any = { action: null, userId: null, from: null, until: null };
  const all = { ...any, page: 1, pageSize: 100 };
  const { data } = await new AuditLog(store).list(organizationId, all);
  return data.filter(({ subject }) => subject.id === subjectId).toReversed();
}
