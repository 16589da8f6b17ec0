import { setTimeout as pause } from "node:timers/promises";
import type { Api } from "./api.js";
import type { FlakyReceiver } from "./flaky-receiver.js";
import { brokenLogo, failOnBrokenLogo } from "./numbers.js";
import { SeededRandom } from "./seeded-random.js";

/** A batch that the service said it had accepted. */
export interface AcceptedBatch {
  batchId: string;
  totalCount: number;
}

export interface SenderSettings {
  seed: number;
  templateId: string;
  data: object;
  /** The template of every second batch, whose documents have numbers. */
  numberedId: string;
  /** A document with this text in its data kills whoever reads it. */
  poison: string;
  itemsOfBatch: readonly [min: number, max: number];
  /** How many batches may be under way at once. */
  ahead: number;
}

const pauseMs = 100;
const shortLifeMs = 4000;

/** Sends batches, one after the other, as long as it is let; each until it has an answer. */
export class Sender {
  readonly accepted: AcceptedBatch[] = [];
  readonly #random: SeededRandom;
  #isStopped = false;

  constructor(
    private readonly api: Api,
    private readonly receiver: FlakyReceiver,
    private readonly settings: SenderSettings,
  ) {
    this.#random = new SeededRandom(settings.seed + 2);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Until it is stopped; at least `least` batches. */
  async run(min: number): Promise<void> {
    const { ahead } = this.settings;
    while (!this.#isStopped || this.accepted.length < min)
      if (this.accepted.length - this.#completed() < ahead) await this.#send();
      else if (this.#isStopped) return;
      else await pause(pauseMs);
  }

  async #send(): Promise<void> {
    const { seed, templateId, numberedId } = this.settings;
    const number = this.accepted.length;
    const template = isNumbered(number)
      ? { templateId: numberedId, renderOptions: failOnBrokenLogo }
      : { templateId };
    for (let version = 0; ; version += 1)
      try {
        const items = this.#items(number);
        const response = await this.api.send({
          method: "POST",
          path: "/api/export/batch",
          body: { ...template, formats: ["html"], items },
          once: `chaos-${seed}-${number}-${version}`,
        });
        this.accepted.push(parseAccepted(response));
        return;
      } catch (error) {
        // The API was away for longer than the items with little time had.
        if (!String(error).includes("is in the past")) throw error;
      }
  }

  /**
   * Mostly quick ones, some PDFs, some with little time, some numbered ones that fail on purpose, and one in the second
   * batch that is poison.
   */
  #items(number: number): object[] {
    const { itemsOfBatch, poison } = this.settings;
    const count = this.#random.between(...itemsOfBatch);
    const getData = () => {
      if (!isNumbered(number)) return this.settings.data;
      return this.#random.chance(0.1) ? brokenLogo : {};
    };
    return Array.from({ length: count }, (_, index) => ({
      data: number === 1 && index === 0 ? { note: poison } : getData(),
      metadata: { batch: number, item: index },
      ...(this.#random.chance(0.1) && { formats: ["pdf"] }),
      ...(this.#random.chance(0.02) && { expiresAt: soon() }),
    }));
  }

  #completed(): number {
    const ids = this.receiver.arrivals
      .filter(
        ({ type, endpoint }) =>
          type === "documents.completed" && endpoint === "steady",
      )
      .map(({ batchId }) => batchId);
    return new Set(ids).size;
  }
}

function isNumbered(number: number): boolean {
  return number % 2 === 1;
}

function soon(): string {
  return new Date(Date.now() + shortLifeMs).toISOString();
}

function parseAccepted(answer: unknown): AcceptedBatch {
  if (
    typeof answer === "object" &&
    answer !== null &&
    "batchId" in answer &&
    "totalCount" in answer
  )
    return {
      batchId: String(answer.batchId),
      totalCount: Number(answer.totalCount),
    };
  throw new Error(`no batch: ${JSON.stringify(answer)}`);
}
