/** Work that is asked for several times at once is done once. */
export class SingleFlight<T> {
  private readonly running = new Map<string, Promise<T>>();

  do(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.running.get(key);
    if (known) return known;
    const begun = work().finally(() => this.running.delete(key));
    this.running.set(key, begun);
    return begun;
  }
}
