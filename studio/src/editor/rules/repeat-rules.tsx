import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { RepeatAnalysis } from "../../../../core/compiler/views.js";
import type {
  Collection,
  Component,
  Logic,
  SortRule,
  ValueType,
  GroupBy,
} from "../../../../core/plugin-api/definition.js";
import { ConfirmDialog } from "../../ui/dialog.js";
import { AddButton, IconButton } from "../../ui/icon-button.js";
import { Select } from "../../ui/select.js";
import { NumberField, Row, SwitchField } from "../inspector/fields.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { listPathOptions, type PathOption } from "../scope/path-options.js";
import { asWords, keysOf } from "../scope/path-text.js";
import { PathSelect } from "../text/path-choice.js";
import { LogicEditor, listElementFields } from "./logic-editor.js";
import {
  getValueKind,
  getSortType,
  moveItem,
  listOrders,
  readOrder,
  writeOrder,
} from "./logic.js";
import {
  countNameUses,
  stopRepeating,
  repeatForEach,
  changeRepeat,
  createAlternative,
  groupList,
} from "./collection-edits.js";
import { t } from "../../messages/index.js";

interface RepeatRulesProps {
  id: string;
  component: Component;
}

export function RepeatRules({ id, component }: RepeatRulesProps) {
  const facts = useEditor().facts.value?.repeats[id];
  const { collection } = component;
  const part = collection && { id, collection, facts };
  return (
    <>
      <ListChoice id={id} component={component} />
      {part && (
        <>
          <p class="rule-fact" role="status">
            {facts
              ? describeCount(part.collection, facts)
              : t("rules.listNotInSample")}
          </p>
          <FilterRules {...part} />
          <OrderRules {...part} />
          <GroupRule {...part} component={component} />
          <SliceRule {...part} />
          <EmptyRule {...part} component={component} />
        </>
      )}
    </>
  );
}

