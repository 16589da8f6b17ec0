import { checkBudget } from "../../lib/time-budget.js";
import type { Problem } from "../../plugin-api/index.js";
import {
  checkComputed,
  collectionTypes,
  FORBIDDEN_KEYS,
  type SharedLanguage,
} from "../expressions/index.js";
import { type DataCollection, getFormula } from "../schema/data-schema.js";
import { type Findings, reportAt } from "./problems.js";

/** Fields that depend on each other in a longer chain could overflow the stack. */
const MAX_CHAIN = 64;

interface ComputedField {
  /** `lines.total`; of the root, `root.total`. */
  name: string;
  path: string;
  /** The names of the computed fields that it reads. */
  reads: Set<string>;
}

/** Second pass: checks the expressions of computed fields, and that none of them depends on itself. */
export function checkComputedFields(
  schema: readonly DataCollection[],
  language: SharedLanguage,
  findings: Findings,
): void {
  const types = collectionTypes(schema, language);
  const fields = new Map<string, ComputedField>();
  for (const [at, { id, fields: all }] of schema.entries())
    for (const [index, field] of all.entries())
      if (getFormula(field) !== undefined)
        fields.set(toKey(id, field.name), {
          name: `${id}.${field.name}`,
          path: `$.schema[${at}].fields[${index}]`,
          reads: new Set(),
        });
  for (const { id, fields: all } of schema) {
    const scopeTypes = types.get(id);
    for (const field of all) {
      const source = getFormula(field);
      const computed = fields.get(toKey(id, field.name));
      if (source === undefined || !computed || !scopeTypes) continue;
      checkBudget();
      findings.problems.push(...checkProperties(field, computed.path));
      const report = reportAt(findings, `${computed.path}.computed`);
      checkComputed(source, scopeTypes, {
        ...report,
        read(read) {
          report.read?.(read);
          for (const [at, owner] of read.owners.entries()) {
            const key = owner === null ? "" : toKey(owner, read.node.keys[at]!);
            if (fields.has(key)) computed.reads.add(key);
          }
        },
      });
    }
  }
  findings.problems.push(...findCycle(fields));
}

function toKey(collection: string, field: string): string {
  return JSON.stringify([collection, field]);
}

/** What makes no sense for a field that the data does not have. */
function checkProperties(field: object, path: string): Problem[] {
  const name = "name" in field ? String(field.name) : "";
  if (FORBIDDEN_KEYS.includes(name))
    return [
      {
        path: `${path}.name`,
        code: "wrong_value",
        message: `No field may be named "${name}".`,
        hint: "Choose another name.",
      },
    ];
  return ["required", "source"]
    .filter((property) => Reflect.get(field, property))
    .map((property) => ({
      path: `${path}.${property}`,
      code: "misplaced",
      message: `A computed field is not part of the data, so it has no "${property}".`,
      hint: `Remove "${property}", or remove "computed".`,
    }));
}

/** The first field that depends on itself, or through too many others. */
function findCycle(fields: ReadonlyMap<string, ComputedField>): Problem[] {
  const problems: Problem[] = [];
  const depths = new Map<string, number>();
  const visit = (key: string, chain: readonly string[]): number => {
    const cached = depths.get(key);
    const field = fields.get(key);
    if (cached !== undefined || !field) return cached ?? 0;
    const start = chain.indexOf(key);
    if (start >= 0) {
      problems.push(createCycleProblem([...chain.slice(start), key], fields));
      return 0;
    }
    const inside = [...chain, key];
    let depth = 1;
    if (inside.length <= MAX_CHAIN)
      for (const read of field.reads) {
        if (problems.length > 0) return 0;
        depth = Math.max(depth, visit(read, inside) + 1);
      }
    if (Math.max(depth, inside.length) > MAX_CHAIN && problems.length === 0)
      problems.push({
        path: `${field.path}.computed`,
        code: "too_deep",
        message: `This field depends on others in a chain of more than ${MAX_CHAIN} computed fields.`,
        hint: "Write some of the expressions out where they are used.",
      });
    depths.set(key, depth);
    return depth;
  };
  for (const key of fields.keys()) {
    if (problems.length > 0) break;
    visit(key, []);
  }
  return problems;
}

function createCycleProblem(
  cycle: readonly string[],
  fields: ReadonlyMap<string, ComputedField>,
): Problem {
  const [first = ""] = cycle;
  const names = cycle.map((key) => fields.get(key)?.name ?? key);
  return {
    path: `${fields.get(first)?.path}.computed`,
    code: "cyclic_field",
    message:
      cycle.length === 2
        ? `${names[0]} is computed from itself.`
        : `These fields are computed from each other: ${names.join(", ")}.`,
    hint: "Compute one of them from other fields.",
  };
}
