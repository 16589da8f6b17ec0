import type { Logic } from "../../../../../../core/plugin-api/definition.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { type LogicDesk, numberOf } from "./logic-desk.js";
import {
  addPart,
  changePart,
  isGroup,
  type LogicPath,
  type Quantity,
  quantityOf,
  withQuantity,
} from "./logic-steps.js";
import { PartMenu } from "./part-menu.js";
import { RuleLine } from "./rule-line.js";
import { newRule } from "./rule-steps.js";

const quantities: readonly (readonly [Quantity, string])[] = [
  ["all", "All of these hold"],
  ["any", "Any of these holds"],
  ["none", "None of these holds"],
  ["notAll", "Not all of these hold"],
];

interface LogicGroupProps {
  desk: LogicDesk;
  group: Logic;
  /** Empty for the outermost. */
  path: LogicPath;
}

/** Rules that are taken together, and groups of them. */
export function LogicGroup({ desk, group, path }: LogicGroupProps) {
  const number = numberOf(path);
  const isInner = path.length > 0;
  return (
    <div
      class="logic"
      role="group"
      aria-label={isInner ? `Group ${number}` : "Rules"}
    >
      {(isInner || group.rules.length > 1 || group.not) && (
        <div class="rule-head">
          <QuantityChoice desk={desk} group={group} path={path} />
          {isInner && <PartMenu desk={desk} path={path} noun="group" />}
        </div>
      )}
      {group.rules.map((part, index) => {
        const at = [...path, index];
        return isGroup(part) ? (
          <LogicGroup desk={desk} group={part} path={at} key={index} />
        ) : (
          <RuleLine desk={desk} rule={part} path={at} key={index} />
        );
      })}
      <AddButtons desk={desk} path={path} />
    </div>
  );
}

function QuantityChoice({ desk, group, path }: LogicGroupProps) {
  const { logic, onChange } = desk;
  const choose = (value: string) => {
    const found = quantities.find(([one]) => one === value);
    if (!found) return;
    const changed = withQuantity(group, found[0]);
    const whole = path.length > 0 ? changePart(logic, path, changed) : changed;
    onChange(whole, null);
  };
  return (
    <select
      class="input small"
      aria-label={path.length > 0 ? "How many of the group" : "How many"}
      value={quantityOf(group)}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {quantities.map(([value, words]) => (
        <option value={value} key={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

function AddButtons({ desk, path }: Omit<LogicGroupProps, "group">) {
  const { logic, options, onChange } = desk;
  const field = options.find(({ kind }) => kind !== "record")?.path ?? "";
  const rule = newRule(field);
  const group: Logic = { combinator: "or", rules: [rule] };
  const inner = path.length > 0 ? ` to group ${numberOf(path)}` : "";
  if (field === "")
    return (
      <p class="prop-hint">
        No field is known here. Add fields in the Data tab first.
      </p>
    );
  return (
    <div class="rule-adds">
      <Button
        kind="quiet"
        label={`Add a rule${inner}`}
        onPress={() => onChange(addPart(logic, path, rule), null)}
      >
        <Icon name="plus" size={14} />
        Rule
      </Button>
      <Button
        kind="quiet"
        label={`Add a group${inner}`}
        onPress={() => onChange(addPart(logic, path, group), null)}
      >
        <Icon name="plus" size={14} />
        Group
      </Button>
    </div>
  );
}
