import { expectAccepted, fc } from "../../support/properties.js";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { value } from "./vocabulary.js";

const leaf = fc.oneof(
  fc.constantFrom(
    "root.a",
    "a",
    "root.a.b",
    "root.list.a",
    "root.none",
    "null",
  ),
  fc.constantFrom("1", "0", "'x'", "'2024-01-31'", "1e9", "true", "''"),
);

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie("expression");
  const binary = fc.constantFrom(
    ..."+ - * / % = != < <= > >= contains in and or ~".split(" "),
  );
  const call = fc.constantFrom(
    ..."ROUND ABS CEIL FLOOR LEN CONCAT JOIN COALESCE".split(" "),
  );
  const filter = fc.constantFrom(
    ..."number currency percent date upper title markdown nl2br words".split(
      " ",
    ),
    ..."ordinal truncate(2) default(1) mask('#-#') number(root.a)".split(" "),
    "date(root.a, root.a)",
    "replace(root.a, a)",
    "split(root.a)",
    "slice(root.a, 2)",
    "contains(root.a)",
    "startsWith(root.a)",
    "currency(a)",
  );
  return {
    expression: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.tuple(inner, binary, inner).map(([a, op, b]) => `(${a} ${op} ${b})`),
      fc.tuple(inner, inner).map(([a, b]) => `(${a} if ${b} else 'z')`),
      fc.tuple(call, inner).map(([name, a]) => `${name}(${a})`),
      fc.tuple(inner, filter).map(([a, name]) => `(${a} | ${name})`),
      inner.map((a) => `SUM(root.list, ${a})`),
      inner.map((a) => `(not ${a})`),
      inner.map((a) => `DATE_ADD(${a}, ${a}, 'days')`),
      inner.map((a) => `DATE_DIFF(${a}, root.a, 'months')`),
    ),
  };
});

const data = fc.record({
  a: fc.jsonValue(),
  list: fc.oneof(fc.jsonValue(), fc.array(fc.record({ a: fc.jsonValue() }))),
});

/** Prints the expression; any error but our own passes through. @returns what was printed, null when refused. */
function printIfAccepted(text: string, record: object): string | null {
  try {
    return value(text, record, { output: "html" });
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return null;
  }
}

describe("any expression over any data", () => {
  it("throws only PlatenError when it is well formed", () => {
    expectAccepted(500, (accept) => {
      const property = fc.property(expression, data, (text, record) => {
        if (printIfAccepted(text, record)) accept();
      });
      fc.assert(property, { numRuns: 2000 });
    });
  });

  it("throws only PlatenError when it is any text", () => {
    const text = fc.string({ unit: "binary" });
    expectAccepted(1, (accept) => {
      const property = fc.property(text, data, (source, record) => {
        if (printIfAccepted(source, record) !== null) accept();
      });
      fc.assert(property, { numRuns: 1000 });
    });
  });
});
