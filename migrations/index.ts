import { Initial } from "./0001-initial.js";
import { TakenOver } from "./0002-taken-over.js";
import { FetchJobs } from "./0003-fetch-jobs.js";
import { EmptyLists } from "./0004-empty-lists.js";

/** All migrations, in the order in which they run. */
export const migrations = [Initial, TakenOver, FetchJobs, EmptyLists];

/**
 * `Initial` replaced the migrations with a timestamp below its own. A database that has run the last of them has its
 * tables; one that has not must be migrated by the commit first.
 */
export const replaced = {
  below: 41,
  last: "DocumentFilters0000000000039",
  commit: "d44ece7d",
};
