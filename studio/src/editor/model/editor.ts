import {
  computed,
  type ReadonlySignal,
  signal,
  untracked,
} from "@preact/signals";
import { type Draft, enableArrayMethods, produce } from "immer";
import type {
  DraftAnalysis,
  EditorDesign,
} from "../../../../core/compiler/views.js";
import type {
  ProjectData,
  Component,
  Field,
} from "../../../../core/plugin-api/definition.js";
import type { components } from "../../../../sdk/src/api.js";
import { type SymbolTable, buildSymbolTable } from "../scope/symbol-table.js";
import { mergeDefinitions } from "./merge-definitions.js";
import { isObject, sameJson } from "./same-json.js";
import {
  type Entry,
  type Path,
  type Tree,
  buildTree,
  type Spot,
} from "./tree.js";
import { withSample } from "../fields/make-sample.js";
import { getSampleMarks, type SampleMarks } from "./sample-problems.js";
import { findUnknownFields, type UnknownField } from "./unknown-fields.js";

type Schemas = components["schemas"];

/** A reusable block; its components are those of the service, which has checked them. */
export interface Block extends Omit<Schemas["Partial"], "components"> {
  components: readonly Component[];
}

/** One undo step. */
interface Step {
  definition: ProjectData;
  selected: readonly string[];
  /** What it did: "Move “Table”". */
  name: string;
  /** Consecutive steps of the same thread count as one. */
  thread: string | null;
  /** What others changed since then; merged when the step is restored. */
  others: readonly ForeignChange[];
}

interface ForeignChange {
  base: ProjectData;
  theirs: ProjectData;
}

const maxSteps = 500;

// Without it, to insert one into a list of thousands assigns each of them on its own.
enableArrayMethods();

/**
 * The definition that is being edited and the state of its editor. Every change goes through `change` or `replace`, so
 * that there is one undo stack. Unchanged objects keep their identity, so that only what changed is drawn again.
 */
export class Editor {
  readonly #definition;
  readonly #mayEdit;
  readonly #past = signal<readonly Step[]>([]);
  readonly #future = signal<readonly Step[]>([]);

