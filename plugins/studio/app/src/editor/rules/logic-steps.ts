import type {
  Logic,
  Rule,
} from "../../../../../../core/plugin-api/definition.js";

// What a person does to rules that stand in groups.

export type LogicPart = Rule | Logic;
/** Which rule of which group: places from the outermost in. */
export type LogicPath = readonly number[];

export type Quantity = "all" | "any" | "none" | "notAll";

export function quantityOf({ combinator, not }: Logic): Quantity {
  if (combinator === "and") return not ? "notAll" : "all";
  return not ? "none" : "any";
}

export function withQuantity(logic: Logic, quantity: Quantity): Logic {
  const { not: _old, ...rest } = logic;
  const isAnd = quantity === "all" || quantity === "notAll";
  const isNot = quantity === "none" || quantity === "notAll";
  const combinator = isAnd ? "and" : "or";
  return { ...rest, combinator, ...(isNot && { not: true }) };
}

export function isGroup(part: LogicPart): part is Logic {
  return "rules" in part;
}

/** Puts another part in place of one; null takes it away, and with it a group that it leaves empty. */
export function changePart(
  logic: Logic,
  path: LogicPath,
  part: LogicPart | null,
): Logic {
  const [index = 0, ...deeper] = path;
  const rules = logic.rules.flatMap((one, at) => {
    if (at !== index) return [one];
    if (deeper.length === 0) return part ? [part] : [];
    if (!isGroup(one)) return [one];
    const changed = changePart(one, deeper, part);
    return part === null && changed.rules.length === 0 ? [] : [changed];
  });
  return { ...logic, rules };
}

/** Adds a part to the end of the group at a path. */
export function addPart(logic: Logic, path: LogicPath, part: LogicPart): Logic {
  const [index, ...deeper] = path;
  if (index === undefined) return { ...logic, rules: [...logic.rules, part] };
  const rules = logic.rules.map((one, at) =>
    at === index && isGroup(one) ? addPart(one, deeper, part) : one,
  );
  return { ...logic, rules };
}

/** Moves a part by one place in its group; at the group's end it stays. */
export function movePart(logic: Logic, path: LogicPath, by: 1 | -1): Logic {
  const [index = 0, ...deeper] = path;
  const rules =
    deeper.length === 0
      ? moved(logic.rules, index, by)
      : logic.rules.map((one, at) =>
          at === index && isGroup(one) ? movePart(one, deeper, by) : one,
        );
  return { ...logic, rules };
}

/** A list in which one has changed places with its neighbour. */
export function moved<T>(list: readonly T[], index: number, by: 1 | -1): T[] {
  const to = index + by;
  if (to < 0 || to >= list.length) return [...list];
  const rest = list.filter((_one, at) => at !== index);
  const one = list.slice(index, index + 1);
  return [...rest.slice(0, to), ...one, ...rest.slice(to)];
}
