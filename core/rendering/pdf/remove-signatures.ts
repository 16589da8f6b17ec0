import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
} from "@cantoo/pdf-lib";

const ACRO_FORM = PDFName.of("AcroForm");
const ANNOTS = PDFName.of("Annots");
const FIELD_TYPE = PDFName.of("FT");
const FIELDS = PDFName.of("Fields");
const FLAGS = PDFName.of("SigFlags");
const PARENT = PDFName.of("Parent");
const SIGNATURE = PDFName.of("Sig");
const VALUE = PDFName.of("V");

/**
 * Removes the fields of digital signatures, which are not valid in another file, before pages are copied from this one.
 * @returns whether it was signed
 */
export function removeSignatures(pdf: PDFDocument): boolean {
  const { catalog, context } = pdf;
  let isSigned = false;
  const isOther = (object: PDFObject): boolean => {
    const field = context.lookup(object);
    if (!(field instanceof PDFDict) || !isSignature(field)) return true;
    isSigned ||= field.has(VALUE);
    return false;
  };
  const keepOthers = (owner: PDFDict, key: PDFName): void => {
    const list = owner.lookup(key);
    if (!(list instanceof PDFArray)) return;
    const others = list.asArray().filter(isOther);
    if (others.length === list.size()) return;
    if (others.length === 0 && key === ANNOTS) owner.delete(key);
    else owner.set(key, context.obj(others));
  };
  for (const { node } of pdf.getPages()) keepOthers(node, ANNOTS);
  const form = catalog.lookup(ACRO_FORM);
  if (!(form instanceof PDFDict)) return isSigned;
  keepOthers(form, FIELDS);
  form.delete(FLAGS);
  const fields = form.lookup(FIELDS);
  if (fields instanceof PDFArray && fields.size() === 0)
    catalog.delete(ACRO_FORM);
  return isSigned;
}

/** A field or a part of one. */
function isSignature(field: PDFDict): boolean {
  const parent = field.lookup(PARENT);
  const type =
    field.lookup(FIELD_TYPE) ??
    (parent instanceof PDFDict ? parent.lookup(FIELD_TYPE) : undefined);
  return type === SIGNATURE;
}