  readonly definition: ReadonlySignal<ProjectData>;
  readonly tree: ReadonlySignal<Tree> = computed(() =>
    buildTree(this.definition.value),
  );
  #drawn: ProjectData;
  /**
   * The definition as views draw it. The text that is being typed stays as it was: its text box shows the letters itself,
   * and a typed letter draws nothing else again.
   */
  readonly drawn: ReadonlySignal<ProjectData> = computed(() => {
    const definition = this.definition.value;
    const typed = this.tree.value.entries.get(this.typingIn.value ?? "");
    const isTyped =
      typed && isSameExcept(this.#drawn, definition, [...typed.path, "text"]);
    if (!isTyped) this.#drawn = definition;
    return this.#drawn;
  });
  readonly drawnTree: ReadonlySignal<Tree> = computed(() =>
    buildTree(this.drawn.value),
  );
  #scopes: SymbolTable | null = null;
  /** The collections in scope of each component; the same object until they change. */
  readonly scopes: ReadonlySignal<SymbolTable> = computed(() => {
    this.#scopes = buildSymbolTable(
      this.drawn.value,
      this.drawnTree.value,
      this.#scopes,
    );
    return this.#scopes;
  });
  /** The id of the selected component, of several the last chosen one; null for the page. */
  readonly selected = new Selection();
  /** The id of the component whose text is being edited on the page; null for none. */
  readonly typingIn = signal<string | null>(null);
  /** The point in the window whose click started the text editing; null when a key did. */
  readonly typingPoint = signal<{ x: number; y: number } | null>(null);
  /** The server's validation results, updated after each save; null before the first. */
  readonly facts = signal<DraftAnalysis | null>(null);
  /** The organization's reusable blocks; null until they are loaded. */
  readonly blocks = signal<readonly Block[] | null>(null);
  /** The organization's colors and fonts; null until they are loaded. */
  readonly brand = signal<Schemas["BrandKit"] | null>(null);
  /** Whether a block is being edited, which contains no other block. */
  isBlock = false;
  /** The name of the sample that is shown; null for the definition's own. */
  readonly sampleName = signal<string | null>(null);
  /** The definition as it is shown: with the chosen sample in place of its own. */
  readonly sampled: ReadonlySignal<ProjectData> = computed(() =>
    withSample(this.definition.value, this.sampleName.value),
  );
  /** The place in the sample whose input the open dialog focuses, its keys; null while it is closed. */
  readonly samplePlace = signal<readonly (string | number)[] | null>(null);
  /** Fields that the template prints and that its data lacks; updated with the facts. */
  readonly unknownFields: ReadonlySignal<readonly UnknownField[]> = computed(
    () => {
      const facts = this.facts.value;
      // The warnings belong to the definition that was checked, not to the edits since.
      const symbols = untracked(() => this.scopes.value);
      return findUnknownFields(facts, this.tree.peek(), symbols);
    },
  );
  readonly sampleMarks: ReadonlySignal<SampleMarks> = computed(() =>
    getSampleMarks(this.facts.value, this.unknownFields.value),
  );
  /** Whether variables show the sample's values instead of their names. */
  readonly showsValues = signal(true);
  readonly drag = new Drag();
  /** The id of the component under the pointer, on the page or in the outline; null for none. */
  readonly hovered = signal<string | null>(null);
  /** Why the last key did not move the selection, shown beside it until the next key or press; null for none. */
  readonly refusal = signal<string | null>(null);
  /** The result of the last key or drag, for screen readers. */
  readonly announced = signal("");
  /** The part of the properties that is to be shown next, for example after a click on a badge; null for none. */
  readonly shownPart = signal<PropertiesPart | null>(null);
  /** Where the context menu is open, in CSS px of the window; null for nowhere. */
  readonly menuPoint = signal<{ x: number; y: number } | null>(null);
  /** The open dialog of those that keys and menus open. */
  readonly dialog = signal<"add" | "keys" | "tour" | null>(null);
  /** The steps that undo and redo would apply; null for none. */
  readonly undoName: ReadonlySignal<string | null> = computed(
    () => this.#past.value.at(-1)?.name ?? null,
  );
  readonly redoName: ReadonlySignal<string | null> = computed(
    () => this.#future.value.at(-1)?.name ?? null,
  );

  /** @param definition a definition whose components all have ids */
  constructor(
    definition: ProjectData,
    readonly templateType: "document" | "email",
    /** The server's rules and defaults for templates. */
    readonly design: EditorDesign,
    mayEdit: boolean,
  ) {
    this.#mayEdit = signal(mayEdit);
    this.#definition = signal(definition);
    this.definition = this.#definition;
    this.#drawn = definition;
  }

  /** False for viewers. */
  get mayEdit(): boolean {
    return this.#mayEdit.value;
  }

  /** Applies a change of the user's role while the template is open. */
  allow(mayEdit: boolean): void {
    this.#mayEdit.value = mayEdit;
    if (!mayEdit) this.typingIn.value = null;
  }

  /** The selected component, as views draw it, if it exists. */
  readonly selectedEntry: ReadonlySignal<Entry | null> = computed(() => {
    const id = this.selected.value;
    return id === null ? null : (this.drawnTree.value.entries.get(id) ?? null);
  });

  /** All selected components in document order, without those inside another one that is selected too. */
  readonly selection: ReadonlySignal<readonly Entry[]> = computed(() => {
    const primary = this.selectedEntry.value;
    const ids = new Set(this.selected.ids.value);
    if (ids.size < 2) return primary ? [primary] : [];
    const { entries } = this.drawnTree.value;
    return [...entries.values()].filter(
      ({ id, parentId }) =>
        ids.has(id) && !hasAncestorIn(entries, parentId, ids),
    );
  });

