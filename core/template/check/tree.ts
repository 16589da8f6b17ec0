import type { Component } from "../definition/component-schema.js";
import { jsonPath, valueAt } from "./json-path.js";
import type { ShapeProblem } from "./check-shape.js";

// The components of a definition as a tree in which each knows its path and its parent. It is read from
// unchecked input, so that the later passes still reach what stands beside and below an ill-formed node.

export interface TreeNode {
  /** Of its declared shape only where `isSound`. */
  component: Component;
  path: string;
  isSound: boolean;
  parent: TreeNode | null;
  /** In a header or footer. */
  inBand: boolean;
  /** Below this node and repeated with it. */
  children: readonly TreeNode[];
  /** Drawn in this node's stead: its `else` and `empty`. */
  branches: readonly TreeNode[];
}

export interface Tree {
  /** Those without a parent: of the body first, then of headers and footers. */
  roots: readonly TreeNode[];
  all: readonly TreeNode[];
}

type Keys = readonly PropertyKey[];

const BANDS = ["header", "footer", "firstHeader", "firstFooter"];

export function buildTree(
  input: unknown,
  problems: readonly ShapeProblem[],
): Tree {
  const broken = new Set(
    problems.filter(hidesMeaning).map(({ keys }) => owner(keys)),
  );
  const all: TreeNode[] = [];

  const list = (keys: Keys, parent: TreeNode | null, inBand: boolean) => {
    const value = valueAt(input, keys);
    if (!Array.isArray(value)) return [];
    return value.flatMap((item: unknown, index) =>
      isNode(item) ? [node(item, [...keys, index], parent, inBand)] : [],
    );
  };

  const node = (
    component: Component,
    keys: Keys,
    parent: TreeNode | null,
    inBand: boolean,
  ): TreeNode => {
    const path = jsonPath(keys);
    const made: TreeNode = {
      component,
      path,
      isSound: !broken.has(path),
      parent,
      inBand,
      children: [],
      branches: [],
    };
    all.push(made);
    made.children = list([...keys, "components"], made, inBand);
    made.branches = [
      ...list([...keys, "condition", "else"], parent, inBand),
      ...list([...keys, "collection", "empty"], parent, inBand),
    ];
    return made;
  };

  const body = list(["components"], null, false);
  const bands = BANDS.flatMap((name) => [
    ...list(["page", name], null, true),
    ...list(["page", name, "components"], null, true),
  ]);
  return { roots: [...body, ...bands], all };
}

/** A property too many leaves the others as they should be. */
export function hidesMeaning({ code }: ShapeProblem): boolean {
  return code !== "unknown_property";
}

function isNode(value: unknown): value is Component {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The path of the component that a problem is about: the last element of a component list on its way. */
function owner(keys: Keys): string {
  const end = keys.findLastIndex(
    (key, at) => typeof key === "number" && isListName(keys[at - 1]),
  );
  return jsonPath(keys.slice(0, end + 1));
}

function isListName(key: PropertyKey | undefined): boolean {
  return (
    key === "components" ||
    key === "else" ||
    key === "empty" ||
    BANDS.some((name) => name === key)
  );
}
