import { escapeXml } from "../../lib/escape-xml.js";
import { type Conformance, CONFORMANCES } from "../../plugin-api/index.js";

/** Properties of a namespace that PDF/A does not predefine, and their declaration (ISO 19005-2, 6.6.2.3). */
export interface XmpSchema {
  /** What the declaration calls it: `Factur-X PDFA Extension Schema`. */
  name: string;
  namespace: string;
  prefix: string;
  properties: readonly XmpProperty[];
}

export interface XmpProperty {
  name: string;
  /** What it means, for the declaration. */
  description: string;
  value: string;
  /** Of the value; a text by default. */
  type?: "Text" | "Integer";
}

/** What the metadata says of a PDF; the same as its properties. */
export interface PdfFacts {
  title?: string | undefined;
  author?: string | undefined;
  subject?: string | undefined;
  keywords?: string | undefined;
  creator?: string | undefined;
  producer?: string | undefined;
  /** BCP 47. */
  language?: string | undefined;
  createdAt?: Date | undefined;
  modifiedAt?: Date | undefined;
}

/** Writes the metadata of a PDF as XMP (ISO 16684-1). */
export function createXmp(
  facts: PdfFacts,
  conformance: readonly Conformance[],
  schemas: readonly XmpSchema[] = [],
): string {
  const archival = toArchival(conformance);
  const isAccessible = conformance.includes("pdf/ua-1");
  const declared = [...(isAccessible ? [UA_SCHEMA] : []), ...schemas];
  const descriptions = [
    describeFacts(facts),
    archival &&
      description(
        "pdfaid",
        NAMESPACES.pdfaid,
        element("pdfaid:part", archival.part) +
          element("pdfaid:conformance", archival.level),
      ),
    ...declared.map(describeProperties),
    archival && declared.length > 0 && declareSchemas(declared),
  ];
  return (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n' +
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n' +
    descriptions.filter(Boolean).join("") +
    '</rdf:RDF></x:xmpmeta>\n<?xpacket end="w"?>'
  );
}

/** Reads which standards a PDF names in metadata that `createXmp` has written. */
export function readConformance(xmp: string): Conformance[] {
  const read = (name: string) => new RegExp(`<${name}>(\\w+)</`).exec(xmp)?.[1];
  const level = read("pdfaid:conformance")?.toLowerCase();
  const claimed = [
    `pdf/a-${read("pdfaid:part")}${level}`,
    `pdf/ua-${read("pdfuaid:part")}`,
  ];
  return CONFORMANCES.filter((standard) => claimed.includes(standard));
}

export function isArchival(conformance: readonly Conformance[]): boolean {
  return toArchival(conformance) !== null;
}

function toArchival(
  conformance: readonly Conformance[],
): { part: string; level: string } | null {
  for (const standard of conformance) {
    const [, part, level] = /^pdf\/a-(\d)(\w)$/.exec(standard) ?? [];
    if (part && level) return { part, level: level.toUpperCase() };
  }
  return null;
}

const NAMESPACES = {
  dc: "http://purl.org/dc/elements/1.1/",
  pdf: "http://ns.adobe.com/pdf/1.3/",
  pdfaExtension: "http://www.aiim.org/pdfa/ns/extension/",
  pdfaProperty: "http://www.aiim.org/pdfa/ns/property#",
  pdfaSchema: "http://www.aiim.org/pdfa/ns/schema#",
  pdfaid: "http://www.aiim.org/pdfa/ns/id/",
  xmp: "http://ns.adobe.com/xap/1.0/",
};

/** PDF/A-2 is older than PDF/UA, so it does not predefine its property. */
const UA_SCHEMA: XmpSchema = {
  name: "PDF/UA Universal Accessibility Schema",
  namespace: "http://www.aiim.org/pdfua/ns/id/",
  prefix: "pdfuaid",
  properties: [
    {
      name: "part",
      description: "Part of ISO 14289 to which the document conforms",
      value: "1",
      type: "Integer",
    },
  ],
};

function describeFacts(facts: PdfFacts): string {
  const { title, author, subject, keywords, language } = facts;
  const { creator, producer, createdAt, modifiedAt } = facts;
  return (
    description(
      "dc",
      NAMESPACES.dc,
      element("dc:format", "application/pdf") +
        list("dc:title", "Alt", title) +
        list("dc:creator", "Seq", author) +
        list("dc:description", "Alt", subject) +
        list("dc:language", "Bag", language),
    ) +
    description(
      "pdf",
      NAMESPACES.pdf,
      element("pdf:Keywords", keywords) + element("pdf:Producer", producer),
    ) +
    description(
      "xmp",
      NAMESPACES.xmp,
      element("xmp:CreatorTool", creator) +
        element("xmp:CreateDate", toIso(createdAt)) +
        element("xmp:ModifyDate", toIso(modifiedAt)),
    )
  );
}

function describeProperties(schema: XmpSchema): string {
  const { prefix, namespace, properties } = schema;
  const all = properties.map(({ name, value }) =>
    element(`${prefix}:${name}`, value),
  );
  return description(prefix, namespace, all.join(""));
}

function declareSchemas(schemas: readonly XmpSchema[]): string {
  const all = schemas.map(
    ({ name, namespace, prefix, properties }) =>
      '<rdf:li rdf:parseType="Resource">' +
      element("pdfaSchema:schema", name) +
      element("pdfaSchema:namespaceURI", namespace) +
      element("pdfaSchema:prefix", prefix) +
      `<pdfaSchema:property><rdf:Seq>${properties.map(declareProperty).join("")}</rdf:Seq></pdfaSchema:property></rdf:li>`,
  );
  return (
    `<rdf:Description rdf:about="" xmlns:pdfaExtension="${NAMESPACES.pdfaExtension}"` +
    ` xmlns:pdfaSchema="${NAMESPACES.pdfaSchema}" xmlns:pdfaProperty="${NAMESPACES.pdfaProperty}">` +
    `<pdfaExtension:schemas><rdf:Bag>${all.join("")}</rdf:Bag></pdfaExtension:schemas></rdf:Description>\n`
  );
}

function declareProperty({ name, description: text, type }: XmpProperty) {
  return (
    '<rdf:li rdf:parseType="Resource">' +
    element("pdfaProperty:name", name) +
    element("pdfaProperty:valueType", type ?? "Text") +
    element("pdfaProperty:category", "external") +
    element("pdfaProperty:description", text) +
    "</rdf:li>"
  );
}

function description(
  prefix: string,
  namespace: string,
  content: string,
): string {
  return `<rdf:Description rdf:about="" xmlns:${prefix}="${escapeXml(namespace)}">${content}</rdf:Description>\n`;
}

function element(name: string, value: string | undefined): string {
  return value === undefined ? "" : `<${name}>${escapeXml(value)}</${name}>`;
}

function list(
  name: string,
  kind: "Alt" | "Bag" | "Seq",
  value: string | undefined,
): string {
  if (value === undefined) return "";
  const language = kind === "Alt" ? ' xml:lang="x-default"' : "";
  return `<${name}><rdf:${kind}><rdf:li${language}>${escapeXml(value)}</rdf:li></rdf:${kind}></${name}>`;
}

function toIso(date: Date | undefined): string | undefined {
  return date && `${date.toISOString().slice(0, 19)}Z`;
}
