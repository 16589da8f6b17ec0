import type {
  CallNode,
  ConditionalNode,
  Expression,
  FilterNode,
  Node,
} from "../parse/ast.js";
import { aggregateNamed } from "../function/aggregates.js";
import { isTrue } from "../value/text.js";
import { compileAggregate } from "./compile-aggregate.js";
import { compileCall } from "./compile-call.js";
import { compileFilter } from "./compile-filter.js";
import { compileBinary, compileUnary } from "./compile-operator.js";
import { compilePathNode } from "./compile-path.js";
import { quietly, type Evaluator, type Surroundings } from "./evaluator.js";

/** Compiles an expression once into a closure. @throws PlatenError `invalid_definition` for what the checker refuses. */
export function compileExpression(
  expression: Expression,
  around: Omit<Surroundings, "source">,
): Evaluator {
  return compileNode(expression.node, { ...around, source: expression.source });
}

function compileNode(node: Node, around: Surroundings): Evaluator {
  switch (node.kind) {
    case "literal": {
      const { value } = node;
      return () => value;
    }
    case "path":
      return compilePathNode(node, around);
    case "unary":
      return compileUnary(
        node,
        compileNode(node.operand, testing(node, around)),
        around,
      );
    case "binary":
      return compileBinary(
        node,
        compileNode(node.left, testing(node, around)),
        compileNode(node.right, around),
        around,
      );
    case "conditional":
      return compileConditional(node, around);
    case "call":
      return compileCallNode(node, around);
    default:
      return compileFilterNode(node, around);
  }
}

/** `not`, `and` and `or` ask whether there is a value: that it is missing is an answer. */
function testing(
  { operator }: { operator: string },
  around: Surroundings,
): Surroundings {
  const isTest = ["not", "and", "or"].includes(operator);
  return isTest ? quietly(around) : around;
}

function compileConditional(
  { test, value, otherwise }: ConditionalNode,
  around: Surroundings,
): Evaluator {
  const holds = compileNode(test, quietly(around));
  const yes = compileNode(value, around);
  const no = compileNode(otherwise, around);
  return (scope) => (isTrue(holds(scope)) ? yes(scope) : no(scope));
}

function compileCallNode(node: CallNode, around: Surroundings): Evaluator {
  const aggregate = aggregateNamed(node.name);
  return aggregate
    ? compileAggregate(aggregate, node, around, compileNode)
    : compileCall(node, around, compileNode);
}

function compileFilterNode(node: FilterNode, around: Surroundings): Evaluator {
  const inner = node.name === "default" ? quietly(around) : around;
  const input = compileNode(node.input, inner);
  const args = node.args.map((arg) => compileNode(arg, around));
  return compileFilter(node, input, args, around);
}
