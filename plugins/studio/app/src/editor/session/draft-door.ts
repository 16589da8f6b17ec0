import type {
  DraftChange,
  DraftSaved,
  DraftView,
  Publication,
} from "../../../../../../core/plugin-api/app-drafts.js";
import { ask, askLast } from "../../api.js";

/** One template's draft at the service. All reject with Refusal. */
export class DraftDoor {
  readonly #at: string;

  constructor(templateId: string) {
    this.#at = `drafts/${templateId}`;
  }

  read(): Promise<DraftView> {
    return ask(this.#at);
  }

  save(change: DraftChange): Promise<DraftSaved> {
    return ask(this.#at, "PUT", change);
  }

  /** Of a page that goes: nobody hears the answer. */
  saveLast(change: DraftChange): void {
    askLast(this.#at, "PUT", change);
  }

  publish(publication: Publication): Promise<DraftView> {
    return ask(`${this.#at}/publish`, "POST", publication);
  }

  discard(revision: number): Promise<DraftView> {
    return ask(`${this.#at}?expectedRevision=${revision}`, "DELETE");
  }
}
