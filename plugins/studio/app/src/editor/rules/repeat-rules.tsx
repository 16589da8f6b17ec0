import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { RepeatFacts } from "../../../../../../core/plugin-api/app-drafts.js";
import type {
  Collection,
  Component,
  Logic,
  SortRule,
  ValueType,
  GroupBy,
} from "../../../../../../core/plugin-api/definition.js";
import { AskFirst } from "../../ui/ask-first.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { NumberField } from "../inspector/controls/number-field.js";
import { Row } from "../inspector/controls/row.js";
import { SwitchField } from "../inspector/controls/switch-field.js";
import { useEditor } from "../model/editor.js";
import { pathOptions, type PathOption } from "../scope/path-options.js";
import { asWords, keysOf } from "../scope/path-text.js";
import { PathChoice } from "../text/path-choice.js";
import { LogicEditor, elementFields } from "./logic-editor.js";
import { kindOfOption, orderedAs, moved, orderWords } from "./logic.js";
import {
  nameUses,
  repeatNoMore,
  repeatOver,
  changeRepeat,
  standIn,
} from "./collection-edits.js";

interface RepeatRulesProps {
  id: string;
  component: Component;
}

/** For which list a component repeats, and what becomes of the list before. */
export function RepeatRules({ id, component }: RepeatRulesProps) {
  const { facts } = useEditor();
  const { collection } = component;
  const counted = facts.value?.repeats[id];
  const rest = { id, collection, facts: counted };
  return (
    <>
      <ListChoice id={id} component={component} />
      {hasCollection(rest) && (
        <>
          <p class="rule-fact" role="status">
            {counted
              ? countWords(rest.collection, counted)
              : "The sample has no such list to count."}
          </p>
          <FilterRules {...rest} />
          <OrderRules {...rest} />
          <GroupRule {...rest} />
          <SliceRule {...rest} />
          <EmptyRule {...rest} component={component} />
        </>
      )}
    </>
  );
}

function hasCollection<T extends { collection: Collection | undefined }>(
  rest: T,
): rest is T & { collection: Collection } {
  return rest.collection !== undefined;
}

interface ListChoiceProps {
  id: string;
  component: Component;
}

/** For which list a part repeats; taking it away asks first where something inside reads it. */
function ListChoice({ id, component }: ListChoiceProps) {
  const editor = useEditor();
  const [uses, setUses] = useState(0);
  const { collection } = component;
  const choose = (path: string) => {
    const { schema } = editor.definition.peek();
    const found = path === "" ? nameUses(component, schema) : 0;
    if (path !== "") repeatOver(editor, id, path);
    else if (found > 0) setUses(found);
    else repeatNoMore(editor, id);
  };
  return (
    <>
      <ListField id={id} path={collection?.path} onChoose={choose} />
      {collection && (
        <div class="prop-row">
          <span class="prop-label">Called</span>
          <span class="rule-name" title="Its name stays, as long as it repeats">
            {collection.collectionId}
          </span>
        </div>
      )}
      {uses > 0 && collection && (
        <AskToStop
          name={collection.collectionId}
          uses={uses}
          onStop={() => repeatNoMore(editor, id)}
          onClose={() => setUses(0)}
        />
      )}
    </>
  );
}

interface ListFieldProps {
  id: string;
  path: string | undefined;
  onChoose: (path: string) => void;
}

function ListField({ id, path, onChoose }: ListFieldProps) {
  const field = useId();
  const lists = pathOptions(useEditor(), id, "collection").filter(
    ({ kind }) => kind === "list",
  );
  if (lists.length === 0 && path === undefined)
    return (
      <p class="prop-hint">
        There is no list to repeat for. Add one in the Data tab.
      </p>
    );
  return (
    <Row id={field} label="For each">
      <PathChoice
        id={field}
        value={path ?? ""}
        options={lists}
        none="Does not repeat"
        onChange={onChoose}
      />
    </Row>
  );
}

interface AskToStopProps {
  name: string;
  uses: number;
  onStop: () => void;
  onClose: () => void;
}

function AskToStop({ name, uses, onStop, onClose }: AskToStopProps) {
  const places =
    uses === 1 ? "One place inside shows" : `${uses} places inside show`;
  return (
    <AskFirst
      title="Stop repeating?"
      act="Stop repeating"
      keep="Keep repeating"
      onAct={async () => {
        onStop();
        await Promise.resolve();
      }}
      onClose={onClose}
    >
      <p>
        {places} the fields of “{name}”. They will have nothing to show then,
        until you change them.
      </p>
    </AskFirst>
  );
}

interface RepeatPartProps {
  id: string;
  collection: Collection;
  facts: RepeatFacts | undefined;
}

