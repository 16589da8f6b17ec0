import {
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
} from "@preact/signals";
import type {
  DraftChange,
  DraftSaved,
  DraftView,
  Publication,
} from "../../../../core/templates/drafts/views.js";
import type {
  DraftAnalysis,
  EditorDesign,
} from "../../../../core/compiler/views.js";
import { clock, type Timer } from "../../../../core/lib/clock.js";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import { ask, askLast, Refusal, wordsOf } from "../../api.js";
import { t } from "../../messages/index.js";
import { me } from "../../session.js";
import { toast } from "../../ui/toast.js";
import { Editor } from "../model/editor.js";
import {
  matchIds,
  type Conflict,
  mergeDefinitions,
  type Side,
} from "../model/merge-definitions.js";
import { sameJson } from "../model/same-json.js";
import { assignMissingIds } from "../model/tree.js";

const saveDelayMs = 700;
const retryDelayMs = 5000;
const maxSaveAttempts = 5;
/** A save that has no answer for so long is sent again. */
const maxSaveMs = 60_000;

export type SaveState =
  | { kind: "saved"; at: string | null }
  | { kind: "waiting" | "saving" }
  /** Others changed the same values: nothing is saved until the user resolves the conflicts. */
  | { kind: "asking" }
  | { kind: "failed"; why: string };

/** A definition from elsewhere that is to be merged into the one in the editor. */
interface IncomingChange {
  source: "draft" | "published";
  view: DraftView;
  base: ProjectData;
  theirs: ProjectData;
}

/** An incoming change whose conflicts the user has to resolve. */
export interface PendingMerge extends IncomingChange {
  conflicts: readonly Conflict[];
}

/**
 * An open template: its editor and the server's draft, which follows the editor. Changes that others save to the same
 * draft are merged with those made here; nothing is overwritten. Requests run one at a time, so that no response
 * describes a state that another one has already replaced.
 */
