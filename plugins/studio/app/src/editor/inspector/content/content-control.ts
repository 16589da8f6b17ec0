/** What is written, and what people read. */
export type Choice = readonly [value: string, words: string];

/** How a property of a component is changed; `custom` has a panel of its own. */
export type ContentControl = {
  property: string;
  label: string;
  hint?: string;
  /** It stays, empty; what is not required is taken away when it is emptied. */
  isRequired?: true;
} & (
  | { kind: "text" | "template" | "long-template" | "rich-text" }
  | { kind: "picture" | "color" | "custom" }
  /** `isOn`: so it is while nothing is said. */
  | { kind: "switch"; isOn?: boolean }
  | { kind: "size"; placeholder?: string; isRelative?: boolean }
  | { kind: "number"; min: number; max: number; placeholder?: string }
  | {
      kind: "select";
      none?: string;
      /** What holds while nothing is said. */
      usual?: string;
      /** What is written in the definition, where that is no text. */
      writes?: "number" | "boolean";
      options: readonly Choice[];
    }
);

export type ContentControls<Type extends string> = Readonly<
  Record<Type, readonly ContentControl[]>
>;
