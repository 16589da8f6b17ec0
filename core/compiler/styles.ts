import { isConstantText } from "../definition/expressions/index.js";
import type { Component } from "../definition/schema/component-schema.js";
import { classNames, type Style } from "../definition/schema/text-schema.js";

/** How elements are styled: by classes and a style sheet, or inline as mail programs need it. */
export interface Look {
  /** @param ownClasses the classes that an emitter sets */
  of(component: Component, ownClasses: readonly string[]): ElementLook;
  /** All declarations of a component's class and style. */
  declared(component: Component): Declarations;
  /** Styles the elements of rendered Markdown, where no style sheet does. */
  markdown?(html: string): string;
}

interface ElementLook {
  classes: readonly string[];
  /** Overridden by properties of the component, such as a width. */
  base: Declarations;
  /** Overrides `base` and properties; overridden by the component's `style`. */
  named: Declarations;
}

export function pageLook(styles: NamedStyles): Look {
  return {
    of: (component, ownClasses) => ({
      classes: [...ownClasses, ...styles.classes(component.class)],
      base: {},
      named: styles.inPlace(component.class),
    }),
    declared: (component) => styles.declared(component),
  };
}

/** CSS declarations by property; values may be Templates. */
export type Declarations = Readonly<Record<string, string>>;

/** The `styles` of a definition. Those without expressions become CSS classes, the others are written inline. */
export class NamedStyles {
  readonly #styles: ReadonlyMap<string, Style>;

  constructor(styles: Record<string, Style> = {}) {
    this.#styles = new Map(Object.entries(styles));
  }

  /** The CSS classes for a component's `class`. */
  classes(list: string | undefined): string[] {
    return classNames(list)
      .filter((name) => this.#isConstant(name))
      .map(cssClass);
  }

  /** The declarations to write inline, before the component's own. */
  inPlace(list: string | undefined): Declarations {
    const names = classNames(list).filter((name) => !this.#isConstant(name));
    return mergeStyles(names.map((name) => this.#styles.get(name)));
  }

  /** All declarations of a component's `class`, in the order of `styles`, as in CSS. */
  declarations(list: string | undefined): Declarations {
    const names = classNames(list);
    const used = [...this.#styles].filter(([name]) => names.includes(name));
    return mergeStyles(used.map(([, style]) => style));
  }

  /** Those of its class and its style. */
  declared({ class: list, style }: Component): Declarations {
    return { ...this.declarations(list), ...style };
  }

  /** The rules of styles without expressions, for a style sheet. */
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

/** The prefix avoids conflicts with classes of the page style. */
function cssClass(name: string): string {
  return `c-${name}`;
}

function formatDeclarations(style: Style): string {
  return Object.entries(style)
    .map(([property, value]) => `${property}:${value}`)
    .join(";");
}
