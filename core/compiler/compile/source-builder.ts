import type { Scope } from "../../definition/expressions/index.js";
import type { Run } from "../merge/run.js";

// The program that a definition becomes: nunjucks source whose only expressions are calls by number into
// tables of compiled functions. No name, path or string of a template or of data is ever part of an
// expression, so nunjucks looks no member up and nothing can be injected into it.

export type Draw = (scope: Scope, run: Run) => string;
export type Test = (scope: Scope, run: Run) => boolean;
export type Repeater = (scope: Scope) => readonly Scope[];

export interface Loop {
  scopes: Repeater;
  /** Characters that one round of it writes at least, so that a runaway loop is stopped before it runs. */
  weight: number;
}

export interface Source {
  text: string;
  draws: readonly Draw[];
  tests: readonly Test[];
  loops: readonly Loop[];
}

/** Literal text: a delimiter in it, or one that it would form with what follows, stays text. */
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

/** Writes a program's source, and keeps the functions that it calls. */
export class SourceBuilder {
  readonly #tables: Tables;
  readonly #tag: (tag: string) => string;

  /** @param tag how block tags are written, `{% if … %}` and the like: as they are, unless markup has to carry them. */
  constructor(
    tag: (tag: string) => string = (plain) => plain,
    tables: Tables = { draws: [], tests: [], loops: [] },
  ) {
    this.#tag = tag;
    this.#tables = tables;
  }

  /** A builder for another part of the same program. */
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
   * @param body is drawn in the scope of each round
   * @param empty is drawn, in the scope around, when there is no round
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

/** About how many bytes a source keeps in memory when it is compiled; the two numbers are measured. */
export function estimateWeight({ text, draws, tests, loops }: Source): number {
  const calls = draws.length + tests.length + loops.length;
  return text.length * BYTES_PER_CHARACTER + calls * BYTES_PER_CALL;
}

/** The same program with all that it writes encodeSource: its literal text now, its values when they are drawn. */
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
