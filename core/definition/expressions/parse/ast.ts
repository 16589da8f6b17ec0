/** The position of a node in its expression: 0-based, end exclusive. */
interface Placed {
  readonly start: number;
  readonly end: number;
}

export interface LiteralNode extends Placed {
  readonly kind: "literal";
  readonly value: string | number | boolean | null;
}

/** `root.lines.0.name`, or a bare name; `starts` contains the position of each key. */
export interface PathNode extends Placed {
  readonly kind: "path";
  readonly keys: readonly [string, ...string[]];
  readonly starts: readonly number[];
}

export type UnaryOperator = "-" | "+" | "not";
export type BinaryOperator =
  | "or"
  | "and"
  | "="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "~"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%";

export interface UnaryNode extends Placed {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: Node;
}

export interface BinaryNode extends Placed {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Node;
  readonly right: Node;
}

/** `value if test else otherwise` */
export interface ConditionalNode extends Placed {
  readonly kind: "conditional";
  readonly test: Node;
  readonly value: Node;
  readonly otherwise: Node;
}

export interface CallNode extends Placed {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Node[];
}

export interface FilterNode extends Placed {
  readonly kind: "filter";
  readonly name: string;
  readonly nameStart: number;
  readonly input: Node;
  readonly args: readonly Node[];
}

export type Node =
  | LiteralNode
  | PathNode
  | UnaryNode
  | BinaryNode
  | ConditionalNode
  | CallNode
  | FilterNode;

/** One parsed expression; `source` is its text without braces. */
export interface Expression {
  readonly source: string;
  readonly node: Node;
}

/** The text that a node was written as. */
export function getSourceText(node: Node, source: string): string {
  return source.slice(node.start, node.end);
}
