import type { ResolvedPath } from "./resolve-path.js";
import { ANY, isOpen, type RecordType, type Shape } from "./record-type.js";

/** What the schema says along a path. */
export interface Walk {
  /** The declared shape of the value; a list when the path went through one. */
  readonly shape: Shape;
  /** Place, among the keys that are read, of the first that reads a field of every element of a collection; -1 for none. */
  readonly crossing: number;
  readonly crossed: RecordType | null;
  /** Place of the first key that no declared field matches; -1 for none. */
  readonly undeclared: number;
  /** The fields that are declared there. */
  readonly known: readonly string[];
  /** For each key the record type that declares it. */
  readonly owners: readonly (RecordType | null)[];
}

const INDEX = /^\d+$/;

export function walkShape(path: ResolvedPath): Walk {
  let { shape } = path;
  let crossing = -1;
  let crossed: RecordType | null = null;
  const owners: (RecordType | null)[] = [];
  for (const [at, key] of path.keys.entries()) {
    if (shape.kind === "many" && !INDEX.test(key)) {
      if (crossing < 0) [crossing, crossed] = [at, shape.record];
    }
    owners.push(ownerOf(shape, key));
    const next = step(shape, key);
    if (next === null) {
      const known = "record" in shape ? shape.record.fieldNames : [];
      return { shape: ANY, crossing, crossed, undeclared: at, known, owners };
    }
    shape = next;
  }
  const whole = crossing < 0 ? shape : asList(shape);
  return { shape: whole, crossing, crossed, undeclared: -1, known: [], owners };
}

function ownerOf(shape: Shape, key: string): RecordType | null {
  return "record" in shape && shape.record.shapeOf(key) ? shape.record : null;
}

/** Null when the record at hand declares its fields and this is none of them. */
function step(shape: Shape, key: string): Shape | null {
  if (shape.kind === "any") return ANY;
  if (shape.kind === "scalar") return null;
  const { kind, record } = shape;
  if (kind === "many" && INDEX.test(key)) return { kind: "one", record };
  return record.shapeOf(key) ?? (isOpen(record) ? ANY : null);
}

function asList(shape: Shape): Shape {
  if (shape.kind !== "one") return shape;
  return { kind: "many", record: shape.record };
}
