import { aggregateNamed, type Aggregate } from "../function/aggregates.js";
import {
  aggregateField,
  checkAggregateCall,
} from "../function/checked-aggregate.js";
import { checkedFunction } from "../function/checked-function.js";
import { checkedFilter } from "../filter/checked-filter.js";
import type { CallNode, Node } from "../parse/ast.js";
import { elementTypes } from "../schema/element-types.js";
import { ANY, type Shape } from "../schema/record-type.js";
import { attempt, type Checking } from "./checking.js";
import { checkPathNode } from "./check-path-node.js";

/** Reports every problem of an expression, and gives the shape of its value. */
export function checkNode(node: Node, checking: Checking): Shape {
  const single = { ...checking, takesLists: false };
  switch (node.kind) {
    case "literal":
      return ANY;
    case "path":
      return checkPathNode(node, checking);
    case "unary":
      return checkParts([node.operand], single);
    case "binary":
      return checkParts([node.left, node.right], single);
    case "conditional":
      return checkParts([node.value, node.test, node.otherwise], single);
    case "filter":
      attempt(checking.report, () => checkedFilter(node, checking.source));
      return checkParts([node.input, ...node.args], single);
    default:
      return checkCall(node, checking);
  }
}

function checkParts(parts: readonly Node[], checking: Checking): Shape {
  for (const part of parts) checkNode(part, checking);
  return ANY;
}

function checkCall(node: CallNode, checking: Checking): Shape {
  const aggregate = aggregateNamed(node.name);
  if (aggregate) return checkAggregate(node, aggregate, checking);
  const { report, source } = checking;
  const definition = attempt(report, () => checkedFunction(node, source));
  if (!definition) return checkParts(node.args, withoutWarnings(checking));
  const { takesLists = false } = definition;
  return checkParts(node.args, { ...checking, takesLists });
}

/** Of the arguments of an unknown function nobody knows what they mean. */
function withoutWarnings(checking: Checking): Checking {
  const report = { ...checking.report, warning: () => undefined };
  return { ...checking, report, takesLists: true };
}

function checkAggregate(
  node: CallNode,
  aggregate: Aggregate,
  checking: Checking,
): Shape {
  const { report, source, types, reach } = checking;
  const field = attempt(report, () => {
    checkAggregateCall(node, source, aggregate);
    return aggregateField(node, source);
  });
  const list = node.args[0];
  if (list?.kind !== "path") return ANY;
  checkPathNode(list, { ...checking, takesLists: true });
  if (!field) return ANY;
  const inside = elementTypes(list, types, reach, "");
  const { node: inner, source: text } = field;
  const [, written] = node.args;
  const isQuoted = written !== undefined && written !== inner;
  checkNode(inner, {
    ...checking,
    source: text,
    from: checking.from + (isQuoted ? written.start + 1 : 0),
    types: inside,
    reach: "item",
    takesLists: true,
  });
  return ANY;
}
