import { after } from "mocha";

/** A stream of `/sse`, as a client without a library would read it. */
export class SseStream {
  #text = "";
  #isOver = false;
  readonly #waiting: (() => void)[] = [];

  private constructor(
    private readonly url: string,
    private readonly hangUp: AbortController,
  ) {}

  /** Opens it. @throws Error with the answer's status when there is no stream. */
  static async open(
    url: string,
    headers: Record<string, string>,
    query = "",
  ): Promise<SseStream> {
    const hangUp = new AbortController();
    after(() => hangUp.abort());
    const { signal } = hangUp;
    const response = await fetch(`${url}/sse${query}`, { headers, signal });
    if (!response.ok || !response.body)
      throw new Error(`${response.status}: ${await response.text()}`);
    const stream = new SseStream(url, hangUp);
    void stream.#read(response.body);
    return stream;
  }

  /** Where its messages go. */
  async endpoint(): Promise<string> {
    const [, path = ""] = await this.until(/event: endpoint\ndata: (\S+)/);
    return new URL(path, this.url).href;
  }

  /** Waits until what has come matches; rejects when the stream ends before. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.#text);
      if (match) return match;
      if (this.#isOver) throw new Error(`it ended after ${this.#text}`);
      await this.#news();
    }
  }

  /** Resolves when the other side has ended it, or cut it off, with all that came. */
  async over(): Promise<string> {
    while (!this.#isOver) await this.#news();
    return this.#text;
  }

  close(): void {
    this.hangUp.abort();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        this.#text += decoder.decode(chunk, { stream: true });
        this.#tell();
      }
    } catch {
      // Cut off: that is over, too.
    }
    this.#isOver = true;
    this.#tell();
  }

  #tell(): void {
    for (const tell of this.#waiting.splice(0)) tell();
  }
}
