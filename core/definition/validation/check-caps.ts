import type { Problem } from "../../plugin-api/index.js";
import { jsonPath } from "./problems.js";

const CAPS = {
  bytes: 2 * 1024 * 1024,
  components: 5000,
  depth: 64,
  /** Nesting of any objects and arrays: enough for 64 components and the properties of the last one. */
  nesting: 256,
  /** Characters in the name of a property, which the path of each problem below it repeats. */
  name: 1000,
} as const;

/** Properties that contain lists of components. */
const COMPONENT_LISTS = new Set([
  "components",
  "else",
  "empty",
  "header",
  "footer",
  "firstHeader",
  "firstFooter",
]);

interface Node {
  value: unknown;
  key: PropertyKey | null;
  parent: Node | null;
  nesting: number;
  depth: number;
}

/**
 * Later passes recurse and copy, so this check runs first and does neither. It stops at the first limit that is
 * exceeded, so each kind is reported once.
 */
export function checkCaps(input: unknown): Problem[] {
  const stack: Node[] = [
    { value: input, key: null, parent: null, nesting: 0, depth: 0 },
  ];
  let components = 0;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (isComponent(node)) components += 1;
    if (node.depth > CAPS.depth) return [tooDeep(node)];
    if (node.nesting > CAPS.nesting) return [tooNested(node)];
    if (components > CAPS.components) return [tooMany()];
    if (node.key === "__proto__") return [forbiddenKey(node)];
    if (typeof node.key === "string" && node.key.length > CAPS.name)
      return [tooLongName(node)];
    pushChildren(node, stack);
  }
  return checkSize(input);
}

function isComponent({ key, parent }: Node): boolean {
  return (
    typeof key === "number" &&
    typeof parent?.key === "string" &&
    COMPONENT_LISTS.has(parent.key)
  );
}

function pushChildren(node: Node, stack: Node[]): void {
  const { value } = node;
  if (typeof value !== "object" || value === null) return;
  const nesting = node.nesting + 1;
  const depth = node.depth + (isComponent(node) ? 1 : 0);
  const entries = Array.isArray(value)
    ? value.entries()
    : Object.entries(value);
  for (const [key, child] of entries)
    stack.push({ value: child, key, parent: node, nesting, depth });
}

function getPath(node: Node): string {
  const keys: PropertyKey[] = [];
  for (let at: Node | null = node; at?.key != null; at = at.parent)
    keys.unshift(at.key);
  return jsonPath(keys.slice(0, 12)) + (keys.length > 12 ? "…" : "");
}

function tooDeep(node: Node): Problem {
  return {
    path: getPath(node),
    code: "too_deep",
    message: `Components are nested more than ${CAPS.depth} levels deep.`,
    hint: "Remove containers that contain only one component.",
  };
}

function tooNested(node: Node): Problem {
  return {
    path: getPath(node),
    code: "too_deep",
    message: `Values are nested more than ${CAPS.nesting} levels deep.`,
    hint: "Nest the value less deeply.",
  };
}

function tooMany(): Problem {
  return {
    path: "$",
    code: "too_many_components",
    message: `The definition has more than ${CAPS.components} components.`,
    hint: "Repeat a component with a collection, or split the template.",
  };
}

/** Copying such an object would set the prototype of the copy. */
function forbiddenKey(node: Node): Problem {
  return {
    path: getPath(node),
    code: "unknown_property",
    message: 'No property may be named "__proto__".',
    hint: "Rename or remove it.",
  };
}

function tooLongName(node: Node): Problem {
  return {
    path: node.parent ? getPath(node.parent) : "$",
    code: "too_long",
    message: `The name of a property is longer than ${CAPS.name} characters.`,
    hint: "Give it a shorter name.",
  };
}

function checkSize(input: unknown): Problem[] {
  const bytes = Buffer.byteLength(JSON.stringify(input) ?? "");
  if (bytes <= CAPS.bytes) return [];
  return [
    {
      path: "$",
      code: "too_large",
      message: `The definition has ${bytes} bytes. The limit is ${CAPS.bytes} bytes.`,
      hint: "Upload images as assets and refer to them as asset:<id>.",
    },
  ];
}
