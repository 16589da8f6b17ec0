import type { IconName } from "../../ui/icon-paths.js";

export type Choice = readonly [value: string, words: string];

/** How a property is edited; a panel has its own fields for `custom` properties. */
export type Control<Property extends string = string> = {
  property: Property;
  label: string;
  hint?: string;
  placeholder?: string;
  /** Kept when empty; other properties are removed. */
  isRequired?: true;
} & (
  | { kind: "text" | "template" | "long-template" | "rich-text" | "code" }
  | { kind: "image" | "color" | "switch" | "custom" }
  /** `unit` is that of a number that is typed without one. */
  | { kind: "size"; isRelative?: boolean; unit?: string }
  | { kind: "number"; min: number; max?: number }
  | {
      kind: "icons";
      options: readonly (readonly [...choice: Choice, icon: IconName])[];
    }
  | {
      kind: "select";
      none?: string;
      /** The value of a property that is not set. */
      initial?: string;
      /** The type of the value, if it is not a string. */
      writes?: "number" | "boolean";
      options: readonly Choice[];
    }
);
