import { parse, parseFragment, type DefaultTreeAdapterTypes } from "parse5";

export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** Every element of a document, as a browser reads it: with scripts, and without where that makes a difference. */
export function readDocument(html: string): Element[] {
  const readings = /<noscript/i.test(html) ? [true, false] : [true];
  return readings.flatMap((scriptingEnabled) => [
    ...toElements(parse(html, { scriptingEnabled })),
  ]);
}

/** Every element of a piece of markup. */
export function readMarkup(markup: string): Element[] {
  return [...toElements(parseFragment(markup))];
}

/** In the order in which they open: those in templates too, and those that only Outlook sees. */
function* toElements(node: Node): Generator<Element> {
  if ("tagName" in node) yield node;
  if ("content" in node) yield* toElements(node.content);
  if ("data" in node) yield* toElements(conditionalOf(node.data));
  if ("childNodes" in node)
    for (const child of node.childNodes) yield* toElements(child);
}

/** What stands between `[if mso]>` and `<![endif]`. */
function conditionalOf(comment: string): Node {
  const inside = /^\[if [^\]]*\]>([^]*)<!\[endif\]$/.exec(comment)?.[1];
  return parseFragment(inside ?? "");
}

export function getSourceText(element: Element): string {
  return element.childNodes
    .map((node) => ("value" in node ? node.value : ""))
    .join("");
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}
