import {
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
} from "@preact/signals";
import type {
  DraftSaved,
  DraftView,
  EditorDesign,
  Publication,
} from "../../../../../../core/contract/app-drafts.js";
import type { ProjectData } from "../../../../../../core/contract/definition.js";
import { ask, Refusal, wordsOf } from "../../api.js";
import { toast } from "../../ui/toast.js";
import { Editor } from "../model/editor.js";
import { checkDraft } from "./check-draft.js";
import { type Conflict, join, type Side } from "./join/join.js";
import { sameJson } from "./join/same-json.js";
import { WorkShelf } from "./kept-work.js";
import {
  afterSave,
  definitionOf,
  draftOf,
  type Meeting,
  publishedOf,
  type Question,
  rebased,
} from "./meeting.js";
import type { SaveState } from "./save-state.js";

const pauseMs = 700;
const retryMs = 5000;

/**
 * An open template: the editor, the draft on the server that follows it, and what the server says of it. Others may
 * change the same draft at any time: what they did is joined with what was done here, and nothing is written over.
 */
export class DraftSession {
  readonly editor: Editor;
  readonly view: Signal<DraftView>;
  readonly state: Signal<SaveState>;
  /** What both have changed, until somebody chose. */
  readonly question: Signal<Question | null> = signal(null);
  /** Whether publishing would change what is published. */
  readonly isChanged: ReadonlySignal<boolean> = computed(
    () => this.view.value.isChanged || this.isUnsaved.value,
  );
  readonly isUnsaved: ReadonlySignal<boolean> = computed(
    () => this.editor.definition.value !== this.#saved.value,
  );
  /** Whether something else was published since the draft began. */
  readonly isOutrun: ReadonlySignal<boolean> = computed(
    () => this.view.value.published.hash !== this.view.value.base.hash,
  );
  /** What the server has, as far as it is known here: the base of the next join. */
  readonly #saved: Signal<ProjectData>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | null = null;
  readonly #stop: () => void;
  readonly #shelf: WorkShelf;
  #isClosed = false;

  constructor(opened: DraftView, design: EditorDesign, mayEdit: boolean) {
    const { templateId, templateType } = opened;
    this.view = signal(opened);
    this.state = signal({ kind: "saved", at: opened.savedAt });
    const theirs = definitionOf(opened.definition);
    this.#shelf = new WorkShelf(templateId);
    const kept = mayEdit ? this.#shelf.find() : null;
    this.#saved = signal(kept?.base ?? theirs);
    const mine = kept?.mine ?? theirs;
    this.editor = new Editor(mine, templateType, design, mayEdit);
    this.#stop = effect(() => this.#follow(this.editor.definition.value));
    if (kept) this.#meet(draftOf(opened, kept.base));
    void checkDraft(this.editor, this.view.peek());
  }

  /** Saves now what waits; resolves when it is saved, or when it is known why not. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#sending;
    if (!this.isUnsaved.peek() || this.question.peek()) return;
    this.#sending = this.#send().finally(() => {
      this.#sending = null;
    });
    await this.#sending;
  }

  /** Fetches what others have made of it, and joins it. */
  async catchUp(): Promise<void> {
    if (this.question.peek()) return;
    await this.#sending;
    const view = await this.#ask<DraftView>("");
    if (view.revision >= this.view.peek().revision)
      this.#meet(draftOf(view, this.#saved.peek()));
  }

  /** Brings into the draft what was published since it began. */
  bringIn(): void {
    this.#meet(publishedOf(this.view.peek(), this.#mine));
  }

  /** Joins what was asked about. */
  answer(choose: (conflict: Conflict) => Side): void {
    const question = this.question.peek();
    if (!question) return;
    this.question.value = null;
    this.#meet(question, choose);
  }

  /** Makes the draft what is published. Rejects with Refusal. */
  async publish(
    order: Omit<Publication, "expectedRevision">,
  ): Promise<DraftView> {
    await this.flush();
    this.#refuseUnsaved();
    const expectedRevision = this.view.peek().revision;
    const body = { ...order, expectedRevision };
    const view = await this.#ask<DraftView>("/publish", "POST", body);
    this.#meet(draftOf(view, this.#saved.peek()));
    return view;
  }

