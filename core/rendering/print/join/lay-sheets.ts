import {
  type PDFDocument,
  PDFName,
  PDFObjectCopier,
  type PDFPage,
  PDFRawStream,
} from "@cantoo/pdf-lib";

/**
 * Lays each page of `sheets` under or over what is on the same page of `target`. Sheets are as Chromium writes them.
 * @throws Error when there are not as many.
 */
export function laySheets(
  target: PDFDocument,
  sheets: PDFDocument,
  where: "under" | "over",
): void {
  const pages = target.getPages();
  const layers = sheets.getPages();
  if (layers.length !== pages.length)
    throw new Error(`${layers.length} sheets for ${pages.length} pages`);
  const { context } = target;
  const copier = PDFObjectCopier.for(sheets.context, context);
  const name = PDFName.of(`Platen-${where}`);
  const draw = `q\n/Artifact BMC\n/Platen-${where} Do\nEMC\nQ\n`;
  const isUnder = where === "under";
  const before = context.register(context.stream(`${isUnder ? draw : ""}q\n`));
  const after = context.register(context.stream(`\nQ\n${isUnder ? "" : draw}`));
  for (const [index, { node }] of pages.entries()) {
    const layer = layers[index];
    const { Contents: contents } = node.normalizedEntries();
    if (!layer || !contents) continue;
    node.setXObject(name, context.register(asForm(layer, copier)));
    contents.insert(0, before);
    contents.push(after);
  }
}

/** What a page draws as something that can be drawn on another: its stream stays packed as it is. */
function asForm({ node }: PDFPage, copier: PDFObjectCopier): PDFRawStream {
  const contents = node.Contents();
  if (!(contents instanceof PDFRawStream))
    throw new Error("a sheet is not drawn by one stream");
  const { dict, contents: packed } = copier.copy(contents);
  const entries = {
    Type: PDFName.of("XObject"),
    Subtype: PDFName.of("Form"),
    BBox: copier.copy(node.MediaBox()),
    Resources: copier.copy(node.normalizedEntries().Resources),
  };
  for (const [name, value] of Object.entries(entries))
    dict.set(PDFName.of(name), value);
  return PDFRawStream.of(dict, packed);
}
