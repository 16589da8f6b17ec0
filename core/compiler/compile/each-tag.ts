// The tag `{% each 3 %}…{% else %}…{% endeach %}`. The `for` of nunjucks sets eight variables by name in each round;
// no program reads one, since the round's scope is with the functions that it calls.

/** Draws what is between two tags. */
export type Body = (done: () => void) => string;
/** Draws a loop by its number; `empty` stands in when there is no round. */
export type DrawLoop = (id: number, body: Body, empty: Body | null) => string;

export const EACH = "each";

interface Context {
  lookup(name: string): DrawLoop;
}

/** What it needs of the parser of nunjucks, which has no published types. */
interface Parser {
  nextToken(): unknown;
  parseSignature(tolerant: null, noParens: true): object;
  parseUntilBlocks(...names: string[]): object;
  skipSymbol(name: string): boolean;
  advanceAfterBlockEnd(name?: string): void;
}

interface Nodes {
  CallExtension: new (
    extension: object,
    method: "draw",
    args: object,
    bodies: (object | null)[],
  ) => object;
}

export const eachTag = {
  tags: [EACH],
  parse(parser: Parser, nodes: Nodes): object {
    parser.nextToken();
    const id = parser.parseSignature(null, true);
    parser.advanceAfterBlockEnd(EACH);
    const body = parser.parseUntilBlocks("else", "endeach");
    const empty = parseElse(parser);
    parser.advanceAfterBlockEnd();
    return new nodes.CallExtension(eachTag, "draw", id, [body, empty]);
  },
  draw: (context: Context, ...loop: Parameters<DrawLoop>) =>
    context.lookup(EACH)(...loop),
};

function parseElse(parser: Parser): object | null {
  if (!parser.skipSymbol("else")) return null;
  parser.advanceAfterBlockEnd("else");
  return parser.parseUntilBlocks("endeach");
}
