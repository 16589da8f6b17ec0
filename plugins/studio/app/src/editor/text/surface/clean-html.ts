// What other programs put on the clipboard: of their markup only what a text here can have is kept.

const SKIPPED =
  "script,style,title,meta,link,head,template,noscript,object,svg";
const BLOCKS =
  "p,div,li,ul,ol,tr,table,h1,h2,h3,h4,h5,h6,blockquote,pre,section,article,header,footer,hr";

/** Marks, links and line ends of a page, as markup without anything else; blocks become lines. */
export function cleanHtml(html: string): string {
  if (html.includes("data-pm-slice")) return html;
  const source = new DOMParser().parseFromString(unstyled(html), "text/html");
  for (const one of source.querySelectorAll(SKIPPED)) one.remove();
  const target = document.implementation.createHTMLDocument("");
  new Copier(target).copy(source.body, target.body);
  return target.body.innerHTML;
}

/** Styles are only read here: the policy of the page lets none of them through, and says so in the console. */
function unstyled(html: string): string {
  return html
    .replaceAll(/<style\b[^]*?<\/style>/gi, "")
    .replaceAll(/<[a-z][^>]*>/gi, (tag) =>
      tag.replaceAll(/\sstyle\s*=/gi, " data-css="),
    );
}

class Copier {
  #needsBreak = false;
  #hasContent = false;

  constructor(readonly target: Document) {}

  copy(from: Node, to: Node): void {
    for (const node of from.childNodes) {
      if (node.nodeType === 3) this.#text(node.textContent ?? "", to);
      else if (node instanceof Element) this.#element(node, to);
    }
  }

  #text(text: string, to: Node): void {
    const words = text.replaceAll(/[ \t\r\n\f]+/g, " ");
    const isGap =
      words.trim() === "" && (this.#needsBreak || !this.#hasContent);
    if (words === "" || isGap) return;
    this.#startLine(to);
    to.appendChild(this.target.createTextNode(words));
  }

  #startLine(to: Node): void {
    if (this.#needsBreak && this.#hasContent)
      to.appendChild(this.target.createElement("br"));
    this.#needsBreak = false;
    this.#hasContent = true;
  }

  #element(element: Element, to: Node): void {
    if (element.localName === "br") {
      this.#startLine(to);
      this.#needsBreak = true;
      return;
    }
    const isBlock = element.matches(BLOCKS);
    if (isBlock) this.#needsBreak = true;
    if (element.matches("td + td, th + th, td + th, th + td"))
      this.#text(" ", to);
    this.copy(element, this.#marked(element, to));
    if (isBlock) this.#needsBreak = true;
  }

  /** The innermost of the marks that an element sets. */
  #marked(element: Element, to: Node): Node {
    let inner = to;
    const add = (name: string) =>
      inner.appendChild(this.target.createElement(name));
    for (const name of marksOf(element)) inner = add(name);
    const href =
      element.localName === "a" ? element.getAttribute("href") : null;
    if (href !== null && /^(?:https?:|mailto:|tel:)/i.test(href)) {
      const link = this.target.createElement("a");
      link.setAttribute("href", href);
      inner = inner.appendChild(link);
    }
    return inner;
  }
}

/** By its name and by its style; a style that says otherwise wins, as Google's bold that is none. */
function marksOf(element: Element): string[] {
  const style = element.getAttribute("data-css") ?? "";
  const says = (pattern: RegExp) => pattern.test(style);
  const isThin = says(/font-weight:\s*(?:normal|[1-5]00)/i);
  const isUpright = says(/font-style:\s*normal/i);
  const marks: [string, boolean][] = [
    [
      "strong",
      !isThin &&
        (element.matches("b,strong") ||
          says(/font-weight:\s*(?:bold|[6-9]00)/i)),
    ],
    [
      "em",
      !isUpright && (element.matches("i,em") || says(/font-style:\s*italic/i)),
    ],
    [
      "u",
      (element.matches("u,ins") || says(/text-decoration[^;]*underline/i)) &&
        element.localName !== "a",
    ],
    [
      "s",
      element.matches("s,strike,del") ||
        says(/text-decoration[^;]*line-through/i),
    ],
  ];
  return marks.filter(([, isSet]) => isSet).map(([name]) => name);
}