const noRules: Logic = { combinator: "and", rules: [] };

/** Which elements of the list count. */
function FilterRules({ id, collection, facts }: RepeatPartProps) {
  const editor = useEditor();
  const { filter } = collection;
  const set = (logic: Logic, thread: string | null) =>
    changeRepeat(
      editor,
      id,
      "Change which of the list count",
      { filter: logic.rules.length > 0 ? logic : undefined },
      thread,
    );
  const fact = filter && facts && passWords(collection, facts);
  return (
    <RulePart title="Only those which" fact={fact}>
      <LogicEditor
        logic={filter ?? noRules}
        owner={id}
        where="filter"
        onChange={set}
      />
    </RulePart>
  );
}

/** In which order the elements come; earlier rules win. */
function OrderRules({ id, collection }: RepeatPartProps) {
  const editor = useEditor();
  const fields = elementFields(editor, id);
  const { sort = [] } = collection;
  const set = (next: SortRule[]) =>
    changeRepeat(editor, id, "Change the order", {
      sort: next.length > 0 ? next : undefined,
    });
  const free = fields.find(({ path }) =>
    sort.every((one) => one.field !== path),
  );
  const first = free ?? fields[0];
  return (
    <RulePart title="Order">
      <SortLines
        rules={sort}
        make={first && (() => sortBy(fields, first.path, "ASC"))}
        onChange={set}
        draw={(rule, index, change) => (
          <>
            <PathChoice
              label={index === 0 ? "Order by" : "Then by"}
              value={rule.field}
              options={fields}
              onChange={(field) =>
                change(sortBy(fields, field, rule.direction))
              }
            />
            <DirectionSelect
              label={index === 0 ? "Direction" : `Direction ${index + 1}`}
              type={rule.type}
              direction={rule.direction}
              onChange={(direction) => change({ ...rule, direction })}
            />
          </>
        )}
      />
    </RulePart>
  );
}

function sortBy(
  fields: readonly PathOption[],
  field: string,
  direction: SortRule["direction"],
): SortRule {
  return { field, direction, type: typeOf(fields, field) };
}

/** As what a field is put in order. */
function typeOf(fields: readonly PathOption[], field: string): ValueType {
  return orderedAs(kindOfOption(fields.find(({ path }) => path === field)));
}

interface SortLinesProps {
  rules: readonly SortRule[];
  /** Undefined where there is nothing to order by. */
  make: (() => SortRule) | undefined;
  draw: (
    rule: SortRule,
    index: number,
    change: (rule: SortRule) => void,
  ) => ComponentChildren;
  onChange: (rules: SortRule[]) => void;
}

/** Rules of which the earlier wins. */
function SortLines({ rules, make, draw, onChange }: SortLinesProps) {
  const change = (index: number) => (rule: SortRule) =>
    onChange(rules.with(index, rule));
  return (
    <>
      {rules.map((rule, index) => (
        <div class="rule-sort" key={index}>
          {draw(rule, index, change(index))}
          <span class="rule-sort-ends">
            {index > 0 && (
              <Button
                kind="quiet"
                isIcon
                label={`Move order ${index + 1} up`}
                onPress={() => onChange(moved(rules, index, -1))}
              >
                <Icon name="up" size={14} />
              </Button>
            )}
            <Button
              kind="quiet"
              isIcon
              label={`Take order ${index + 1} away`}
              onPress={() => onChange(rules.filter((_one, at) => at !== index))}
            >
              <Icon name="close" size={14} />
            </Button>
          </span>
        </div>
      ))}
      {make && (
        <AddSort
          words={rules.length === 0 ? "Put in order" : "Then by"}
          onPress={() => onChange([...rules, make()])}
        />
      )}
    </>
  );
}

function AddSort({ words, onPress }: { words: string; onPress: () => void }) {
  return (
    <div class="rule-adds">
      <Button kind="quiet" onPress={onPress}>
        <Icon name="plus" size={14} />
        {words}
      </Button>
    </div>
  );
}

/** By which field the elements are put together; then it repeats for each group. */
function GroupRule({ id, collection, facts }: RepeatPartProps) {
  const editor = useEditor();
  const fields = elementFields(editor, id);
  const { groupBy } = collection;
  const set = (next: GroupBy | undefined) =>
    changeRepeat(editor, id, "Change the groups", { groupBy: next });
  const choose = (field: string) => {
    const { direction } = groupBy ?? {};
    const type = typeOf(fields, field);
    if (field === "") set(undefined);
    else set({ field, type, ...(direction && { direction }) });
  };
  return (
    <RulePart title="Group by" fact={groupBy && groupWords(facts?.groups)}>
      <PathChoice
        label="Group by"
        value={groupBy?.field ?? ""}
        options={fields}
        none="No groups"
        onChange={choose}
      />
      {groupBy && (
        <DirectionSelect
          label="Order of the groups"
          type={groupBy.type ?? typeOf(fields, groupBy.field)}
          direction={groupBy.direction}
          none="As they come"
          onChange={(direction) => set({ ...groupBy, direction })}
          onNone={() => {
            const { direction: _old, ...rest } = groupBy;
            set(rest);
          }}
        />
      )}
    </RulePart>
  );
}

