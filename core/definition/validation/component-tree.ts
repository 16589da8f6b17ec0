import type { Component } from "../schema/component-schema.js";
import type { DataCollection } from "../schema/data-schema.js";
import type { ProjectData } from "../schema/definition-schema.js";
import type { ShapeProblem } from "./check-shape.js";
import { jsonPath, valueAt } from "./problems.js";

// The components of a definition as a tree with paths and parents. It is built from unchecked input, so that later
// passes reach nodes next to and below malformed ones.

export interface TreeNode {
  /** Has its declared shape only when `isValid`. */
  component: Component;
  path: string;
  isValid: boolean;
  parent: TreeNode | null;
  /** In a header or footer. */
  isInHeader: boolean;
  /** The components inside this one. */
  children: readonly TreeNode[];
  /** The components shown instead of this one: `else` and `empty`. */
  branches: readonly TreeNode[];
}

export interface Tree {
  /** Nodes without a parent: first those of the body, then those of headers and footers. */
  roots: readonly TreeNode[];
  all: readonly TreeNode[];
}

type Keys = readonly PropertyKey[];

const BANDS = ["header", "footer", "firstHeader", "firstFooter"];

export function buildTree(
  input: unknown,
  problems: readonly ShapeProblem[],
): Tree {
  const broken = problems.filter(hidesMeaning).map(({ keys }) => owner(keys));
  const builder = new TreeBuilder(input, new Set(broken));
  const body = builder.list(["components"], {
    parent: null,
    isInHeader: false,
  });
  const isInHeader = { parent: null, isInHeader: true };
  const bands = BANDS.flatMap((name) => [
    ...builder.list(["page", name], isInHeader),
    ...builder.list(["page", name, "components"], isInHeader),
  ]);
  return { roots: [...body, ...bands], all: builder.all };
}

type Around = Pick<TreeNode, "parent" | "isInHeader">;

class TreeBuilder {
  readonly all: TreeNode[] = [];

  /** @param broken paths of components with malformed properties */
  constructor(
    private readonly input: unknown,
    private readonly broken: ReadonlySet<string>,
  ) {}

  list(keys: Keys, around: Around): TreeNode[] {
    const value = valueAt(this.input, keys);
    if (!Array.isArray(value)) return [];
    return value.flatMap((item: unknown, index) =>
      isNode(item) ? [this.#node(item, [...keys, index], around)] : [],
    );
  }

  #node(component: Component, keys: Keys, around: Around): TreeNode {
    const path = jsonPath(keys);
    const made: TreeNode = {
      component,
      path,
      isValid: !this.broken.has(path),
      ...around,
      children: [],
      branches: [],
    };
    this.all.push(made);
    const { isInHeader } = around;
    made.children = this.list([...keys, "components"], {
      parent: made,
      isInHeader,
    });
    made.branches = [
      ...this.list([...keys, "condition", "else"], around),
      ...this.list([...keys, "collection", "empty"], around),
    ];
    return made;
  }
}

/** Unknown properties do not affect the meaning of the others. */
function hidesMeaning({ code }: ShapeProblem): boolean {
  return code !== "unknown_property";
}

function isNode(value: unknown): value is Component {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The path of the component that a problem belongs to: the last element of a component list on the path. */
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

/** Returns the well-formed top-level parts of unchecked input without components, which are in the tree. */
export function getValidParts(
  input: unknown,
  shape: readonly ShapeProblem[],
): ProjectData {
  const broken = new Set(shape.filter(hidesMeaning).map(({ keys }) => keys[0]));
  const parts = Object.entries(input ?? {}).filter(([key]) => !broken.has(key));
  const sound = Object.fromEntries(parts) as Partial<ProjectData>;
  const schema: DataCollection[] = sound.schema ?? [];
  return { ...sound, schema, components: [] };
}