/** Removing the list asks first when something inside uses its items. */
function ListChoice({ id, component }: RepeatRulesProps) {
  const editor = useEditor();
  const [uses, setUses] = useState(0);
  const { collection } = component;
  const choose = (path: string, isObject: boolean) => {
    const { schema } = editor.definition.peek();
    const nameUses = path === "" ? countNameUses(component, schema) : 0;
    if (path !== "") repeatForEach(editor, id, path, isObject);
    else if (nameUses > 0) setUses(nameUses);
    else stopRepeating(editor, id);
  };
  return (
    <>
      <ListField id={id} collection={collection} onChoose={choose} />
      {collection && (
        <div class="prop-row">
          <span class="prop-label">{t("rules.itemName")}</span>
          <span class="rule-name" title={t("rules.nameIsFixed")}>
            {collection.collectionId}
          </span>
        </div>
      )}
      {uses > 0 && collection && (
        <ConfirmDialog
          title={t("rules.stopRepeatingQuestion")}
          act={t("rules.stopRepeating")}
          keep={t("rules.keepRepeating")}
          onAct={() => stopRepeating(editor, id)}
          onClose={() => setUses(0)}
        >
          <p>
            {t("rules.placesInside", {
              count: uses,
              name: collection.collectionId,
            })}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface ListFieldProps {
  id: string;
  collection: Collection | undefined;
  onChoose: (path: string, isObject: boolean) => void;
}

function ListField({ id, collection, onChoose }: ListFieldProps) {
  const field = useId();
  const editor = useEditor();
  const lists = listPathOptions(editor, id, "collection").flatMap((option) => {
    const { kind, path, label } = option;
    if (kind === "list") return option;
    const isChosen = path === collection?.path;
    return isObjectOfKeys(editor, option) && (!isChosen || collection.entries)
      ? { ...option, label: t("rules.keysOfObject", { label }) }
      : [];
  });
  if (lists.length === 0 && collection === undefined)
    return <p class="prop-hint">{t("rules.noListsYet")}</p>;
  return (
    <Row id={field} label={t("rules.forEach")}>
      <PathSelect
        id={field}
        value={collection?.path ?? ""}
        options={lists}
        none={t("rules.doesNotRepeat")}
        onChange={(path) =>
          onChoose(
            path,
            lists.some(
              (option) => option.path === path && option.kind === "record",
            ),
          )
        }
      />
    </Row>
  );
}

/** Whether the schema does not declare the keys of an object. */
function isObjectOfKeys(
  { scopes }: Editor,
  { kind, target }: PathOption,
): boolean {
  const record = scopes.value.schema.find(({ id }) => id === target);
  return kind === "record" && !record?.fields.length;
}

interface RepeatPartProps {
  id: string;
  collection: Collection;
  facts: RepeatAnalysis | undefined;
}

const noRules: Logic = { combinator: "and", rules: [] };

function FilterRules({ id, collection, facts }: RepeatPartProps) {
  const editor = useEditor();
  const { filter } = collection;
  const set = (logic: Logic, thread: string | null) =>
    changeRepeat(
      editor,
      id,
      t("rules.changeFilter"),
      { filter: logic.rules.length > 0 ? logic : undefined },
      thread,
    );
  const fact = filter && (facts ? describePassing(collection, facts) : "");
  return (
    <RulePart title={t("rules.filter")} fact={fact}>
      <LogicEditor
        logic={filter ?? noRules}
        owner={id}
        where="filter"
        onChange={set}
      />
    </RulePart>
  );
}

/** Earlier rules take precedence. */
function OrderRules({ id, collection }: RepeatPartProps) {
  const editor = useEditor();
  const fields = listElementFields(editor, id);
  const { sort = [] } = collection;
  const set = (next: SortRule[]) =>
    changeRepeat(editor, id, t("rules.changeOrder"), {
      sort: next.length > 0 ? next : undefined,
    });
  const free = fields.find(({ path }) =>
    sort.every((rule) => rule.field !== path),
  );
  const first = free ?? fields[0];
  const change = (index: number, rule: SortRule) => set(sort.with(index, rule));
  return (
    <RulePart title={t("rules.order")}>
      {sort.map((rule, index) => (
        <div class="rule-sort" key={index}>
          <PathSelect
            label={index === 0 ? t("rules.orderBy") : t("rules.thenBy")}
            value={rule.field}
            options={fields}
            onChange={(field) => change(index, sortBy(fields, field, rule))}
          />
          <Select
            label={
              index === 0
                ? t("rules.direction")
                : t("rules.directionNumber", { number: index + 1 })
            }
            value={writeOrder(rule)}
            options={listOrders(rule.type)}
            onChange={(order = "ASC") => {
              const { natural: _old, ...rest } = rule;
              change(index, { ...rest, ...readOrder(order) });
            }}
          />
          <span class="rule-sort-ends">
            {index > 0 && (
              <IconButton
                icon="up"
                label={t("rules.moveSortRuleNumberUp", { number: index + 1 })}
                onPress={() => set(moveItem(sort, index, -1))}
              />
            )}
            <IconButton
              icon="close"
              label={t("rules.removeSortRuleNumber", { number: index + 1 })}
              onPress={() => set(sort.toSpliced(index, 1))}
            />
          </span>
        </div>
      ))}
      {first && (
        <div class="rule-adds">
          <AddButton
            words={sort.length === 0 ? t("rules.sort") : t("rules.thenBy")}
            onPress={() =>
              set([...sort, sortBy(fields, first.path, { direction: "ASC" })])
            }
          />
        </div>
      )}
    </RulePart>
  );
}

function sortBy(
  fields: readonly PathOption[],
  field: string,
  { direction, natural }: Pick<SortRule, "direction" | "natural">,
): SortRule {
  const type = typeOf(fields, field);
  return { field, direction, type, ...keepNatural(type, natural) };
}

/** Only texts have a natural order. */
function keepNatural(type: ValueType, natural: boolean | undefined) {
  return type === "String" && natural ? { natural } : {};
}

/** The type by which a field is sorted. */
function typeOf(fields: readonly PathOption[], field: string): ValueType {
  return getSortType(getValueKind(fields.find(({ path }) => path === field)));
}

/** The field that groups the list; the component then repeats for each group. */
function GroupRule({
  id,
  collection,
  facts,
  component,
}: RepeatPartProps & { component: Component }) {
  const editor = useEditor();
  const fields = listElementFields(editor, id);
  const { groupBy } = collection;
  const groups = facts?.groups;
  const set = (next: GroupBy | undefined) =>
    changeRepeat(editor, id, t("rules.changeGroups"), { groupBy: next });
  const choose = (field: string) => {
    const { direction, natural } = groupBy ?? {};
    const type = typeOf(fields, field);
    if (field === "") set(undefined);
    else
      groupList(editor, id, {
        field,
        type,
        ...(direction && { direction, ...keepNatural(type, natural) }),
      });
  };
  return (
    <RulePart
      title={t("rules.groupBy")}
      fact={
        groupBy && typeof groups === "number" && !listsItems(component)
          ? describeGroups(groups, collection, component)
          : undefined
      }
    >
      <PathSelect
        label={t("rules.groupBy")}
        value={groupBy?.field ?? ""}
        options={fields}
        none={t("rules.noGroups")}
        onChange={choose}
      />
      {groupBy && (
        <Select
          label={t("rules.orderOfGroups")}
          value={writeOrder(groupBy)}
          options={listOrders(groupBy.type ?? typeOf(fields, groupBy.field))}
          none={t("rules.originalOrder")}
          onChange={(order) => {
            const { direction: _old, natural: _natural, ...rest } = groupBy;
            set({ ...rest, ...(order && readOrder(order)) });
          }}
        />
      )}
    </RulePart>
  );
}

/** How many groups there are, and what is left to do to list their items. */
function describeGroups(
  count: number,
  { collectionId }: Collection,
  component: Component,
): string {
  const isEmpty = !("components" in component && component.components?.length);
  return isEmpty
    ? t("rules.groupsWithHint", { count })
    : t("rules.groupsToList", { count, list: `${collectionId}.items` });
}

/** Whether something inside repeats for the items of a group. */
function listsItems({
  collection: ownCollection,
  ...rest
}: Component): boolean {
  const paths = [`${ownCollection?.collectionId}.items`, "group.items"];
  const text = JSON.stringify(rest);
  return paths.some((path) => text.includes(JSON.stringify(path)));
}

/** How many items are skipped, and how many are shown at most. */
function SliceRule({ id, collection }: RepeatPartProps) {
  const editor = useEditor();
  const set = (property: "offset" | "limit") => (value: number | undefined) =>
    changeRepeat(
      editor,
      id,
      t("rules.changeHowManyAreShown"),
      { [property]: value },
      `${property}:${id}`,
    );
  return (
    <RulePart title={t("rules.match")}>
      <NumberField
        label={t("rules.skipFirst")}
        value={collection.offset}
        min={0}
        placeholder={t("common.none")}
        onChange={set("offset")}
      />
      <NumberField
        label={t("rules.atMost")}
        value={collection.limit}
        min={0}
        placeholder={t("common.all")}
        onChange={set("limit")}
      />
    </RulePart>
  );
}

function EmptyRule({
  id,
  collection,
  component,
}: RepeatPartProps & { component: Component }) {
  const editor = useEditor();
  const toggle = (isThere: boolean) => {
    const name = isThere
      ? t("rules.addTextForEmptyList")
      : t("rules.removeTextForEmptyList");
    const first = createAlternative(
      editor,
      component,
      t("rules.emptyListText"),
    );
    changeRepeat(editor, id, name, { empty: isThere ? [first] : undefined });
  };
  return (
    <RulePart title={t("canvas.emptyList")}>
      <SwitchField
        label={t("rules.showText")}
        value={collection.empty !== undefined}
        {...(collection.empty && { hint: t("rules.editEmptyTextHelp") })}
        onChange={toggle}
      />
    </RulePart>
  );
}

interface RulePartProps {
  title: string;
  /** Its effect on the sample data; empty, in its place, until that is known. */
  fact?: string | undefined;
  children: ComponentChildren;
}

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

/** The noun for one or several items of the list. */
function getItemNoun(
  { path, collectionId }: Collection,
  count: number,
): string {
  const many = keysOf(path)?.at(-1) ?? collectionId;
  return asWords(count === 1 ? collectionId : many).toLowerCase();
}

/** "5 of 12 lines pass". */
function describePassing(
  collection: Collection,
  facts: RepeatAnalysis,
): string {
  const { passing, total } = facts;
  return t("rules.passing", {
    count: passing,
    total,
    items: getItemNoun(collection, total),
  });
}

/** "12 lines", "3 groups", "Shows 3 of 12". */
function describeCount(collection: Collection, facts: RepeatAnalysis): string {
  const { offset = 0, limit } = collection;
  const count = facts.groups ?? facts.passing;
  const left = Math.max(0, count - offset);
  const shownCount = limit === undefined ? left : Math.min(left, limit);
  if (facts.groups !== null)
    return shownCount === count
      ? t("rules.groupsInSample", { count })
      : t("rules.showsSomeGroups", { visible: shownCount, count });
  const items = getItemNoun(collection, count);
  return shownCount === count
    ? t("rules.countInSample", { count, items })
    : t("rules.showsSome", { visible: shownCount, count, items });
}
