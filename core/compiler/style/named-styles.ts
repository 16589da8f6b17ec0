import { isConstantText } from "../../definition/expressions/index.js";
import { classNames } from "../../definition/schema/class-names.js";
import type { Style } from "../../definition/schema/style-schema.js";

/** CSS declarations by property; values are Templates, or plain CSS. */
export type Declarations = Readonly<Record<string, string>>;

/** The `styles` of a definition: those without expressions become CSS classes, the others are written in place. */
export class NamedStyles {
  readonly #styles: ReadonlyMap<string, Style>;

  constructor(styles: Record<string, Style> = {}) {
    this.#styles = new Map(Object.entries(styles));
  }

  /** CSS classes for a component's `class`. */
  classes(list: string | undefined): string[] {
    return classNames(list)
      .filter((name) => this.#isConstant(name))
      .map(cssClass);
  }

  /** The declarations to write in place, before the component's own. */
  inPlace(list: string | undefined): Declarations {
    const names = classNames(list).filter((name) => !this.#isConstant(name));
    return merged(names.map((name) => this.#styles.get(name)));
  }

  /** All that a component's `class` declares, classes in their order in `styles` as CSS has it. */
  declarations(list: string | undefined): Declarations {
    const names = classNames(list);
    const used = [...this.#styles].filter(([name]) => names.includes(name));
    return merged(used.map(([, style]) => style));
  }

  /** The rules of the constant ones, for a style sheet. */
  get css(): string {
    return [...this.#styles]
      .filter(([name]) => this.#isConstant(name))
      .map(([name, style]) => `.${cssClass(name)}{${declarationsOf(style)}}\n`)
      .join("");
  }

  #isConstant(name: string): boolean {
    const style = this.#styles.get(name);
    return (
      style !== undefined &&
      Object.values(style).every((value) => isConstantText(value))
    );
  }
}

/** Later declarations win. */
function merged(styles: readonly (Style | undefined)[]): Declarations {
  return Object.fromEntries(
    styles.flatMap((style) => Object.entries(style ?? {})),
  );
}

/** A prefix keeps them apart from the classes of the page style. */
function cssClass(name: string): string {
  return `c-${name}`;
}

function declarationsOf(style: Style): string {
  return Object.entries(style)
    .map(([property, value]) => `${property}:${value}`)
    .join(";");
}
