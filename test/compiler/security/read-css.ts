import { parse, walk, type CssNode } from "css-tree";

type Context = "stylesheet" | "declarationList";

/** What a style sheet or a `style` attribute holds, read by a parser of CSS as browsers have it. */
export interface CssFacts {
  urls: string[];
  /** Functions and at-rules that no merged document has. */
  unknown: string[];
  /** Selectors, at-rules and properties without values: what data must not change. */
  outline: string;
}

const FUNCTIONS =
  /^(rgba?|hsla?|calc|min|max|clamp|var|counter|linear-gradient|translate|rotate|scale)$/;
const AT_RULES = /^(page|media|(top|bottom)-(left|center|right))$/;

/** Thousands of documents share a few style sheets. */
const known = new Map<string, CssFacts>();

export function readCss(css: string, context: Context): CssFacts {
  const facts = known.get(css) ?? factsOf(css, context);
  known.set(css, facts);
  return facts;
}

function factsOf(css: string, context: Context): CssFacts {
  const urls: string[] = [];
  const unknown: string[] = [];
  const outline: string[] = [];
  walk(parse(css, { context, parseCustomProperty: true }), (node: CssNode) => {
    switch (node.type) {
      case "Url":
        urls.push(node.value);
        break;
      case "Function":
        if (!FUNCTIONS.test(node.name)) unknown.push(`${node.name}()`);
        break;
      case "Atrule":
        if (!AT_RULES.test(node.name)) unknown.push(`@${node.name}`);
        outline.push(`@${node.name}`);
        break;
      case "Declaration":
        outline.push(node.property);
        break;
      case "Rule":
      case "TypeSelector":
      case "ClassSelector":
        outline.push("name" in node ? node.name : "{");
        break;
      default:
    }
  });
  return { urls, unknown, outline: outline.join(" ") };
}