export class DraftSession {
  readonly editor: Editor;
  readonly view: Signal<DraftView>;
  readonly templateId: string;
  readonly name: ReadonlySignal<string> = computed(() => this.view.value.name);
  readonly state: Signal<SaveState>;
  /** The merge that waits for the user's choices. */
  readonly pendingMerge: Signal<PendingMerge | null> = signal(null);
  /** Whether publishing would change what is published. */
  readonly isChanged: ReadonlySignal<boolean> = computed(
    () => this.view.value.isChanged || this.#isUnsaved.value,
  );
  /** Whether another definition was published since the draft began. */
  readonly isOutdated: ReadonlySignal<boolean> = computed(
    () => this.view.value.published.hash !== this.view.value.base.hash,
  );
  readonly #isUnsaved: ReadonlySignal<boolean> = computed(
    () => this.editor.definition.value !== this.#saved.value,
  );
  /** The server's definition as it is known here: the base of the next merge. */
  readonly #saved: Signal<ProjectData>;
  readonly #backup: LocalBackup;
  readonly #api: DraftApi;
  readonly #queue = new SerialQueue();
  readonly #stopFollowing: () => void;
  readonly #stopFollowingSample: () => void;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(opened: DraftView, design: EditorDesign, mayEdit: boolean) {
    const { templateId, templateType } = opened;
    this.templateId = templateId;
    this.view = signal(opened);
    this.state = signal({ kind: "saved", at: opened.savedAt });
    this.#api = new DraftApi(templateId);
    this.#backup = new LocalBackup(templateId);
    const theirs = toDefinition(opened.definition);
    const backup = mayEdit ? this.#backup.load() : null;
    this.#saved = signal(backup?.base ?? theirs);
    const mine = backup?.mine ?? theirs;
    this.editor = new Editor(mine, templateType, design, mayEdit);
    if (backup) this.#merge(draftChange(opened, backup.base));
    else void this.#check();
    this.#stopFollowing = effect(() =>
      this.#follow(this.editor.definition.value),
    );
    this.#stopFollowingSample = this.editor.sampleName.subscribe(() => {
      if (this.editor.facts.peek()) void this.#check();
    });
  }

  /** Saves pending changes now. Resolves when they are saved or the save has failed. */
  async flush(): Promise<void> {
    this.#timer?.cancel();
    await this.#queue.run(() => this.#save());
  }

  /** Fetches and merges what others saved. @returns whether there was anything new. */
  pullChanges(): Promise<boolean> {
    return this.#queue.run(async () => {
      if (this.pendingMerge.peek()) return false;
      const view = await this.#api.read();
      return this.#merge(draftChange(view, this.#saved.peek()));
    });
  }

  /** Merges what was published since the draft began into the draft. */
  async mergePublished(): Promise<void> {
    await this.#queue.run(() => {
      if (this.pendingMerge.peek()) return;
      this.#merge(publishedChange(this.view.peek(), this.#mine));
    });
  }

  resolveConflicts(choose: (conflict: Conflict) => Side): void {
    const pending = this.pendingMerge.peek();
    if (!pending) return;
    this.pendingMerge.value = null;
    this.#merge(pending, choose);
  }

  /** Saves all changes first. Rejects with Refusal. */
  publish(
    publication: Omit<Publication, "expectedRevision">,
  ): Promise<DraftView> {
    this.#timer?.cancel();
    return this.#queue.run(async () => {
      await this.#saveAll();
      const expectedRevision = this.view.peek().revision;
      const view = await this.#api.publish({
        ...publication,
        expectedRevision,
      });
      this.#merge(draftChange(view, this.#saved.peek()));
      return view;
    });
  }

  /** Returns to the published definition; undo restores the changes. Rejects with Refusal. */
  async discard(): Promise<void> {
    this.#timer?.cancel();
    await this.#queue.run(async () => {
      const view = await this.#api.discard(this.view.peek().revision);
      const published = toDefinition(view.definition);
      this.editor.replace(t("draft.discardChanges"), published);
      this.view.value = view;
      this.#saved.value = published;
      this.#updateState();
      void this.#check();
    });
  }

  /** Backs up unsaved changes in the browser. @returns false when its storage is full. */
  backUp(): boolean {
    if (!this.#isUnsaved.peek()) return true;
    return this.#backup.store({ base: this.#saved.peek(), mine: this.#mine });
  }

  /** For a page that is being closed: backs up and saves without waiting for the response. */
  saveOnExit(): void {
    if (!this.#isUnsaved.peek()) return;
    this.backUp();
    this.#api.saveWithoutResponse(this.#prepareSave());
  }

  /** Downloads the definition as a JSON file, which "From a file" and the command line accept. */
  download(): void {
    const text = JSON.stringify(this.#mine, null, 2);
    const url = URL.createObjectURL(
      new Blob([text], { type: "application/json" }),
    );
    const link = document.createElement("a");
    link.href = url;
    const name = this.name
      .peek()
      .replaceAll(/[\\/:*?"<>|]+/g, " ")
      .trim();
    link.download = `${name || "template"}.json`;
    link.click();
    URL.revokeObjectURL(url);
  }

  /** Saves once more and stops following the editor; what cannot be saved stays backed up. */
  close(): void {
    this.#isClosed = true;
    this.#stopFollowing();
    this.#stopFollowingSample();
    this.backUp();
    void this.flush();
  }

  get #mine(): ProjectData {
    return this.editor.definition.peek();
  }

  #follow(definition: ProjectData): void {
    if (definition === this.#saved.peek()) return;
    if (!this.pendingMerge.peek()) this.state.value = { kind: "waiting" };
    this.#scheduleSave(saveDelayMs);
  }

  #scheduleSave(ms: number): void {
    this.#timer?.cancel();
    this.#timer = clock.after(ms, () => void this.flush());
  }

  /** Also saves what is merged on the way. Rejects with Refusal when it cannot be saved. */
  async #saveAll(): Promise<void> {
    for (let attempt = 0; attempt < maxSaveAttempts; attempt += 1) {
      if (await this.#save()) return;
      const state = this.state.peek();
      if (state.kind === "failed") throw new Refusal(0, state.why);
      if (state.kind === "asking")
        throw new Refusal(409, t("draft.resolveConflictsFirst"));
    }
    throw new Refusal(409, t("draft.othersAreEditing"));
  }

  /** @returns whether all changes made before the call are saved. */
  async #save(): Promise<boolean> {
    if (!this.#isUnsaved.peek()) return true;
    if (this.pendingMerge.peek()) return false;
    const change = this.#prepareSave();
    const { definition } = change;
    this.state.value = { kind: "saving" };
    const saved = await this.#api
      .save(change)
      .catch((reason: unknown) => this.#handleSaveError(reason));
    if (saved) {
      const { facts, revision, savedAt } = saved;
      this.#backup.sent.clear();
      const before = this.view.peek();
      this.view.value = {
        ...before,
        revision,
        savedAt,
        savedBy: me.peek()?.user.name ?? null,
        savedById: me.peek()?.user.id ?? null,
        isChanged: !sameJson(definition, before.base.definition),
      };
      this.#saved.value = definition;
      this.#updateState();
      if (this.editor.sampleName.peek() === null)
        this.#showFacts(definition, facts);
      else void this.#check();
    }
    if (this.#mine !== definition) this.#scheduleSave(saveDelayMs);
    return saved !== null;
  }

  /** Records the definition as sent: from now on it may arrive at the server. */
  #prepareSave(): DraftChange & { definition: ProjectData } {
    const definition = this.#mine;
    const { revision, base } = this.view.peek();
    this.#backup.sent.add({ definition, revision });
    return { definition, expectedRevision: revision, base: base.hash };
  }

  /** After a conflict, merges the server's draft; any other error is shown and the save is retried. */
  async #handleSaveError(error: unknown): Promise<null> {
    try {
      if (!(error instanceof Refusal) || error.status !== 409) throw error;
      const view = await this.#api.read();
      this.#merge(draftChange(view, this.#saved.peek()));
    } catch (reason) {
      this.backUp();
      this.state.value = { kind: "failed", why: wordsOf(reason) };
      if (!this.#isClosed) this.#scheduleSave(retryDelayMs);
    }
    return null;
  }

  /** @returns whether the change contained anything that was not made here. */
  #merge(
    incoming: IncomingChange,
    choose?: (conflict: Conflict) => Side,
  ): boolean {
    const { source, view, theirs } = incoming;
    const isOwn = source === "draft" && this.#backup.sent.has(theirs);
    const base = isOwn ? theirs : incoming.base;
    this.#backup.sent.dropOlderThan(view.revision);
    const merged = mergeDefinitions({ base, mine: this.#mine, theirs }, choose);
    if (merged.conflicts.length > 0 && !choose) {
      this.editor.typingIn.value = null;
      const { conflicts } = merged;
      this.pendingMerge.value = { ...incoming, base, conflicts };
      this.state.value = { kind: "asking" };
      return true;
    }
    if (merged.restored.length > 0) toast(t("draft.keptDeleted"));
    if (source === "draft") {
      const saved = sameJson(merged.definition, theirs)
        ? merged.definition
        : theirs;
      this.view.value = view;
      this.#saved.value = saved;
      this.editor.rebase(merged.definition, { base, theirs: saved });
    } else {
      this.view.value = withPublishedBase(view);
      // A new object is always unsaved, so that the new base is saved in any case.
      this.editor.rebase({ ...merged.definition }, { base, theirs });
    }
    this.#updateState();
    // The response of a save includes the validation results.
    if (!this.#isUnsaved.peek()) void this.#check();
    return !sameJson(base, theirs);
  }

  #updateState(): void {
    const { savedAt } = this.view.peek();
    const isUnsaved = this.#isUnsaved.peek();
    if (!isUnsaved) this.#backup.discard();
    this.state.value = isUnsaved
      ? { kind: "waiting" }
      : { kind: "saved", at: savedAt };
  }

  /** Validates a definition that needs no save, with the sample that is shown. A response that arrives after another change is dropped. */
  async #check(): Promise<void> {
    const definition = this.editor.sampled.peek();
    const { templateType } = this.view.peek();
    const facts = await this.#api
      .check({ templateType, definition })
      .catch(() => null);
    if (facts) this.#showFacts(definition, facts);
  }

  /** Equal facts keep their object, so that nothing is drawn again. */
  #showFacts(definition: ProjectData, facts: DraftAnalysis): void {
    const isCurrent = this.editor.sampled.peek() === definition;
    if (isCurrent && !sameJson(facts, this.editor.facts.peek()))
      this.editor.facts.value = facts;
  }
}

/** All methods reject with Refusal. */
class DraftApi {
  readonly #path: string;

  constructor(readonly templateId: string) {
    this.#path = `drafts/${templateId}`;
  }

  read(): Promise<DraftView> {
    return ask(this.#path);
  }

  save(change: DraftChange): Promise<DraftSaved> {
    return ask(this.#path, "PUT", change, maxSaveMs);
  }

  saveWithoutResponse(change: DraftChange): void {
    askLast(this.#path, "PUT", change);
  }

  publish(publication: Publication): Promise<DraftView> {
    return ask(`${this.#path}/publish`, "POST", publication);
  }

  discard(revision: number): Promise<DraftView> {
    return ask(`${this.#path}?expectedRevision=${revision}`, "DELETE");
  }

  check(draft: {
    templateType: DraftView["templateType"];
    definition: ProjectData;
  }): Promise<DraftAnalysis> {
    const { templateId } = this;
    return ask("drafts/check", "POST", { ...draft, templateId });
  }
}

/** Runs tasks one after another, whether or not those before succeeded. */
class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** The draft as the server has it. */
function draftChange(view: DraftView, base: ProjectData): IncomingChange {
  const theirs = toDefinition(view.definition);
  return { source: "draft", view, base, theirs };
}

/** What was published since the draft began. @param mine keeps its ids */
function publishedChange(view: DraftView, mine: ProjectData): IncomingChange {
  const base = matchIds(toDefinition(view.base.definition), mine);
  const published = view.published.definition ?? view.base.definition;
  const theirs = matchIds(toDefinition(published), base);
  return { source: "published", view, base, theirs };
}

/** The draft once it contains what is published. */
function withPublishedBase(view: DraftView): DraftView {
  const { published, base } = view;
  const definition = published.definition ?? base.definition;
  return { ...view, base: { ...published, definition } };
}

/** A stored definition, with an id for each component. */
export function toDefinition(stored: unknown): ProjectData {
  // The server stores only objects with the two lists of a definition.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return assignMissingIds(stored as ProjectData);
}

/** Changes that have not reached the server. */
interface Backup {
  /** The server's definition when the changes began. */
  base: ProjectData;
  mine: ProjectData;
}

interface StoredBackup extends Backup {
  /** The saves that may still arrive at the server. */
  sent: readonly SentDefinition[];
}

interface SentDefinition {
  definition: ProjectData;
  /** The draft's revision that it was sent for; null when that is unknown. */
  revision: number | null;
}

/** The unsaved changes of one template and user, kept in the browser until the user opens the template again. */
class LocalBackup {
  readonly sent = new SentDefinitions();
  readonly #key: string;
  /** What this page stored: another page of the same user may have replaced it. */
  #ownText: string | null = null;

  /** The backup belongs to the user who is signed in now; other users do not see it. */
  constructor(templateId: string) {
    this.#key = `platen-unsaved:${me.peek()?.user.id}:${templateId}`;
  }

  /** @returns false when the browser's storage is full. */
  store(backup: Backup): boolean {
    // The next page does not know whether this page's last save arrives.
    const last: SentDefinition = { definition: backup.mine, revision: null };
    const stored: StoredBackup = {
      ...backup,
      sent: [...this.sent.firstAndLast(), last],
    };
    const text = JSON.stringify(stored);
    try {
      localStorage.setItem(this.#key, text);
      this.#ownText = text;
      return true;
    } catch {
      return false;
    }
  }

  /** Removes this page's backup. */
  discard(): void {
    const isOwn =
      this.#ownText !== null &&
      localStorage.getItem(this.#key) === this.#ownText;
    if (isOwn) localStorage.removeItem(this.#key);
    this.#ownText = null;
  }

  load(): Backup | null {
    const text = localStorage.getItem(this.#key);
    if (text === null) return null;
    this.#ownText = text;
    try {
      // `store` wrote it.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const { sent, ...backup } = JSON.parse(text) as StoredBackup;
      for (const entry of sent) this.sent.add(entry);
      return backup;
    } catch {
      return null;
    }
  }
}

/**
 * Definitions that were sent but not confirmed: when the server's draft equals one of them, it is the user's own work
 * and not another person's.
 */
class SentDefinitions {
  #all: readonly SentDefinition[] = [];

  add(sent: SentDefinition): void {
    this.#all = [...this.#all, sent];
  }

  has(definition: ProjectData): boolean {
    return this.#all.some((entry) => sameJson(entry.definition, definition));
  }

  /** Drops what was sent for an earlier revision: the server rejects it from now on. */
  dropOlderThan(revision: number): void {
    this.#all = this.#all.filter(
      (entry) => entry.revision === null || entry.revision >= revision,
    );
  }

  clear(): void {
    this.#all = [];
  }

  /** The two most likely to arrive; the browser's storage is small. */
  firstAndLast(): SentDefinition[] {
    return this.#all.filter(
      (_, index) => index === 0 || index === this.#all.length - 1,
    );
  }
}
