import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { me } from "../../session.js";
import { sameJson } from "./merge/same-json.js";

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
export class LocalBackup {
  readonly sent = new SentDefinitions();
  readonly #key: string;
  /** What this page stored: another page of the same user may have replaced it. */
  #own: string | null = null;

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
      this.#own = text;
      return true;
    } catch {
      return false;
    }
  }

  /** Removes this page's backup. */
  discard(): void {
    const isOwn =
      this.#own !== null && localStorage.getItem(this.#key) === this.#own;
    if (isOwn) localStorage.removeItem(this.#key);
    this.#own = null;
  }

  load(): Backup | null {
    const text = localStorage.getItem(this.#key);
    if (text === null) return null;
    this.#own = text;
    try {
      // `store` wrote it.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const { sent, ...backup } = JSON.parse(text) as StoredBackup;
      for (const one of sent) this.sent.add(one);
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
    return this.#all.some((one) => sameJson(one.definition, definition));
  }

  /** Drops what was sent for an earlier revision: the server rejects it from now on. */
  dropOlderThan(revision: number): void {
    this.#all = this.#all.filter(
      (one) => one.revision === null || one.revision >= revision,
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
