import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { sameJson } from "./join/same-json.js";

/** A definition on its way to the service. */
export interface Sent {
  definition: ProjectData;
  /** The draft's, for which it was meant; null: whichever it will have. */
  revision: number | null;
}

/**
 * What was sent to be saved, as long as it may arrive without an answer that says so: what comes back of it is one's own
 * work, and no stranger's.
 */
export class SentWork {
  #all: readonly Sent[] = [];

  add(sent: Sent): void {
    this.#all = [...this.#all, sent];
  }

  has(definition: ProjectData): boolean {
    return this.#all.some((one) => sameJson(one.definition, definition));
  }

  /** The draft has this revision now: what was meant for one before does not arrive any more. */
  settle(revision: number): void {
    this.#all = this.#all.filter(
      (one) => one.revision === null || one.revision >= revision,
    );
  }

  /** This page's own work has arrived, so that nothing else does. */
  clear(): void {
    this.#all = [];
  }

  /** The first and the last: one of them it is, as good as always, and the browser has little room. */
  ends(): Sent[] {
    return this.#all.filter(
      (_, index) => index === 0 || index === this.#all.length - 1,
    );
  }
}
