import { expect } from "chai";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { merged, text } from "../support.js";

function failure(work: () => unknown): PlatenError {
  try {
    work();
  } catch (error) {
    if (error instanceof PlatenError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

const rows = (count: number) => ({
  rows: Array.from({ length: count }, () => ({})),
});
const repeated = (id: string, components: object[]) => ({
  type: "container",
  collection: { collectionId: id, path: "root.rows" },
  components,
});

describe("the limits of a merge", () => {
  it("stop three nested loops at 200,000 iterations", () => {
    const nested = repeated("a", [repeated("b", [repeated("c", [text("x")])])]);
    expect(merged([nested], rows(9)).html).to.contain("<p>x</p>");
    const error = failure(() => merged([nested], rows(1000)));
    expect(error.code).to.equal("merge_failed");
    expect(error.message).to.include("200000 times");
  });

  it("stop html that exceeds 32 MiB before it is written", () => {
    const long = repeated("a", [text("x".repeat(1_000_000))]);
    expect(merged([long], rows(30)).html).to.have.length.above(30_000_000);
    const error = failure(() => merged([long], rows(100_000)));
    expect(error.code).to.equal("merge_failed");
    expect(error.message).to.include("larger than");
  });

  it("reject data that is not an object", () => {
    expect(merged([text("x")], {}).html).to.contain("<p>x</p>");
    for (const data of [[], [{}]])
      expect(failure(() => merged([], data)).message).to.include(
        "must be a JSON object",
      );
  });

  it("reject keys that reach a prototype, with their name and path", () => {
    for (const key of ["__proto__", "constructor", "prototype"]) {
      const written = [text("{{ root.a.b }}")];
      expect(merged(written, { a: { b: key } }).html).to.contain(key);
      const data = { a: [JSON.parse(`{"${key}":{"b":1}}`)] };
      const { message } = failure(() => merged(written, data));
      expect(message).to.include(`"${key}"`).and.to.include("$.a[0]");
    }
  });
});
