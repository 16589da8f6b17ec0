import {
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
} from "@preact/signals";
import type {
  DraftFacts,
  DraftSaved,
  DraftView,
  EditorDesign,
} from "../../../../../../core/contract/app-drafts.js";
import type { ProjectData } from "../../../../../../core/contract/definition.js";
import { ask, Refusal, wordsOf } from "../../api.js";
import { Editor } from "../model/editor.js";
import { withIds } from "../model/ids.js";

/** What became of the latest changes. */
export type SaveState =
  | { kind: "saved"; at: string | null }
  | { kind: "waiting" | "saving" }
  /** Somebody else saved in between: nothing is written until both are joined. */
  | { kind: "conflict" }
  | { kind: "failed"; why: string };

const pauseMs = 700;
const retryMs = 5000;

/** An open template: the editor, the draft on the server that follows it, and what the server says of it. */
export class DraftSession {
  readonly editor: Editor;
  readonly view: Signal<DraftView>;
  readonly state: Signal<SaveState>;
  /** Whether publishing would change what is published. */
  readonly isChanged: ReadonlySignal<boolean> = computed(
    () =>
      this.view.value.isChanged ||
      this.editor.definition.value !== this.#saved.value,
  );
  readonly #saved: Signal<ProjectData>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | null = null;
  readonly #stop: () => void;

  constructor(opened: DraftView, design: EditorDesign, mayEdit: boolean) {
    this.view = signal(opened);
    this.state = signal({ kind: "saved", at: opened.savedAt });
    // A draft is at least an object with its two lists: the server keeps nothing else.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const definition = withIds(opened.definition as ProjectData);
    this.#saved = signal(definition);
    this.editor = new Editor(definition, opened.templateType, design, mayEdit);
    this.#stop = effect(() => this.#follow(this.editor.definition.value));
    void this.#check(definition);
  }

  /** Saves now what waits. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#sending;
    if (this.editor.definition.peek() === this.#saved.peek()) return;
    if (this.state.peek().kind === "conflict") return;
    this.#sending = this.#send().finally(() => {
      this.#sending = null;
    });
    await this.#sending;
  }

  /** Goes on from what the server has now, as somebody chose or joined it. */
  settle(view: DraftView, definition: ProjectData): void {
    this.view.value = view;
    this.#saved.value = definition;
    this.state.value = { kind: "saved", at: view.savedAt };
  }

  close(): void {
    this.#stop();
    void this.flush();
  }

  #follow(definition: ProjectData): void {
    if (definition === this.#saved.peek()) return;
    if (this.state.peek().kind !== "conflict")
      this.state.value = { kind: "waiting" };
    this.#later(pauseMs);
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  async #send(): Promise<void> {
    const definition = this.editor.definition.peek();
    const { templateId, revision } = this.view.peek();
    this.state.value = { kind: "saving" };
    try {
      const saved = await ask<DraftSaved>(`drafts/${templateId}`, "PUT", {
        definition,
        expectedRevision: revision,
      });
      this.#saved.value = definition;
      this.view.value = { ...this.view.peek(), ...saved, isChanged: true };
      this.state.value = { kind: "saved", at: saved.savedAt };
      await this.#check(definition);
    } catch (error) {
      this.#failed(error);
    }
    if (this.editor.definition.peek() !== definition) this.#later(pauseMs);
  }

  #failed(error: unknown): void {
    if (error instanceof Refusal && error.status === 409) {
      this.state.value = { kind: "conflict" };
      return;
    }
    this.state.value = { kind: "failed", why: wordsOf(error) };
    this.#later(retryMs);
  }

  /** What the checker says; of an answer that was overtaken, nothing is kept. */
  async #check(definition: ProjectData): Promise<void> {
    const { templateType, templateId } = this.view.peek();
    const facts = await ask<DraftFacts>("drafts/check", "POST", {
      templateType,
      templateId,
      definition,
    }).catch(() => null);
    if (facts && this.editor.definition.peek() === definition)
      this.editor.facts.value = facts;
  }
}
