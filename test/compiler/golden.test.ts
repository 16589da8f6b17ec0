import { existsSync, readdirSync, readFileSync } from "node:fs";
import {
  compileTemplate,
  evaluateSample,
  overlayHtml,
  toPlainText,
  type MergeOptions,
} from "../../core/compiler/index.js";
import { accepted, expectRecorded, onLines, OPTIONS } from "./support.js";

// Each folder of test/golden holds a definition, a record, perhaps options, and all that they become. UPDATE_GOLDEN=1
// writes that anew; the diff shows what changed.

const golden = new URL("../golden/", import.meta.url);

function read(folder: URL, file: string): object {
  const json = readFileSync(new URL(file, folder), "utf8");
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null) throw new Error(file);
  return value;
}

/** The definition with the place of each component as its id. */
function withIds(value: unknown, place: string): unknown {
  if (Array.isArray(value))
    return value.map((part, index) => withIds(part, `${place}[${index}]`));
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    withIds(part, `${place}.${name}`),
  ]);
  const id = "type" in value && !("id" in value) && { id: place };
  return { ...Object.fromEntries(parts), ...id };
}

const toPlain = (_key: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value;

describe("golden documents", () => {
  for (const name of readdirSync(golden))
    it(name, () => {
      const folder = new URL(`${name}/`, golden);
      const record = (file: string, text: string) =>
        expectRecorded(text, new URL(file, folder));
      const definition = read(folder, "definition.json");
      const data = read(folder, "data.json");
      const options: MergeOptions = {
        ...OPTIONS,
        ...(existsSync(new URL("options.json", folder)) &&
          read(folder, "options.json")),
      };
      const type = "email" in definition ? "email" : "document";
      const program = compileTemplate(accepted(definition, type), type);
      const { html, overlay, assets, ...rest } = program.merge(data, options);
      record("expected.html", onLines(html));
      if (type === "email") record("expected.txt", toPlainText(html));
      if (overlay) record("overlay.html", onLines(overlayHtml(overlay, 2)));
      const { mjml } = program.mjml(data, options);
      record("expected.mjml", onLines(mjml));
      const images = assets.map(({ source, ...asset }) => {
        const [, svg] = /^data:image\/svg\+xml;base64,(.*)/.exec(source) ?? [];
        const drawing = svg && Buffer.from(svg, "base64").toString();
        return {
          source: drawing ? onLines(drawing).split("\n") : source,
          ...asset,
        };
      });
      const facts = { ...rest, assets: images, weight: program.weight };
      record("expected.json", `${JSON.stringify(facts, null, 2)}\n`);
      const components = withIds(accepted(definition, type).components, "");
      const sample = evaluateSample(
        { ...definition, components },
        data,
        OPTIONS.now,
      );
      record("sample.json", `${JSON.stringify(sample, toPlain, 2)}\n`);
    });
});
