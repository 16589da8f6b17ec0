import { clock, type Timer } from "../../core/lib/clock.js";
import { noteAnswer, pageHeaders } from "./api.js";
import { base } from "./router.js";

// One stream of server-sent events for the whole page tells which topics changed. Only a visible page has one: browsers
// allow six connections to a host in HTTP/1.1, for all tabs together.

type Listener = () => void;

const firstRetryMs = 5000;
const maxRetryMs = 60_000;
/** The service writes every 15 s; after this time without anything the connection is dead. */
const silenceMs = 40_000;

class LiveStream {
  readonly #listeners = new Map<string, Set<Listener>>();
  #connection: AbortController | null = null;
  #isPlanned = false;
  #retry: Timer | undefined;
  #retryMs = firstRetryMs;
  /** Whether changes are reported, so that nobody has to ask for them. */
  isOpen = false;

  constructor() {
    document.addEventListener("visibilitychange", () => this.#plan());
    addEventListener("online", () => this.#plan());
  }

  /** @param onChange is also called once the topic is watched: it may have changed before. @returns what ends it */
  watch(topic: string, onChange: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(onChange));
    if (listeners.size === 1) this.#plan();
    return () => {
      listeners.delete(onChange);
      if (listeners.size > 0) return;
      this.#listeners.delete(topic);
      this.#plan();
    };
  }

  /** Connects anew, once for all topics that a view begins and ends to watch. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    clock.after(0, () => {
      this.#isPlanned = false;
      void this.#connect();
    });
  }

  async #connect(): Promise<void> {
    this.#retry?.cancel();
    this.#connection?.abort();
    this.isOpen = false;
    const topics = [...this.#listeners.keys()];
    if (topics.length === 0 || document.hidden) return;
    const connection = new AbortController();
    this.#connection = connection;
    const { signal } = connection;
    let silence: Timer | undefined;
    const onData = () => {
      silence?.cancel();
      silence = clock.limit(silenceMs, () => connection.abort());
    };
    try {
      await this.#read(topics, signal, onData);
    } catch {
      // The views ask by themselves until there is a stream again.
    }
    silence?.cancel();
    if (this.#connection !== connection) return;
    this.isOpen = false;
    this.#retry = clock.after(this.#retryMs, () => this.#plan());
    this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs);
  }

  /** Resolves when the service ends the stream. */
  async #read(
    topics: readonly string[],
    signal: AbortSignal,
    onData: () => void,
  ): Promise<void> {
    const query = new URLSearchParams(topics.map((topic) => ["watch", topic]));
    onData();
    const response = await fetch(`${base}api/events?${query.toString()}`, {
      headers: pageHeaders(),
      signal,
    });
    noteAnswer(response.status);
    if (!response.ok || !response.body) return;
    const reader = response.body
      .pipeThrough(new TextDecoderStream())
      .getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      onData();
      const events = (text + value).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) this.#take(event, topics);
    }
  }

  #take(event: string, topics: readonly string[]): void {
    const [, data] = /^data: (.*)$/.exec(event) ?? [];
    if (data === undefined) return;
    // The service writes lists of topics; the first, empty one says that it watches.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const changed = JSON.parse(data) as string[];
    const isFirst = !this.isOpen;
    this.isOpen = true;
    this.#retryMs = firstRetryMs;
    for (const topic of isFirst ? topics : changed)
      for (const listener of this.#listeners.get(topic) ?? []) listener();
  }
}

export const liveStream = new LiveStream();
