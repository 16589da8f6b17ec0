/**
 * Start-time fair queueing between shares: each job served moves its share one turn on, and the share with the lowest
 * turn comes next. A share that was away starts at the present turn, so that it neither gains nor loses by it. Nodes
 * need not agree: as each is fair, so are all together.
 */
export class Turns {
  #now = 0;
  readonly #next = new Map<string, number>();

  /** The share whose turn it is; of equal ones the first. */
  choose(shares: readonly string[]): string | undefined {
    let chosen: string | undefined;
    for (const share of shares)
      if (chosen === undefined || this.#turnOf(share) < this.#turnOf(chosen))
        chosen = share;
    return chosen;
  }

  /** Records that so many jobs of the share were served. */
  serve(share: string, jobs: number): void {
    const turn = this.#turnOf(share);
    this.#next.set(share, turn + jobs);
    this.#now = Math.max(this.#now, turn);
    if (this.#next.size > 1000) this.#forgetThePast();
  }

  #turnOf(share: string): number {
    return Math.max(this.#now, this.#next.get(share) ?? 0);
  }

  /** What lies behind the present turn says nothing any more. */
  #forgetThePast(): void {
    for (const [share, turn] of this.#next)
      if (turn <= this.#now) this.#next.delete(share);
  }
}
