import type { Scope } from "../../definition/expressions/index.js";
import type { Run } from "../merge/run.js";

// The source of a compiled definition: a nunjucks template whose only expressions are calls by number into tables of
// compiled functions. No name, path or string of a template or of data becomes part of an expression, so nunjucks looks
// up no member and nothing can be injected.

export type Draw = (scope: Scope, run: Run) => string;
export type Test = (scope: Scope, run: Run) => boolean;
export type Repeater = (scope: Scope) => readonly Scope[];

export interface Loop {
  scopes: Repeater;
  /** Minimum number of characters per iteration, to stop a runaway loop before it runs. */
  weight: number;
}

export interface Source {
  text: string;
  draws: readonly Draw[];
  tests: readonly Test[];
  loops: readonly Loop[];
}

/** Escapes literal text: delimiters in it, or formed with the text that follows, stay text. */
export function escapeSource(text: string): string {
  return text.replace(/\{(?=[{%#]|$)|#(?=\}|$)/g, (one) =>
    one === "{" ? "{{ brace }}" : "{{ hash }}",
  );
}

interface Tables {
  draws: Draw[];
  tests: Test[];
  loops: Loop[];
}

/** Builds the source of a program and collects the functions that it calls. */
export class SourceBuilder {
  readonly #tables: Tables;
  readonly #tag: (tag: string) => string;

  /** @param tag writes block tags, such as `{% if … %}`; MJML needs them inside an element. */
  constructor(
    tag: (tag: string) => string = (plain) => plain,
    tables: Tables = { draws: [], tests: [], loops: [] },
  ) {
    this.#tag = tag;
    this.#tables = tables;
  }

  /** A builder for another part of the same program, with other block tags. */
  tagging(tag: (tag: string) => string): SourceBuilder {
    return new SourceBuilder(tag, this.#tables);
  }

  value(draw: Draw): string {
    const guarded: Draw = (scope, run) => run.guardMarkup(draw(scope, run));
    return `{{ x(${this.#tables.draws.push(guarded) - 1}) }}`;
  }

  when(test: Test, then: string, otherwise: string): string {
    const id = this.#tables.tests.push(test) - 1;
    return (
      this.#tag(`{% if t(${id}) %}`) +
      then +
      (otherwise === "" ? "" : this.#tag("{% else %}") + otherwise) +
      this.#tag("{% endif %}")
    );
  }

  /**
   * @param body rendered in the scope of each element
   * @param empty rendered in the outer scope when there are no elements
   */
  each(scopes: Repeater, body: string, empty: string): string {
    const id = this.#tables.loops.push({ scopes, weight: body.length }) - 1;
    return (
      this.#tag(`{% each ${id} %}`) +
      body +
      (empty === "" ? "" : this.#tag("{% else %}") + empty) +
      this.#tag("{% endeach %}")
    );
  }

  finish(text: string): Source {
    return { text, ...this.#tables };
  }
}

const BYTES_PER_CHARACTER = 4;
const BYTES_PER_CALL = 3500;

/** Estimates the bytes that a compiled source takes; both factors are measured. */
export function estimateWeight({ text, draws, tests, loops }: Source): number {
  const calls = draws.length + tests.length + loops.length;
  return text.length * BYTES_PER_CHARACTER + calls * BYTES_PER_CALL;
}

/** Encodes the output of a program: literal text now, values at merge time. */
export function encodeSource(
  { text, draws, ...tables }: Source,
  encode: (text: string) => string,
): Source {
  const parts = text.split(/(\{\{.*?\}\}|\{%.*?%\})/s);
  return {
    ...tables,
    text: parts
      .map((part, index) => (index % 2 === 1 ? part : encode(part)))
      .join(""),
    draws: draws.map((draw) => (scope, run) => encode(draw(scope, run))),
  };
}
