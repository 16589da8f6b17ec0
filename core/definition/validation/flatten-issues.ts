import type { Issue } from "./describe-issue.js";

/**
 * A union reports what every branch of it says. Only the branch that was meant is of use:
 * the one whose kind fits the value and which has least to object.
 */
export function flattenIssues(
  issues: readonly Issue[],
  base: readonly PropertyKey[] = [],
): Issue[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    const branch = issue.code === "invalid_union" ? meant(issue.errors) : null;
    return branch ? flattenIssues(branch, path) : [{ ...issue, path }];
  });
}

function meant(
  branches: readonly (readonly Issue[])[],
): readonly Issue[] | null {
  const fitting = branches.filter((branch) => !branch.some(isMismatch));
  if (fitting.length === 0) return null;
  return fitting.reduce((best, one) => (cost(one) < cost(best) ? one : best));
}

function isMismatch(issue: Issue): boolean {
  return (
    issue.path.length === 0 &&
    (issue.code === "invalid_type" || issue.code === "invalid_value")
  );
}

function cost(branch: readonly Issue[]): number {
  return branch.reduce(
    (sum, issue) =>
      sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1),
    0,
  );
}
