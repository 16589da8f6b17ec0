import {
  computed,
  type ReadonlySignal,
  type Signal,
  signal,
} from "@preact/signals";
import type {
  DraftChange,
  DraftView,
  EditorDesign,
} from "../../../../../../core/plugin-api/app-drafts.js";
import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { toast } from "../../ui/toast.js";
import { Editor } from "../model/editor.js";
import { checkDraft } from "./check-draft.js";
import { type Conflict, join, type Side } from "./join/join.js";
import { sameJson } from "./join/same-json.js";
import { WorkShelf } from "./kept-work.js";
import {
  afterMeeting,
  definitionOf,
  draftOf,
  type Meeting,
  type Question,
} from "./meeting.js";
import type { SaveState } from "./save-state.js";

/** A draft as it is here, and as the service has it, as far as that is known. What comes from there is joined. */
export class JoinedDraft {
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
    () => this.editor.definition.value !== this.saved.value,
  );
  /** Whether something else was published since the draft began. */
  readonly isOutrun: ReadonlySignal<boolean> = computed(
    () => this.view.value.published.hash !== this.view.value.base.hash,
  );
  /** What the service has: the base of the next join. */
  protected readonly saved: Signal<ProjectData>;
  protected readonly shelf: WorkShelf;

  constructor(opened: DraftView, design: EditorDesign, mayEdit: boolean) {
    const { templateId, templateType } = opened;
    this.view = signal(opened);
    this.state = signal({ kind: "saved", at: opened.savedAt });
    const theirs = definitionOf(opened.definition);
    this.shelf = new WorkShelf(templateId);
    const kept = mayEdit ? this.shelf.find() : null;
    this.saved = signal(kept?.base ?? theirs);
    const mine = kept?.mine ?? theirs;
    this.editor = new Editor(mine, templateType, design, mayEdit);
    if (kept) this.meet(draftOf(opened, kept.base));
    else void checkDraft(this.editor, opened);
  }

  /** Joins what was asked about. */
  answer(choose: (conflict: Conflict) => Side): void {
    const question = this.question.peek();
    if (!question) return;
    this.question.value = null;
    this.meet(question, choose);
  }

  /** Keeps in the browser what the service does not have. @returns false where there is no room for it. */
  keep(): boolean {
    if (!this.isUnsaved.peek()) return true;
    return this.shelf.keep({ base: this.saved.peek(), mine: this.mine });
  }

  protected get mine(): ProjectData {
    return this.editor.definition.peek();
  }

  /** What is to be saved, and from now on may be. */
  protected change(): DraftChange & { definition: ProjectData } {
    const definition = this.mine;
    const { revision, base } = this.view.peek();
    this.shelf.sent.add({ definition, revision });
    return { definition, expectedRevision: revision, base: base.hash };
  }

  /** The service has this now. */
  protected settle(view: DraftView, saved: ProjectData): void {
    this.view.value = view;
    this.saved.value = saved;
    this.settled();
  }

  /** @returns whether anything came in that was not done here. */
  protected meet(
    meeting: Meeting,
    choose?: (conflict: Conflict) => Side,
  ): boolean {
    const { view, theirs } = meeting;
    const isOwn = meeting.with === "draft" && this.shelf.sent.has(theirs);
    const base = isOwn ? theirs : meeting.base;
    this.shelf.sent.settle(view.revision);
    const joined = join({ base, mine: this.mine, theirs }, choose);
    if (joined.conflicts.length > 0 && !choose) {
      this.editor.typingIn.value = null;
      this.question.value = { ...meeting, base, conflicts: joined.conflicts };
      this.state.value = { kind: "asking" };
      return true;
    }
    if (joined.kept.length > 0)
      toast("What one of you deleted and the other changed is still there.");
    const after = afterMeeting(meeting, joined.definition);
    this.view.value = after.view;
    this.saved.value = after.saved ?? this.saved.peek();
    const others = { base, theirs: after.saved ?? theirs };
    this.editor.rebase(after.definition, others);
    this.settled();
    return !sameJson(base, theirs);
  }

  protected settled(): void {
    const { savedAt } = this.view.peek();
    const isUnsaved = this.isUnsaved.peek();
    if (!isUnsaved) this.shelf.forget();
    this.state.value = isUnsaved
      ? { kind: "waiting" }
      : { kind: "saved", at: savedAt };
    void checkDraft(this.editor, this.view.peek());
  }
}
