import { effect } from "@preact/signals";
import type {
  DraftView,
  EditorDesign,
  Publication,
} from "../../../../../../core/plugin-api/app-drafts.js";
import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { Refusal, wordsOf } from "../../api.js";
import { DraftDoor } from "./draft-door.js";
import { JoinedDraft } from "./joined-draft.js";
import { afterSave, definitionOf, draftOf, publishedOf } from "./meeting.js";
import { refuseUnsaved } from "./save-state.js";
import { Turns } from "./turns.js";

const pauseMs = 700;
const retryMs = 5000;
const mostJoins = 5;

/**
 * An open template: the editor, the draft on the server that follows it, and what the server says of it. Others may
 * change the same draft at any time: what they did is joined with what was done here, and nothing is written over.
 * Of its requests one is under way at a time, so that no answer tells of a moment that another one has left behind.
 */
export class DraftSession extends JoinedDraft {
  readonly #door: DraftDoor;
  readonly #turns = new Turns();
  readonly #stop: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(opened: DraftView, design: EditorDesign, mayEdit: boolean) {
    super(opened, design, mayEdit);
    this.#door = new DraftDoor(opened.templateId);
    this.#stop = effect(() => this.#follow(this.editor.definition.value));
  }

  /** Saves now what waits; resolves when it is saved, or when it is known why not. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#turns.take(() => this.#save());
  }

  /** Fetches what others have made of it, and joins it. @returns whether there was anything. */
  catchUp(): Promise<boolean> {
    return this.#turns.take(async () => {
      if (this.question.peek()) return false;
      const view = await this.#door.read();
      return this.meet(draftOf(view, this.saved.peek()));
    });
  }

  /** Brings into the draft what was published since it began. */
  async bringIn(): Promise<void> {
    await this.#turns.take(() => {
      if (this.question.peek()) return;
      this.meet(publishedOf(this.view.peek(), this.mine));
    });
  }

  /** Makes the draft what is published, all that was done until now in it. Rejects with Refusal. */
  publish(order: Omit<Publication, "expectedRevision">): Promise<DraftView> {
    clearTimeout(this.#timer);
    return this.#turns.take(async () => {
      await this.#saveAll();
      const expectedRevision = this.view.peek().revision;
      const view = await this.#door.publish({ ...order, expectedRevision });
      this.meet(draftOf(view, this.saved.peek()));
      return view;
    });
  }

  /** Goes back to what is published; undo brings the changes back. Rejects with Refusal. */
  async discard(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#turns.take(async () => {
      const view = await this.#door.discard(this.view.peek().revision);
      const published = definitionOf(view.definition);
      this.editor.replace("Discard the changes", published);
      this.settle(view, published);
    });
  }

  /** As `keep`; besides, it is sent by a page that hears no answer any more. */
  leave(): void {
    if (!this.isUnsaved.peek()) return;
    this.keep();
    this.#door.saveLast(this.change());
  }

  /** Saves what waits, once; when that fails, it is kept for the next time. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
    this.keep();
    void this.flush();
  }

  #follow(definition: ProjectData): void {
    if (definition === this.saved.peek()) return;
    if (!this.question.peek()) this.state.value = { kind: "waiting" };
    this.#later(pauseMs);
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  /** @returns whether all that was done when it began is saved. */
  async #save(): Promise<boolean> {
    if (!this.isUnsaved.peek()) return true;
    return !this.question.peek() && (await this.#send());
  }

  /** What is joined on the way is saved as well. Rejects with Refusal when it cannot be. */
  async #saveAll(): Promise<void> {
    for (let time = 0; time < mostJoins; time += 1) {
      if (await this.#save()) return;
      refuseUnsaved(this.state.peek());
    }
    throw new Refusal(409, "Others are changing it just now. Try again.");
  }

  async #send(): Promise<boolean> {
    const change = this.change();
    const { definition } = change;
    this.state.value = { kind: "saving" };
    const saved = await this.#door
      .save(change)
      .catch((reason: unknown) => this.#failed(reason));
    if (saved) {
      this.shelf.sent.clear();
      this.settle(afterSave(this.view.peek(), saved, definition), definition);
    }
    if (this.mine !== definition) this.#later(pauseMs);
    return saved !== null;
  }

  async #failed(error: unknown): Promise<null> {
    try {
      if (!(error instanceof Refusal) || error.status !== 409) throw error;
      const view = await this.#door.read();
      this.meet(draftOf(view, this.saved.peek()));
    } catch (reason) {
      this.keep();
      this.state.value = { kind: "failed", why: wordsOf(reason) };
      if (!this.#isClosed) this.#later(retryMs);
    }
    return null;
  }
}
