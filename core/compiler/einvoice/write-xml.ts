import Builder from "fast-xml-builder";

/**
 * An element: a text, or its attributes (`@name`), its text (`#text`) and its children in their order. Elements without
 * text are left out, except for null.
 */
export type XmlNode =
  | string
  | undefined
  | null
  | { readonly [name: string]: XmlNode | readonly XmlNode[] };

const builder = new Builder({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  suppressBooleanAttributes: false,
  format: true,
  indentBy: "  ",
});

/** A document with this root. */
export function writeXml(
  name: string,
  namespaces: Readonly<Record<string, string>>,
  content: XmlNode,
): string {
  const attributes = Object.fromEntries(
    Object.entries(namespaces).map(([prefix, uri]) => [
      prefix === "" ? "@xmlns" : `@xmlns:${prefix}`,
      uri,
    ]),
  );
  const children = prune(content);
  return builder.build({
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    [name]: {
      ...attributes,
      ...(typeof children === "object" ? children : {}),
    },
  });
}

type Pruned = string | { [name: string]: Pruned | Pruned[] };

/** The element without its empty elements; undefined when nothing is left. */
export function prune(node: XmlNode): Pruned | undefined {
  if (node === null) return "";
  if (node === undefined || node === "") return undefined;
  if (typeof node === "string") return node;
  const pruned: { [name: string]: Pruned | Pruned[] } = {};
  let hasContent = false;
  for (const [name, value] of Object.entries(node)) {
    const parts = isList(value)
      ? value.map(prune).filter((part) => part !== undefined)
      : prune(value);
    if (parts === undefined || (Array.isArray(parts) && parts.length === 0))
      continue;
    pruned[name] = parts;
    if (!name.startsWith("@")) hasContent = true;
  }
  return hasContent ? pruned : undefined;
}

function isList(
  value: XmlNode | readonly XmlNode[],
): value is readonly XmlNode[] {
  return Array.isArray(value);
}
