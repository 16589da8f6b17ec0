import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { type Draft, produce } from "immer";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type {
  DraftFacts,
  EditorDesign,
} from "../../../../../../core/plugin-api/app-drafts.js";
import type {
  ProjectData,
  Component,
} from "../../../../../../core/plugin-api/definition.js";
import { type ScopeBook, scopeBook } from "../scope/symbol-table.js";
import { mergeDefinitions } from "../session/merge/merge.js";
import { sameJson } from "../session/merge/same-json.js";
import { type Entry, type Tree, treeOf, type Spot } from "./tree.js";

/** One step that can be taken back. */
interface Step {
  definition: ProjectData;
  selected: string | null;
  /** What it did, as in "Undo: move a table". */
  name: string;
  /** Steps of the same thread follow one another as one. */
  thread: string | null;
  /** What others changed since, to be joined with it once somebody goes back to it. */
  others: readonly Others[];
}

/** What others made of a definition. */
interface Others {
  base: ProjectData;
  theirs: ProjectData;
}

/** Enough for an afternoon; what steps share is in memory once. */
const mostSteps = 500;

/**
 * A definition that is being edited: the only model there is. Every change goes through `change`, so that all of them
 * stand on one undo stack, and nothing but what changed is drawn anew, since the rest keeps its identity.
 */
export class Editor {
  readonly #definition;
  readonly #mayEdit;
  readonly #past = signal<readonly Step[]>([]);
  readonly #future = signal<readonly Step[]>([]);

