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

/** The length of a document that prints an expression of `a` for each of many equal rows. */
function lengthOf(expression: string, count: number, row: object): number {
  const list = repeated("a", [text(`{{ ${expression} }}`)]);
  return merged([list], { rows: Array.from({ length: count }, () => row) }).html
    .length;
}

const repeatedTooOften = (limit: number) =>
  `The data makes the template repeat components, process long texts and lists, or draw codes and charts, more than ${limit} times. ` +
  "Send fewer records or shorter texts, or limit the collection.";

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

  it("leave room for the texts of long documents", () => {
    const long = "word ".repeat(1000);
    const phone = "+49 228 12 34 56 78";
    const words = "a few words of one line that are split";
    const replaced = lengthOf('a.t | replace(" ", "_")', 220, { t: long });
    const phones = lengthOf('a.t | replace(" ", "")', 30_000, { t: phone });
    const lines = 'JOIN(a.t | split(" "), "-")';
    const joined = lengthOf(lines, 15_000, { t: words });
    expect(replaced).to.be.above(220 * 5000);
    expect(phones).to.be.above(30_000 * 14);
    expect(joined).to.be.above(15_000 * words.length);
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

  it("do not concern 10,000 texts of translations", () => {
    const texts = Object.fromEntries(
      Array.from({ length: 10_000 }, (_none, index) => [
        `key${index}`,
        `Text ${index} {n, plural, one {#} other {#s}}`,
      ]),
    );
    const components = [text('{{ t("key9999", root.n) }}')];
    const written = { translations: { en: texts, de: texts }, components };
    const { html } = merged(written, { n: 2 }, { locale: "de" });
    expect(html).to.include("<main><p>Text 9999 2s</p></main>");
  });
});

describe("a number of a sequence", () => {
  it("is taken by a document, not by a text beside it", () => {
    const program = compileTemplate(accepted([]), "document");
    const subject = { "$.subject": 'No. {{ sequence("in", "R-{0000}") }}' };
    const write = (options: Partial<MergeOptions>) =>
      program.texts(subject, {}, { ...OPTIONS, ...options }).values;
    expect(write({ numbers: { in: "R-0042" } })).to.deep.equal({
      "$.subject": "No. R-0042",
    });
    expect(() => write({})).to.throw(
      PlatenError,
      /^The document has no number of the sequence "in"\. A number is taken when a document prints it: write sequence\("in", "R-\{0000\}"\) in its template, best as a computed field that all texts use\.$/,
    );
  });
});
