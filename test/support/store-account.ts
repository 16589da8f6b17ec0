import {
  ApiKeys,
  Authenticator,
  CallerCache,
  operator,
  Organizations,
  Users,
} from "../../core/accounts/index.js";
import { PlatenError } from "../../core/plugin-api/index.js";
import type { Plan, Store } from "../../core/storage/database/index.js";
import { silentLog } from "./store-log.js";

/** The account room on a store, joined as in the service. */
export function accountsOf(store: Store) {
  const callers = new CallerCache();
  return {
    organizations: new Organizations(store),
    users: new Users(store),
    keys: new ApiKeys(store, callers),
    authenticator: new Authenticator(store, callers, silentLog),
  };
}

export async function newOrganization(
  store: Store,
  plan: Plan = "free",
): Promise<string> {
  const organizations = new Organizations(store);
  const { id } = await organizations.create({ name: "Acme", plan }, operator);
  return id;
}

/** The paths of the problems with which the promise was refused. */
export async function problemPathsOf(
  promise: Promise<unknown>,
): Promise<string[]> {
  const error = await refusalOf(promise);
  if (!(error instanceof PlatenError)) throw error;
  return error.problems.map(({ path }) => path);
}

/** What the promise was rejected with. */
export async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was refused.");
}
