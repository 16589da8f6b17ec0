import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { me } from "../../session.js";
import { type Sent, SentWork } from "./sent-work.js";

/** What was changed in this browser and did not get to the service. */
interface KeptWork {
  /** What the service had when the changes began. */
  base: ProjectData;
  mine: ProjectData;
}

/** As it is written down. */
interface WrittenWork extends KeptWork {
  /** What of it may get there yet. */
  sent: readonly Sent[];
}

/** Where the work at one template waits for the next time that its person opens it in this browser. */
export class WorkShelf {
  readonly sent = new SentWork();
  readonly #key: string;
  /** What is this page's own of it: another one of the same person may have left something, too. */
  #own: string | null = null;

  /** Of whoever is signed in now: nobody else finds it. */
  constructor(templateId: string) {
    this.#key = `platen-unsaved:${me.peek()?.user.id}:${templateId}`;
  }

  /** @returns false where there is no room for it. */
  keep(work: KeptWork): boolean {
    // The next page does not know whether this one still gets it through.
    const last: Sent = { definition: work.mine, revision: null };
    const written: WrittenWork = { ...work, sent: [...this.sent.ends(), last] };
    const text = JSON.stringify(written);
    try {
      localStorage.setItem(this.#key, text);
      this.#own = text;
      return true;
    } catch {
      return false;
    }
  }

  forget(): void {
    const isOwn =
      this.#own !== null && localStorage.getItem(this.#key) === this.#own;
    if (isOwn) localStorage.removeItem(this.#key);
    this.#own = null;
  }

  /** What was kept; null when there is nothing. */
  find(): KeptWork | null {
    const text = localStorage.getItem(this.#key);
    if (text === null) return null;
    this.#own = text;
    try {
      // It was written above.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const { sent, ...work } = JSON.parse(text) as WrittenWork;
      for (const one of sent) this.sent.add(one);
      return work;
    } catch {
      return null;
    }
  }
}
