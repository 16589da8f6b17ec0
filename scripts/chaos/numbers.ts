import { setTimeout as pause } from "node:timers/promises";
import { IsNull } from "typeorm";
import {
  getDatabaseTime,
  SequenceNumber,
  type Store,
} from "../../core/storage/database/index.js";
import type { Api } from "./api.js";
import { SeededRandom } from "./seeded-random.js";

/** A document with a number without gaps. With `brokenLogo`, it fails after it got its number. */
export const numberedDefinition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "logo", type: "String" },
        {
          name: "number",
          type: "String",
          computed: 'sequence("chaos", "N-{000000}")',
        },
      ],
    },
  ],
  components: [
    { type: "text", text: "Number {{ root.number }}" },
    { type: "image", src: "{{ root.logo }}" },
  ],
};

/** The service does not call itself. */
export const brokenLogo = { logo: "https://127.0.0.1/none.png" };

/** What has a document with `brokenLogo` fail. */
export const failOnBrokenLogo = { failedAssets: "fail" };

/** The numbers that a document prints, each once; zeros are those of a test. */
export function findPrintedNumbers(html: string): string[] {
  return [...new Set(html.match(/N-\d{6,}/g))];
}

/** Ends the reservations of all numbers that no document has. Call when nothing renders. */
export async function freeNumbers({
  unitOfWork,
}: Pick<Store, "unitOfWork">): Promise<void> {
  await unitOfWork.run((tx) =>
    tx.update(
      SequenceNumber,
      { confirmedAt: IsNull() },
      { reservedUntil: new Date(0) },
    ),
  );
}

const callers = 3;
const pollMs = 200;

/** Callers that render numbered documents: some fail on purpose, some are tests, some are sent under a key. */
export class NumberedRenders {
  /** The numbers in the answers. */
  readonly printed: string[] = [];
  readonly #random: SeededRandom;
  #count = 0;
  #isStopped = false;

  constructor(
    private readonly api: Pick<Api, "send">,
    private readonly templateId: string,
    private readonly seed: number,
  ) {
    this.#random = new SeededRandom(seed + 3);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Until it is stopped. */
  async run(): Promise<void> {
    const repeat = async () => {
      while (!this.#isStopped) {
        const chance = this.#random.next();
        if (chance < 0.2) await this.#fail();
        else if (chance < 0.3) await this.#render({ isTest: true });
        else this.printed.push(...(await this.#render()));
      }
    };
    await Promise.all(Array.from({ length: callers }, repeat));
  }

  /**
   * Renders documents until no number is open: each free one goes to the next document.
   * @returns how many were open
   */
  async fillGaps(
    { read }: Pick<Store, "read">,
    timeoutMs: number,
  ): Promise<number> {
    const end = Date.now() + timeoutMs;
    let first: number | null = null;
    for (;;) {
      const open = await read.findBy(SequenceNumber, { confirmedAt: IsNull() });
      first ??= open.length;
      if (open.length === 0 || Date.now() > end) return first;
      const now = await getDatabaseTime(read);
      const isFree = ({ reservedUntil }: SequenceNumber) =>
        reservedUntil === null || reservedUntil < now;
      if (open.some(isFree)) this.printed.push(...(await this.#render()));
      else await pause(pollMs);
    }
  }

  async #fail(): Promise<void> {
    const failure = await this.#render({
      data: brokenLogo,
      renderOptions: failOnBrokenLogo,
    }).catch((error: unknown) => String(error));
    if (typeof failure !== "string" || !failure.includes("failedAssets"))
      throw new Error(`a broken document did not fail: ${String(failure)}`);
  }

  async #render(body: object = {}): Promise<string[]> {
    this.#count += 1;
    const answer = await this.api.send({
      method: "POST",
      path: "/api/export",
      body: {
        templateId: this.templateId,
        formats: ["html"],
        data: {},
        ...body,
      },
      ...(this.#count % 2 === 0 && {
        once: `chaos-numbered-${this.seed}-${this.#count}`,
      }),
    });
    return findPrintedNumbers(JSON.stringify(answer));
  }
}
