import { rootScope, type Scope } from "../../definition/expressions/index.js";
import type { ProjectData } from "../../definition/schema/project-data.js";
import { checkRecord } from "./check-record.js";
import { localeOf } from "./locale.js";
import type { MergeOptions } from "./merge-options.js";
import { Run } from "./run.js";

/**
 * What every merge begins with: the record as the root scope, and the run that counts and collects.
 * @throws PlatenError `merge_failed` when the data is no record
 */
export function startMerge(
  definition: ProjectData,
  data: unknown,
  options: MergeOptions,
): { root: Scope; run: Run } {
  checkRecord(data);
  const run = new Run(options);
  const context = run.context({ ...localeOf(definition), now: options.now });
  return { root: rootScope(data, context), run };
}