  /** Goes back to what is published; undo brings the changes back. Rejects with Refusal. */
  async discard(): Promise<void> {
    await this.#sending;
    clearTimeout(this.#timer);
    const at = `?expectedRevision=${this.view.peek().revision}`;
    const view = await this.#ask<DraftView>(at, "DELETE");
    const published = definitionOf(view.definition);
    this.#saved.value = published;
    this.view.value = view;
    this.editor.replace("Discard the changes", published);
    this.#settled();
    void checkDraft(this.editor, this.view.peek());
  }

  /** Keeps in the browser what cannot be sent any more. */
  leave(): boolean {
    if (!this.isUnsaved.peek()) return true;
    return this.#shelf.keep({ base: this.#saved.peek(), mine: this.#mine });
  }

  /** Saves what waits, once; when that fails, it is kept for the next time. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
    this.leave();
    void this.flush();
  }

  get #mine(): ProjectData {
    return this.editor.definition.peek();
  }

  #follow(definition: ProjectData): void {
    if (definition === this.#saved.peek()) return;
    if (!this.question.peek()) this.state.value = { kind: "waiting" };
    this.#later(pauseMs);
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  async #send(): Promise<void> {
    const definition = this.#mine;
    const { revision, base } = this.view.peek();
    this.state.value = { kind: "saving" };
    try {
      const change = {
        definition,
        expectedRevision: revision,
        base: base.hash,
      };
      const saved = await this.#ask<DraftSaved>("", "PUT", change);
      this.#saved.value = definition;
      this.view.value = afterSave(this.view.peek(), saved, definition);
      this.#settled();
      void checkDraft(this.editor, this.view.peek());
    } catch (error) {
      await this.#failed(error);
    }
    if (this.#mine !== definition) this.#later(pauseMs);
  }

  async #failed(error: unknown): Promise<void> {
    try {
      if (!(error instanceof Refusal) || error.status !== 409) throw error;
      const view = await this.#ask<DraftView>("");
      this.#meet(draftOf(view, this.#saved.peek()));
    } catch (reason) {
      this.leave();
      this.state.value = { kind: "failed", why: wordsOf(reason) };
      if (!this.#isClosed) this.#later(retryMs);
    }
  }

  #meet(meeting: Meeting, choose?: (conflict: Conflict) => Side): void {
    const { view, base, theirs } = meeting;
    const joined = join({ base, mine: this.#mine, theirs }, choose);
    if (joined.conflicts.length > 0 && !choose) {
      this.editor.typingIn.value = null;
      this.question.value = { ...meeting, conflicts: joined.conflicts };
      this.state.value = { kind: "asking" };
      return;
    }
    if (joined.kept.length > 0)
      toast("What one of you deleted and the other changed is still there.");
    const isPublished = meeting.with === "published";
    this.view.value = isPublished ? rebased(view) : view;
    const isTheirs = !isPublished && sameJson(joined.definition, theirs);
    if (!isPublished) this.#saved.value = isTheirs ? joined.definition : theirs;
    this.editor.rebase(
      // Another object, so that the new base is saved in any case.
      isPublished ? { ...joined.definition } : joined.definition,
      (before) => join({ base, mine: before, theirs }).definition,
    );
    this.#settled();
    void checkDraft(this.editor, this.view.peek());
  }

  #settled(): void {
    const { savedAt } = this.view.peek();
    const isUnsaved = this.isUnsaved.peek();
    if (!isUnsaved) this.#shelf.forget();
    this.state.value = isUnsaved
      ? { kind: "waiting" }
      : { kind: "saved", at: savedAt };
  }

  #refuseUnsaved(): void {
    const state = this.state.peek();
    if (state.kind === "failed") throw new Refusal(0, state.why);
    if (state.kind === "asking")
      throw new Refusal(409, "Choose first between your changes and theirs.");
  }

  #ask<T>(at: string, method?: "PUT" | "POST" | "DELETE", body?: unknown) {
    return ask<T>(`drafts/${this.view.peek().templateId}${at}`, method, body);
  }
}
