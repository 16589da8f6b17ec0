import type {
  Component,
  ComponentOf,
  Style,
} from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import type { Editor, Block } from "./editor.js";
import { createCopies, insertComponent } from "./edits.js";
import { nearestSpot } from "./placement.js";
import { at, type Entry, withNewIds } from "./tree.js";

// Reusable blocks in the editor: components of the organization that a template uses by name.

/** Null for a block that does not exist, and while the blocks are being loaded. */
export function findBlock(editor: Editor, name: string): Block | null {
  return editor.blocks.value?.find((block) => block.name === name) ?? null;
}

/** A name for a new block: letters, digits and hyphens. */
export function toBlockName(
  title: string,
  taken: readonly { name: string }[],
): string {
  const plain = title
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 48)
    .replaceAll(/^-+|-+$/g, "");
  const base = plain === "" ? "block" : plain;
  const isTaken = (name: string) => taken.some((block) => block.name === name);
  if (!isTaken(base)) return base;
  for (let number = 2; ; number += 1)
    if (!isTaken(`${base}-${number}`)) return `${base}-${number}`;
}

/** Types that only stand in their parent, so a block of them could not be placed. */
const PARTS: readonly Component["type"][] = [
  "column",
  "list-item",
  "table-row",
  "table-cell",
];

/** Why the selected components cannot become a block; null when they can. */
export function describeBlockObstacle(
  entries: readonly Entry[],
): string | null {
  const [first] = entries;
  if (!first || entries.some(({ component }) => PARTS.includes(component.type)))
    return t("blocks.selectWhole");
  const isRow = entries.every(
    ({ spot }, offset) =>
      spot.list === first.spot.list && spot.index === first.spot.index + offset,
  );
  if (!isRow) return t("blocks.selectNeighbors");
  return entries.some(({ component }) => containsBlock(component))
    ? t("blocks.noBlockInBlock")
    : null;
}

function containsBlock(component: Component): boolean {
  return JSON.stringify(component).includes('"type":"partial"');
}

/** Copies of components for a block: other templates do not have the named styles of this one. */
export function toBlockComponents(
  editor: Editor,
  entries: readonly Entry[],
): Component[] {
  const styles = editor.definition.peek().styles ?? {};
  return entries.map(({ component }) => withOwnStyles(component, styles));
}

/** Replaces components by the block that was made of them, as one step, unless they have been changed since. */
export function replaceByBlock(
  editor: Editor,
  entries: readonly Entry[],
  name: string,
): void {
  const { entries: now } = editor.tree.peek();
  const here = now.get(entries[0]?.id ?? "");
  const isSame = entries.every(
    ({ id, component }) => now.get(id)?.component === component,
  );
  if (!here || !isSame) return;
  const use = withNewIds({ type: "partial", name });
  editor.change(t("blocks.saveAsBlock"), (draft) => {
    const list = at(draft, here.path.slice(0, -1));
    if (Array.isArray(list)) list.splice(here.spot.index, entries.length, use);
  });
  editor.selected.value = use.id ?? null;
}

/** A copy whose named styles are part of its own style, since other templates do not have them. */
function withOwnStyles(
  component: Component,
  styles: Readonly<Record<string, Style>>,
): Component {
  const flatten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(flatten);
    if (typeof value !== "object" || value === null) return value;
    const { class: classes, ...copy } = Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, flatten(child)]),
    );
    if (typeof classes !== "string") return copy;
    const names = classes.split(/\s+/);
    const named = Object.entries(styles).filter(([name]) =>
      names.includes(name),
    );
    const style: unknown = copy["style"];
    const classStyles = named.map(([, classStyle]) => classStyle);
    return { ...copy, style: Object.assign({}, ...classStyles, style) };
  };
  // The same component with other styles.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return flatten(component) as Component;
}

/** Adds a block at the selection; returns false if no place allows it. */
export function addBlock(editor: Editor, name: string): boolean {
  const spot = nearestSpot(editor, ["partial"], editor.selected.peek());
  if (!spot || !editor.mayEdit) return false;
  insertComponent(editor, withNewIds({ type: "partial", name }), spot);
  return true;
}

/** Replaces the use of a block by copies of its components, as one step. */
export function detachBlock(
  editor: Editor,
  { path, spot, component }: Entry,
  block: Block,
): void {
  if (component.type !== "partial") return;
  const copies = createCopies(editor, block.components);
  const { condition, collection } = component;
  const group: ComponentOf<"fragment"> = {
    type: "fragment",
    ...(condition && { condition }),
    ...(collection && { collection }),
    components: copies,
  };
  const isRuled = condition !== undefined || collection !== undefined;
  const replacement = isRuled ? [withNewIds(group)] : copies;
  editor.change(t("blocks.detachTitle", { title: block.title }), (draft) => {
    const list = at(draft, path.slice(0, -1));
    if (Array.isArray(list)) list.splice(spot.index, 1, ...replacement);
  });
  editor.selected.replace(replacement.map(({ id = "" }) => id));
}
