import { expect } from "chai";
import {
  compileTemplate,
  type MergeOptions,
} from "../../../core/compiler/index.js";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { accepted, merged, OPTIONS, text } from "../support.js";

/** The message of a merge that fails. */
function failure(
  components: readonly object[],
  data: unknown,
  options: Partial<MergeOptions> = {},
): string {
  const program = compileTemplate(accepted(components), "document");
  try {
    program.merge(data, { ...OPTIONS, ...options });
  } catch (error) {
    if (error instanceof PlatenError && error.code === "merge_failed")
      return error.message;
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
const nested = repeated("a", [repeated("b", [text("x")])]);

/** An object in which others are nested. */
const deep = (levels: number): object =>
  levels === 0 ? {} : { in: deep(levels - 1) };

const repeatedTooOften = (limit: number) =>
  `The data makes the template repeat components, or draw long texts, codes and charts, more than ${limit} times. ` +
  "Send fewer records, or limit the collection.";

const tooLarge = (bytes: number) =>
  `The merged document is larger than ${bytes} bytes of html. Send fewer records, or smaller images.`;

describe("the limits of a merge", () => {
  it("are 200,000 iterations of all loops together, or as many as the caller allows", () => {
    const limits = { iterations: 12 };
    expect(merged([nested], rows(3), { limits }).html).to.contain("<p>x</p>");
    expect(failure([nested], rows(4), { limits })).to.equal(
      repeatedTooOften(12),
    );
    expect(failure([nested], rows(450))).to.equal(repeatedTooOften(200_000));
  });

  it("are 32 MiB of html, or as much as the caller allows, to the byte", () => {
    const components = [text("ä€{{ root.x }}")];
    const htmlBytes = Buffer.byteLength(merged(components).html);
    expect(merged(components, {}, { limits: { htmlBytes } }).html).to.match(
      /ä€/,
    );
    const limits = { htmlBytes: htmlBytes - 1 };
    expect(failure(components, {}, { limits })).to.equal(
      tooLarge(htmlBytes - 1),
    );
    const long = repeated("a", [text("x".repeat(1_000_000))]);
    expect(failure([long], rows(100_000))).to.equal(tooLarge(33_554_432));
  });

  it("refuse data that is not an object", () => {
    for (const data of [[], [{}], null, "x", 1, undefined])
      expect(failure([], data)).to.equal(
        "The data of a document must be a JSON object: one record becomes one document.",
      );
  });

  it("refuse data that is nested more than 200 levels deep", () => {
    expect(merged([text("x")], deep(200)).html).to.contain("<p>x</p>");
    expect(failure([], deep(201))).to.equal(
      "The data is nested more than 200 levels deep.",
    );
  });

  it("refuse keys that reach a prototype, with their name and path", () => {
    for (const key of ["__proto__", "constructor", "prototype"]) {
      const written = [text("{{ root.a.b }}")];
      expect(merged(written, { a: { b: key } }).html).to.contain(key);
      const data = { x: null, a: [0, JSON.parse(`{"${key}":{"b":1}}`)] };
      expect(failure(written, data)).to.equal(
        `The data has the key "${key}" at $.a[1], which is not allowed. Rename it.`,
      );
    }
  });

  it("report 20 elements of a list that lack a field, and each path once", () => {
    const list = text("{{ SUM(root.rows, x) }} {{ SUM(root.rows, x) }}");
    const { missing } = merged([list, text("{{ root.no }}")], rows(30)).report;
    const first = Array.from({ length: 20 }, (_, index) => ({
      path: `root.rows[${index}].x`,
      component: "$.components[0]",
    }));
    expect(missing).to.deep.equal([
      ...first,
      { path: "root.no", component: "$.components[1]" },
    ]);
  });
});

const number = (pattern: string) => text(`{{ sequence("in", "${pattern}") }}`);

const sequences = (options: Partial<MergeOptions>) =>
  merged([number("R-{0000}"), number("R-{0000}")], {}, options);

describe("a number of a sequence", () => {
  it("is needed once, printed as zeros without it, and not needed by a test or with it", () => {
    const { html, ...open } = sequences({});
    expect(html.match(/<p>.*<\/p>/g)).to.deep.equal([
      "<p>R-0000</p><p>R-0000</p>",
    ]);
    expect(open.sequences.map(({ name }) => name)).to.deep.equal(["in"]);
    expect(sequences({ isTest: true }).sequences).to.deep.equal([]);
    const numbered = sequences({ numbers: { in: "R-0042" } });
    expect(numbered.html).to.include("<p>R-0042</p><p>R-0042</p>");
    expect(numbered.sequences).to.deep.equal([]);
  });

  it("has one pattern in a document", () => {
    expect(failure([number("R-{0000}"), number("Q-{0000}")], {})).to.equal(
      'The document has one number of the sequence "in", but two patterns for it: R-{0000} and Q-{0000}. Write the same pattern everywhere, or give one of them another name.',
    );
  });

  it("is taken by a document, not by a text beside it", () => {
    const program = compileTemplate(accepted([]), "document");
    const subject = { "$.subject": 'No. {{ sequence("in", "R-{0000}") }}' };
    const write = (options: Partial<MergeOptions>) =>
      program.texts(subject, {}, { ...OPTIONS, ...options });
    expect(write({ numbers: { in: "R-0042" } })).to.deep.equal({
      "$.subject": "No. R-0042",
    });
    expect(() => write({})).to.throw(
      PlatenError,
      /^The document has no number of the sequence "in"\. A number is taken when a document prints it: write sequence\("in", "R-\{0000\}"\) in its template, best as a computed field that all texts use\.$/,
    );
  });
});