  /**
   * A recipe that changes nothing adds no step.
   * @param name what it does: "Move “Table”"
   * @param thread consecutive steps with the same thread, such as the letters of a word, are undone together
   */
  change(
    name: string,
    recipe: (draft: Draft<ProjectData>) => void,
    thread: string | null = null,
  ): void {
    const before = this.#definition.peek();
    const after = produce(before, recipe);
    this.replace(name, after, thread);
  }

  /** Replaces the definition as one step. */
  replace(
    name: string,
    after: ProjectData,
    thread: string | null = null,
  ): void {
    const before = this.#definition.peek();
    if (!this.#mayEdit.peek() || after === before) return;
    const past = this.#past.peek();
    const last = past.at(-1);
    const isSameThread = thread !== null && last?.thread === thread;
    if (!isSameThread || this.#future.peek().length > 0) {
      const step = { definition: before, selected: this.selected.ids.peek() };
      const made = { ...step, name, thread, others: [] };
      this.#past.value = [...past, made].slice(-maxSteps);
    }
    this.#future.value = [];
    this.#definition.value = after;
  }

  /** Ends the current thread: the next change is a new step. */
  endThread(): void {
    const past = this.#past.peek();
    const last = past.at(-1);
    if (last?.thread)
      this.#past.value = [...past.slice(0, -1), { ...last, thread: null }];
  }

  /** Undoes the last step that still has an effect. @returns its name; null for none */
  undo(): string | null {
    return this.#travel(this.#past, this.#future);
  }

  /** Redoes the last undone step. @returns its name; null for none */
  redo(): string | null {
    return this.#travel(this.#future, this.#past);
  }

  /**
   * Applies someone else's change. It is no undo step: undo only reverts the user's own steps and keeps the changes of
   * others.
   * @param definition the merged definition
   */
  rebase(definition: ProjectData, others: ForeignChange): void {
    for (const steps of [this.#past, this.#future])
      steps.value = steps
        .peek()
        .map((step) => ({ ...step, others: addChange(step.others, others) }));
    this.#definition.value = definition;
    this.#select(this.selected.ids.peek());
    this.#endTypingInDeleted();
  }

  #endTypingInDeleted(): void {
    const typed = this.typingIn.peek();
    if (typed !== null && !this.tree.value.entries.has(typed))
      this.typingIn.value = null;
  }

  #travel(
    from: { value: readonly Step[] },
    to: { value: readonly Step[] },
  ): string | null {
    for (;;) {
      const step = from.value.at(-1);
      if (!step || !this.mayEdit) return null;
      from.value = from.value.slice(0, -1);
      const here = this.#definition.peek();
      const there = restoreStep(step);
      // Others overwrote everything that this step changed.
      if (step.others.length > 0 && sameJson(here, there)) continue;
      const { name } = step;
      const selected = this.selected.ids.peek();
      const back = { definition: here, selected, name, thread: null };
      to.value = [...to.value, { ...back, others: [] }];
      this.#definition.value = there;
      this.#select(step.selected);
      this.#endTypingInDeleted();
      return name;
    }
  }

  #select(ids: readonly string[]): void {
    const { entries } = this.tree.value;
    this.selected.replace(ids.filter((id) => entries.has(id)));
  }
}

/** The selected components. As a signal, it is the id of the one that was chosen last. */
class Selection {
  readonly #ids = signal<readonly string[]>([]);
  /** In the order in which they were chosen. */
  readonly ids: ReadonlySignal<readonly string[]> = this.#ids;

  /** Null if the page is selected. Setting it deselects the others. */
  get value(): string | null {
    return this.#ids.value.at(-1) ?? null;
  }

  set value(id: string | null) {
    this.replace(id === null ? [] : [id]);
  }

  peek(): string | null {
    return this.#ids.peek().at(-1) ?? null;
  }

