import { expect } from "chai";
import { before, describe, it } from "mocha";
import sharp from "sharp";
import { z } from "zod";
import { blueprintIds } from "../../../core/templates/index.js";
import { greatVibes } from "../../support/assets.js";
import { reader } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

const names = z.array(z.string());
const design = z.looseObject({
  pageStyle: z.string(),
  jsonSchema: z.looseObject({ title: z.string() }),
  allowedChildren: z.record(z.string(), names),
  requiredParents: z.record(z.string(), names),
  topLevel: names,
  fontFamilies: names,
  fontAliases: z.record(z.string(), z.string()),
  fonts: z.array(
    z.strictObject({
      family: z.string(),
      weight: z.string(),
      style: z.enum(["normal", "italic"]),
      source: z.union([
        z.strictObject({ file: z.string() }),
        z.strictObject({ url: z.string() }),
      ]),
    }),
  ),
  paper: z.record(z.string(), z.tuple([z.number(), z.number()])),
});
const card = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  templateType: z.string(),
  translations: z.record(
    z.enum(["de", "es", "fr"]),
    z.strictObject({ name: z.string(), description: z.string() }),
  ),
});

describe("the editor's design data", () => {
  const service = useService();
  let visitor: TestVisitor;
  before(async () => {
    visitor = await newVisitor(service, "viewer");
  });
  const get = (path: string) => visitor.get(`/studio/api/${path}`);

  it("contains the paper sizes and the placement rules", async () => {
    const facts = await reader(design)(await get("design"));
    expect(facts.paper).to.deep.include({ A4: [210, 297] });
    expect(facts.paper).to.deep.include({ Letter: [215.9, 279.4] });
    expect(facts.allowedChildren["table"]).to.deep.equal(["table-row"]);
    expect(facts.requiredParents["table-row"]).to.deep.equal(["table"]);
    expect(facts.fontFamilies[0]).to.equal("Inter");
  });

  it("contains the fonts that documents are printed with", async () => {
    const facts = await reader(design)(await get("design"));
    const { fonts, fontAliases, fontFamilies } = facts;
    expect(fontAliases).to.include({ serif: "Source Serif 4", Arial: "Arimo" });
    expect(fontFamilies).to.include.members(Object.values(fontAliases));
    const script = fonts.find(({ family }) => family === "Great Vibes");
    const file = script && "file" in script.source ? script.source.file : "";
    const font = await get(`fonts/${file}`);
    expect(font.headers.get("cache-control")).to.contain("max-age");
    const bytes = Buffer.from(await font.arrayBuffer());
    expect(bytes.equals(await greatVibes())).to.equal(true);
    for (const name of ["none.ttf", "..%2Fpackage.json"])
      expect((await get(`fonts/${name}`)).status).to.equal(404);
  });

  it("contains the blueprints with their pictures", async () => {
    const read = reader(z.strictObject({ blueprints: z.array(card) }));
    const { blueprints } = await read(await get("blueprints"));
    expect(blueprints.map(({ id }) => id)).to.have.members(blueprintIds());
    const picture = await get("blueprints/invoice/picture");
    const { format, width } = await sharp(
      await picture.arrayBuffer(),
    ).metadata();
    expect({ format, width }).to.deep.equal({ format: "webp", width: 560 });
    expect((await get("blueprints/none/picture")).status).to.equal(404);
  });
});
