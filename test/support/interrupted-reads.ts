import type { EntitySubscriberInterface } from "typeorm";
import type { Store } from "../../core/storage/database/index.js";

/**
 * Answers of a store between whose reads another process writes: `act` happens after the first read of one of the
 * tables, and all other reads of them wait for it.
 * @param act has to reach the database by another store.
 * @returns what `answer` returns. Rejects when nothing was read twice.
 */
export async function interrupted<T>(
  store: Store,
  tables: readonly string[],
  act: () => Promise<unknown>,
  answer: () => Promise<T>,
): Promise<T> {
  const interruption = new Interruption(tables, act);
  const sources = [
    store.read.dataSource,
    await store.snapshot(async (read) => read.dataSource),
  ];
  const places = [...new Set(sources)].map(({ subscribers }) => subscribers);
  for (const place of places) place.push(interruption);
  try {
    const answered = await answer();
    if (interruption.reads > 1) return answered;
    throw new Error(`${interruption.reads} reads, where two can differ`);
  } finally {
    for (const place of places) place.splice(place.indexOf(interruption), 1);
  }
}

class Interruption implements EntitySubscriberInterface {
  reads = 0;
  readonly #tables: RegExp;
  readonly #acted: Promise<void>;
  #release = (): void => {};
  #hasActed = false;

  constructor(
    tables: readonly string[],
    private readonly act: () => Promise<unknown>,
  ) {
    this.#tables = new RegExp(`^SELECT .*FROM .(${tables.join("|")})\\W`, "s");
    this.#acted = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  async beforeQuery({ query }: { query: string }): Promise<void> {
    if (!this.#tables.test(query)) return;
    this.reads += 1;
    if (this.reads > 1) await this.#acted;
  }

  async afterQuery({ query }: { query: string }): Promise<void> {
    if (this.#hasActed || !this.#tables.test(query)) return;
    this.#hasActed = true;
    try {
      await this.act();
    } finally {
      this.#release();
    }
  }
}