  replace(ids: readonly string[]): void {
    if (!sameJson(ids, this.#ids.peek())) this.#ids.value = ids;
  }

  toggle(id: string): void {
    const others = this.#ids.peek().filter((selectedId) => selectedId !== id);
    const has = others.length < this.#ids.peek().length;
    this.replace(has ? others : [...others, id]);
  }
}

function hasAncestorIn(
  entries: Tree["entries"],
  parentId: string | null,
  ids: ReadonlySet<string>,
): boolean {
  for (let next = parentId; next !== null;) {
    if (ids.has(next)) return true;
    next = entries.get(next)?.parentId ?? null;
  }
  return false;
}

/** Whether two values are the same objects, apart from the value at a path. */
function isSameExcept(json: unknown, other: unknown, path: Path): boolean {
  const [key, ...rest] = path;
  if (json === other || key === undefined) return true;
  if (Array.isArray(json) && Array.isArray(other))
    return (
      json.length === other.length &&
      json.every((value, index) =>
        index === key
          ? isSameExcept(value, other[index], rest)
          : value === other[index],
      )
    );
  if (!isObject(json) || !isObject(other)) return false;
  return Object.keys({ ...json, ...other }).every((name) =>
    name === key
      ? isSameExcept(json[name], other[name], rest)
      : json[name] === other[name],
  );
}

function restoreStep({ definition, others }: Step): ProjectData {
  return others.reduce(
    (mine, { base, theirs }) =>
      mergeDefinitions({ base, mine, theirs }, () => "theirs").definition,
    definition,
  );
}

/** Combines consecutive changes, so that undo needs one merge. */
function addChange(
  all: readonly ForeignChange[],
  next: ForeignChange,
): readonly ForeignChange[] {
  const last = all.at(-1);
  if (!last || last.theirs !== next.base) return [...all, next];
  return [...all.slice(0, -1), { base: last.base, theirs: next.theirs }];
}

/** What a badge or the context menu opens in the properties of the selected component. */
export type PropertiesPart = "repeat" | "condition" | "save-style";

/** Existing components in document order, or a new one from the palette. */
export type Dragged =
  | { ids: readonly string[] }
  | { make: () => Component }
  | { dataField: DraggedField };

/** A field of the data that is dragged or inserted. */
export interface DraggedField {
  collectionId: string;
  field: Field;
}

/** A place between two letters of a text. */
export interface TextSpot {
  /** The id of the component. */
  id: string;
  /** In the document of the text. */
  position: number;
  /** The line there, in CSS px of the window. */
  caret: { left: number; top: number; width: number; height: number };
}

/** Where a drop inserts what is dragged. In a row of columns, components get a new column there. */
export interface DropSpot extends Spot {
  /** They become a column beside the component at this spot, which becomes a column too. */
  beside?: "before" | "after";
}

interface Resizing {
  /** Shown beside the pointer. */
  label: string;
  point: { x: number; y: number };
  /** A vertical line in CSS px of the window, where the boundary would be; null for none. */
  line: { left: number; top: number; height: number } | null;
  /** Whether it is aligned with something else. */
  isAligned: boolean;
}

/** The state of a drag. */
class Drag {
  /** Null for none. */
  readonly dragged = signal<Dragged | null>(null);
  /** Where a drop would insert it; null when it is not allowed there. */
  readonly dropSpot = signal<DropSpot | null>(null);
  /** Where a drop would insert a field in a text; null for none. */
  readonly textSpot = signal<TextSpot | null>(null);
  /** Why it cannot be dropped at the pointer, as a sentence; null where there is nothing to drop on. */
  readonly refusal = signal<string | null>(null);
  /** The pointer's position in the window, in CSS px. */
  readonly point = signal({ x: 0, y: 0 });
  /** What is being resized, with lengths as people read them; null for nothing. */
  readonly resizing = signal<Resizing | null>(null);
  /** The rectangle that selects, in CSS px of the window; null for none. */
  readonly marquee = signal<{
    left: number;
    top: number;
    width: number;
    height: number;
  } | null>(null);
}