  readonly definition: ReadonlySignal<ProjectData>;
  readonly tree: ReadonlySignal<Tree> = computed(() =>
    treeOf(this.definition.value),
  );
  #scopes: ScopeBook | null = null;
  /** What the collections of the definition make known to what stands in them; the same object until that changes. */
  readonly scopes: ReadonlySignal<ScopeBook> = computed(() => {
    this.#scopes = scopeBook(
      this.definition.value,
      this.tree.value,
      this.#scopes,
    );
    return this.#scopes;
  });
  /** The id of the component that properties and keys are about; null for the page itself. */
  readonly selected = signal<string | null>(null);
  /** The id of the component whose text is being typed in the page; null while none is. */
  readonly typingIn = signal<string | null>(null);
  /** Where in the window the press was that began the typing; null when a key did. */
  readonly typingPoint = signal<{ x: number; y: number } | null>(null);
  /** What the server says of the definition, a moment after each change; null until it first answered. */
  readonly facts = signal<DraftFacts | null>(null);
  /** Whether variables in the page are shown by what the sample has for them, and not by their names. */
  readonly showsValues = signal(true);
  /** What is being dragged, and where to. */
  readonly drag = new Drag();
  /** The id of the component under the pointer, on the page or in the outline; null for none. */
  readonly hovered = signal<string | null>(null);
  /** What became of the last key or drag, for those who do not see it. */
  readonly announced = signal("");
  /** Which of the dialogs that keys open is open. */
  readonly dialog = signal<"add" | "keys" | null>(null);
  /** What undo and redo would do; null when there is nothing. */
  readonly undoName: ReadonlySignal<string | null> = computed(
    () => this.#past.value.at(-1)?.name ?? null,
  );
  readonly redoName: ReadonlySignal<string | null> = computed(
    () => this.#future.value.at(-1)?.name ?? null,
  );

  /** @param definition all of whose components have ids */
  constructor(
    definition: ProjectData,
    readonly templateType: "document" | "email",
    /** What the service says of templates in general. */
    readonly design: EditorDesign,
    mayEdit: boolean,
  ) {
    this.#mayEdit = signal(mayEdit);
    this.#definition = signal(definition);
    this.definition = this.#definition;
  }

  /** False for those who may only look. */
  get mayEdit(): boolean {
    return this.#mayEdit.value;
  }

  /** Roles change in the middle of the work. */
  allow(mayEdit: boolean): void {
    this.#mayEdit.value = mayEdit;
    if (!mayEdit) this.typingIn.value = null;
  }

  /** The component that is selected, as long as it is there. */
  readonly selectedEntry: ReadonlySignal<Entry | null> = computed(() => {
    const id = this.selected.value;
    return id === null ? null : (this.tree.value.entries.get(id) ?? null);
  });

  /**
   * Changes the definition. A recipe that changes nothing is no step.
   * @param name what it does, in words: "Move a table".
   * @param thread steps in a row with the same thread, such as the letters of one word, are taken back together.
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

  /** Puts another definition in its place, as one step. */
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
      const step = { definition: before, selected: this.selected.peek() };
      const made = { ...step, name, thread, others: [] };
      this.#past.value = [...past, made].slice(-mostSteps);
    }
    this.#future.value = [];
    this.#definition.value = after;
  }

  /** Ends a thread: what follows is a step of its own. */
  endThread(): void {
    const past = this.#past.peek();
    const last = past.at(-1);
    if (last?.thread)
      this.#past.value = [...past.slice(0, -1), { ...last, thread: null }];
  }

  /** Takes the last step back that still has an effect. @returns its name; null when there is none. */
  undo(): string | null {
    return this.#travel(this.#past, this.#future);
  }

  /** Does again what was taken back last. @returns its name; null when there is nothing. */
  redo(): string | null {
    return this.#travel(this.#future, this.#past);
  }

  /**
   * Takes in what somebody else has changed. It is no step: undo takes back own steps alone, each joined with it, and
   * leaves what somebody else has changed after oneself.
   * @param definition as it is now, joined
   */
  rebase(definition: ProjectData, others: Others): void {
    for (const steps of [this.#past, this.#future])
      steps.value = steps
        .peek()
        .map((step) => ({ ...step, others: withMore(step.others, others) }));
    this.#definition.value = definition;
    for (const one of [this.selected, this.typingIn]) {
      const id = one.peek();
      if (id !== null && !this.tree.value.entries.has(id)) one.value = null;
    }
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
      const there = joinedWith(step);
      // Of a step that others have written over there is nothing left.
      if (step.others.length > 0 && sameJson(here, there)) continue;
      const { name } = step;
      const selected = this.selected.peek();
      const back = { definition: here, selected, name, thread: null };
      to.value = [...to.value, { ...back, others: [] }];
      this.#definition.value = there;
      this.#select(step.selected);
      return name;
    }
  }

  #select(id: string | null): void {
    const isThere = id === null || this.tree.value.entries.has(id);
    this.selected.value = isThere ? id : null;
  }
}

function joinedWith({ definition, others }: Step): ProjectData {
  return others.reduce(
    (mine, { base, theirs }) =>
      mergeDefinitions({ base, mine, theirs }, () => "theirs").definition,
    definition,
  );
}

/** What follows at once on what was known is one with it, so that to go back costs one join. */
function withMore(all: readonly Others[], next: Others): readonly Others[] {
  const last = all.at(-1);
  if (!last || last.theirs !== next.base) return [...all, next];
  return [...all.slice(0, -1), { base: last.base, theirs: next.theirs }];
}

/** What is being dragged: a component that is there, or a new one from the palette. */
export type Dragged = { id: string } | { make: () => Component };

/** The one drag that a pointer can do at a time. */
class Drag {
  /** Null while nothing is dragged. */
  readonly dragged = signal<Dragged | null>(null);
  /** Where it would go if it were let go now; null where it may not. */
  readonly dropSpot = signal<Spot | null>(null);
  /** Where the pointer is in the window, in CSS px. */
  readonly point = signal({ x: 0, y: 0 });
}

const EditorContext = createContext<Editor | null>(null);

export const EditorProvider = EditorContext.Provider;

/** The editor around a component of the page. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error("no editor is open here");
  return editor;
}
