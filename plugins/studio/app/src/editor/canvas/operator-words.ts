import type { Operator } from "../../../../../../core/plugin-api/definition.js";

/** As in "total is more than 100". */
export const operatorWords: Readonly<Record<Operator, string>> = {
  "=": "is",
  "!=": "is not",
  "<": "is less than",
  "<=": "is at most",
  ">": "is more than",
  ">=": "is at least",
  contains: "contains",
  doesNotContain: "does not contain",
  beginsWith: "begins with",
  doesNotBeginWith: "does not begin with",
  endsWith: "ends with",
  doesNotEndWith: "does not end with",
  in: "is one of",
  notIn: "is none of",
  between: "is between",
  notBetween: "is not between",
  null: "is missing",
  notNull: "is there",
  empty: "is empty",
  notEmpty: "is not empty",
};