function groupWords(groups: number | null | undefined): string | undefined {
  if (groups === null || groups === undefined) return undefined;
  const made = groups === 1 ? "Makes 1 group" : `Makes ${groups} groups`;
  return `${made}. For what is in each, repeat something inside for its items.`;
}

type Direction = SortRule["direction"];

interface DirectionSelectProps {
  label: string;
  type: ValueType;
  direction: Direction | undefined;
  /** What no direction means; makes it a choice. */
  none?: string;
  onChange: (direction: Direction) => void;
  onNone?: () => void;
}

/** Which end comes first, in words of what is put in order. */
function DirectionSelect({
  label,
  type,
  direction,
  none,
  onChange,
  onNone,
}: DirectionSelectProps) {
  const words = orderWords(type);
  const choose = (value: string) => {
    if (value === "ASC" || value === "DESC") onChange(value);
    else onNone?.();
  };
  return (
    <select
      class="input small"
      aria-label={label}
      value={direction ?? ""}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {none !== undefined && <option value="">{none}</option>}
      <option value="ASC">{words.ASC}</option>
      <option value="DESC">{words.DESC}</option>
    </select>
  );
}

/** How many are left out at the start, and how many are shown at most. */
function SliceRule({ id, collection }: RepeatPartProps) {
  const editor = useEditor();
  const set = (property: "offset" | "limit") => (value: number | undefined) =>
    changeRepeat(
      editor,
      id,
      "Change how many are shown",
      { [property]: value },
      `${property}:${id}`,
    );
  return (
    <RulePart title="How many">
      <NumberField
        label="Skip first"
        value={collection.offset}
        min={0}
        placeholder="None"
        onChange={set("offset")}
      />
      <NumberField
        label="At most"
        value={collection.limit}
        min={0}
        placeholder="All"
        onChange={set("limit")}
      />
    </RulePart>
  );
}

/** What is shown where the list has nothing to show. */
function EmptyRule({
  id,
  collection,
  component,
}: RepeatPartProps & { component: Component }) {
  const editor = useEditor();
  const toggle = (isThere: boolean) => {
    const name = isThere ? "Show something for none" : "Show nothing for none";
    const first = standIn(editor, component, "There are none.");
    changeRepeat(editor, id, name, { empty: isThere ? [first] : undefined });
  };
  return (
    <RulePart title="When there are none">
      <SwitchField
        label="Show a text"
        value={collection.empty !== undefined}
        {...(collection.empty && { hint: "It stands below on the page." })}
        onChange={toggle}
      />
    </RulePart>
  );
}

interface RulePartProps {
  title: string;
  /** What it makes of the sample. */
  fact?: string | undefined;
  children: ComponentChildren;
}

/** One of several things that are said of a list. */
function RulePart({ title, fact, children }: RulePartProps) {
  const id = useId();
  return (
    <section class="rule-part" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
      {fact !== undefined && (
        <p class="rule-fact" role="status">
          {fact}
        </p>
      )}
    </section>
  );
}

/** What one of the list, and several, are called within a sentence. */
function nounOf({ path, collectionId }: Collection, count: number): string {
  const many = keysOf(path)?.at(-1) ?? collectionId;
  return asWords(count === 1 ? collectionId : many).toLowerCase();
}

/** "5 of 12 lines pass". */
function passWords(collection: Collection, facts: RepeatFacts): string {
  const { passing, total } = facts;
  const verb = passing === 1 ? "passes" : "pass";
  return `${passing} of ${total} ${nounOf(collection, total)} ${verb}`;
}

/** "12 lines", "3 groups", "Shows 3 of 12". */
function countWords(collection: Collection, facts: RepeatFacts): string {
  const { offset = 0, limit } = collection;
  const count = facts.groups ?? facts.passing;
  const left = Math.max(0, count - offset);
  const shown = limit === undefined ? left : Math.min(left, limit);
  const noun =
    facts.groups === null
      ? nounOf(collection, count)
      : count === 1
        ? "group"
        : "groups";
  return shown === count
    ? `${count} ${noun} in the sample`
    : `Shows ${shown} of ${count} ${noun}`;
}
