import type { ProjectData } from "../../../../../../core/contract/definition.js";
import { me } from "../../me.js";

/** What was changed in this browser and did not get to the service. */
interface KeptWork {
  /** What the service had when the changes began. */
  base: ProjectData;
  mine: ProjectData;
}

/** Where the work at one template waits for the next time that its person opens it in this browser. */
export class WorkShelf {
  readonly #key: string;

  /** Of whoever is signed in now: nobody else finds it. */
  constructor(templateId: string) {
    this.#key = `platen-unsaved:${me.peek()?.user.id}:${templateId}`;
  }

  /** @returns false where there is no room for it. */
  keep(work: KeptWork): boolean {
    try {
      localStorage.setItem(this.#key, JSON.stringify(work));
      return true;
    } catch {
      return false;
    }
  }

  forget(): void {
    localStorage.removeItem(this.#key);
  }

  /** What was kept; null when there is nothing. */
  find(): KeptWork | null {
    const text = localStorage.getItem(this.#key);
    if (text === null) return null;
    try {
      // It was written above.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return JSON.parse(text) as KeptWork;
    } catch {
      return null;
    }
  }
}
