import { concatenate } from "../value/concatenate.js";
import { isList } from "../value/own-data.js";
import { isEmpty, toText } from "../value/text.js";
import type { FunctionDefinition } from "./function-definition.js";

const ANY_NUMBER = 50;

export const textFunctions: Record<string, FunctionDefinition> = {
  /** Characters of a text, elements of a list; nothing has none. */
  LEN: {
    usage: "LEN(text or list)",
    least: 1,
    most: 1,
    takesLists: true,
    call: ([value]) =>
      isList(value) ? value.length : Array.from(toText(value)).length,
  },
  CONCAT: {
    usage: "CONCAT(value, value, …)",
    least: 1,
    most: ANY_NUMBER,
    call: (args, _context, where) => concatenate(args, where),
  },
  /** The elements that print as something, with the separator between them. */
  JOIN: {
    usage: 'JOIN(list, ", ")',
    least: 1,
    most: 2,
    takesLists: true,
    call: ([value, separator = ", "], context, where) => {
      const list = isList(value) ? value : [value];
      context.spend(list.length);
      const printed = list.filter((element) => toText(element) !== "");
      return concatenate(printed, where, toText(separator));
    },
  },
  /** The first value that is not empty. */
  COALESCE: {
    usage: "COALESCE(value, value, …)",
    least: 1,
    most: ANY_NUMBER,
    expectsMissing: true,
    call: (args) => args.find((value) => !isEmpty(value)) ?? null,
  },
};
