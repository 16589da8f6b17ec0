import type { Isolation } from "../settings.js";

/**
 * Whose documents a page has printed, and so whose it may print: by setting everybody's, those of one owner, or one
 * document. A document without an owner shares its page with no other where owners count.
 */
export class PageUse {
  #isFresh = true;
  #owner: string | undefined;

  constructor(private readonly isolation: Isolation) {}

  allows(owner: string | undefined): boolean {
    if (this.#isFresh || this.isolation === "shared") return true;
    if (this.isolation === "document") return false;
    return owner !== undefined && owner === this.#owner;
  }

  begin(owner: string | undefined): void {
    this.#isFresh = false;
    this.#owner = owner;
  }

  /** True when nobody may use the page again. */
  get isOver(): boolean {
    if (this.#isFresh || this.isolation === "shared") return false;
    return this.isolation === "document" || this.#owner === undefined;
  }
}
