import { isConstantText } from "../definition/expressions/index.js";
import type { Component } from "../definition/schema/component-schema.js";
import { classNames, type Style } from "../definition/schema/text-schema.js";

/** How elements come to their style: by classes and a style sheet, or each on its own as mail programs want it. */
export interface Look {
  /** @param own the classes that an emitter gives a component's element */
  of(component: Component, own: readonly string[]): ElementLook;
}

interface ElementLook {
  classes: readonly string[];
  /** Below what the component's own properties declare, such as a width. */
  base: Declarations;
  /** Above it, and below the component's `style`. */
  named: Declarations;
}

/** The look of documents. */
export function pageLook(styles: NamedStyles): Look {
  return {
    of: (component, own) => ({
      classes: [...own, ...styles.classes(component.class)],
      base: {},
      named: styles.inPlace(component.class),
    }),
  };
}

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
    return mergeStyles(names.map((name) => this.#styles.get(name)));
  }

  /** All that a component's `class` declares, classes in their order in `styles` as CSS has it. */
  declarations(list: string | undefined): Declarations {
    const names = classNames(list);
    const used = [...this.#styles].filter(([name]) => names.includes(name));
    return mergeStyles(used.map(([, style]) => style));
  }

  /** The rules of the constant ones, for a style sheet. */
  get css(): string {
    return [...this.#styles]
      .filter(([name]) => this.#isConstant(name))
      .map(
        ([name, style]) => `.${cssClass(name)}{${formatDeclarations(style)}}\n`,
      )
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
function mergeStyles(styles: readonly (Style | undefined)[]): Declarations {
  return Object.fromEntries(
    styles.flatMap((style) => Object.entries(style ?? {})),
  );
}

/** A prefix keeps them apart from the classes of the page style. */
function cssClass(name: string): string {
  return `c-${name}`;
}

function formatDeclarations(style: Style): string {
  return Object.entries(style)
    .map(([property, value]) => `${property}:${value}`)
    .join(";");
}
