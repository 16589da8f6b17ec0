import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useMemo } from "preact/hooks";
import type { Field } from "../../../../../../core/plugin-api/definition.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { addField, getNumberStyle, getRoot } from "../fields/schema-edits.js";
import type { Editor } from "../model/editor.js";
import {
  type PathKind,
  type PathOption,
  getScopeAt,
  listFields,
  listPathOptions,
} from "../scope/path-options.js";
import { appendToPath } from "../scope/path-text.js";
import {
  type Aggregate,
  type ChipFilter,
  createDateBase,
  createFieldText,
  type FieldStyle,
  serializeChip,
  TODAY,
} from "./chip.js";
import { type Anchor, Overlay } from "./overlay.js";
import type { TextSurface } from "./text-surface.js";
import { t } from "../../messages/index.js";

interface Step {
  title: string;
  items: readonly MenuItem[];
}

/** The fields and functions that can be inserted, in a list at the caret. The focus stays in the text. */
export function FieldMenu({ surface }: { surface: TextSurface }) {
  const { from = 0, query = "" } = surface.trigger.open.value ?? {};
  const id = useId();
  const { title, items, at, choose, hasFields } = useChoice(surface, id, query);
  // A slash that is part of a sentence.
  const isProse = items.length === 0 && /\s/.test(query);
  if (isProse) return null;
  const hint =
    items.length === 0
      ? t("text.noMatches")
      : hasFields || query !== ""
        ? null
        : t("text.typeNameOfField");
  return (
    <Overlay
      anchor={getCaretAnchor(surface, from)}
      placement="bottom-start"
      class="path-menu"
      role="presentation"
      keepsFocus
    >
      {title !== "" && <p class="path-menu-title">{title}</p>}
      <div
        role="listbox"
        id={id}
        aria-label={t("text.yourData")}
        class="path-menu-list"
      >
        {groupItems(items).map(([group, members]) => (
          <MenuGroup key={`${group} ${members[0]?.at}`} name={group}>
            {members.map(({ item, at: index }) => (
              <MenuOption
                key={item.id}
                id={`${id}-${index}`}
                item={item}
                isActive={index === at}
                onChoose={() => choose(item)}
              />
            ))}
          </MenuGroup>
        ))}
      </div>
      {hint !== null && <p class="path-menu-none">{hint}</p>}
    </Overlay>
  );
}

/** The items that match the query, the active one, and the function that chooses one. */
function useChoice(surface: TextSurface, id: string, query: string) {
  const { editor, owner, isPlain } = surface.options;
  const first = useMemo(
    (): Step => ({ title: "", items: getMenuItems(editor, owner, isPlain) }),
    [editor, owner, isPlain],
  );
  const step = useSignal(first);
  const active = useSignal(0);
  const { title } = step.value;
  const found = filterItems(step.value.items, query);
  const isFirst = step.value === first;
  const items =
    isFirst && found.length === 0 ? createNewFieldItems(query) : found;
  const hasFields = first.items.some(
    ({ group }) => group !== CALCULATION_BASE.group,
  );
  const at = Math.min(active.value, Math.max(0, items.length - 1));
  const choose = (item: MenuItem | undefined) => {
    if (!item) return;
    active.value = 0;
    step.value = chooseItem(surface, item) ?? step.value;
  };
  useLayoutEffect(() => {
    active.value = 0;
  }, [query]);
  useLayoutEffect(() => {
    surface.trigger.onKey = ({ key }) => {
      if (items.length === 0) return false;
      const to = getNextIndex(key, at, items.length);
      if (to !== null) active.value = to;
      else if (key === "Enter" || key === "Tab") choose(items[at]);
      else return false;
      return true;
    };
    setAriaState(surface, id, items.length > 0 ? `${id}-${at}` : null);
    const line = document.getElementById(`${id}-${at}`);
    line?.scrollIntoView({ block: "nearest" });
  });
  useLayoutEffect(() => () => setAriaState(surface, null, null), []);
  return { title, items, at, choose, hasFields };
}

function getCaretAnchor({ view }: TextSurface, position: number): Anchor {
  return {
    element: view.dom,
    rect: () => {
      const { size } = view.state.doc.content;
      const { left, top, bottom } = view.coordsAtPos(Math.min(position, size));
      return new DOMRect(left, top, 1, bottom - top);
    },
  };
}

function MenuGroup({
  name,
  children,
}: {
  name: string;
  children: ComponentChildren;
}) {
  return (
    <div role="group" aria-label={name}>
      <div class="path-menu-heading" aria-hidden="true">
        {name}
      </div>
      {children}
    </div>
  );
}

function getNextIndex(key: string, at: number, count: number): number | null {
  if (key === "ArrowDown") return (at + 1) % count;
  return key === "ArrowUp" ? (at + count - 1) % count : null;
}

/** Runs the action of an item; returns the next step, if the item has one. */
function chooseItem(surface: TextSurface, { action }: MenuItem): Step | null {
  if (action.kind === "step") {
    surface.clearQuery();
    return { title: action.title, items: action.items() };
  }
  const open = surface.trigger.open.peek();
  if (!open) return null;
  surface.trigger.close();
  if (action.kind === "field") {
    const path = addFieldInScope(surface, action.label);
    if (path !== null) {
      const source = createFieldText(path, { filters: [] });
      surface.insertLeaf("chip", source, open.from, open.to);
    }
    return null;
  }
  surface.insertLeaf(action.kind, action.source, open.from, open.to);
  if (action.kind === "chip" && action.opensSettings)
    surface.openChip.value = open.from;
  return null;
}

/** Makes the text box a combobox of the menu while it is open. */
function setAriaState(
  surface: TextSurface,
  list: string | null,
  active: string | null,
): void {
  surface.setComboboxAttributes(
    list === null
      ? null
      : {
          role: "combobox",
          "aria-expanded": "true",
          "aria-haspopup": "listbox",
          "aria-autocomplete": "list",
          "aria-controls": list,
          ...(active !== null && { "aria-activedescendant": active }),
        },
  );
}

interface Member {
  item: MenuItem;
  /** Its index in the menu. */
  at: number;
}

/** Adjacent items of the same group. */
function groupItems(items: readonly MenuItem[]): [string, Member[]][] {
  const groups: [string, Member[]][] = [];
  for (const [at, item] of items.entries()) {
    const last = groups.at(-1);
    if (last?.[0] === item.group) last[1].push({ item, at });
    else groups.push([item.group, [{ item, at }]]);
  }
  return groups;
}

interface MenuOptionProps {
  id: string;
  item: MenuItem;
  isActive: boolean;
  onChoose: () => void;
}

function MenuOption({ id, item, isActive, onChoose }: MenuOptionProps) {
  return (
    <div
      role="option"
      id={id}
      class="path-menu-item"
      aria-selected={isActive}
      onClick={onChoose}
    >
      <Icon name={item.icon} size={16} />
      <span class="path-menu-label">{item.label}</span>
      {item.sample !== "" && (
        <span class="path-menu-sample">{item.sample}</span>
      )}
      {item.action.kind === "step" && <Icon name="next" size={14} />}
    </div>
  );
}

type MenuAction =
  | { kind: "chip"; source: string; opensSettings?: boolean }
  | { kind: "number"; source: "page" | "pages" }
  | { kind: "field"; label: string }
  | { kind: "step"; title: string; items: () => MenuItem[] };

interface MenuItem {
  id: string;
  /** Its heading. */
  group: string;
  label: string;
  icon: IconName;
  sample: string;
  /** Further words that match a search. */
  keywords: string;
  action: MenuAction;
}

const KIND_ICONS: Readonly<Record<PathKind, IconName>> = {
  String: "text",
  Number: "number",
  Date: "calendar",
  Autogenerated: "number",
  record: "box",
  list: "list",
  special: "number",
};

/** Everything that can be inserted into a text of a component. */
function getMenuItems(
  editor: Editor,
  owner: string | null,
  isPlain: boolean,
): MenuItem[] {
  const options = listPathOptions(editor, owner, "content");
  return [
    ...options.flatMap(
      (option) => createFieldItem(editor, owner, option) ?? [],
    ),
    ...createPageItems(editor, owner, isPlain),
    ...createFunctionItems(editor, owner, options),
  ];
}

function createFieldItem(
  editor: Editor,
  owner: string | null,
  option: PathOption,
): MenuItem | null {
  const { path, kind, target } = option;
  // A list of texts can be joined in a line; a list of records needs a collection or a function.
  const isOfTexts =
    kind === "list" &&
    target === undefined &&
    listFields(editor, owner, path).length === 0;
  const source = isOfTexts
    ? `{{ JOIN(${path}, ", ") }}`
    : createFieldSource(option);
  if (source === null) return null;
  return { ...toItem(option), action: { kind: "chip", source } };
}

function toItem({ path, label, kind, sample, from }: PathOption) {
  const icon = KIND_ICONS[kind];
  return {
    id: path,
    group: from,
    label,
    icon,
    sample,
    keywords: `${from} ${path}`,
  };
}

/** Null for a value that cannot be inserted into a line. */
function createFieldSource(option: PathOption): string | null {
  const { path, kind } = option;
  if (kind === "record" || kind === "list") return null;
  if (kind === "special" && !path.endsWith(".number")) return null;
  return createChipSource(option);
}

function createChipSource(
  { path, kind, field }: PathOption,
  more: ChipFilter[] = [],
): string {
  const style: FieldStyle =
    kind === "Date"
      ? { filters: [{ name: "date", args: ["medium"] }] }
      : field
        ? getNumberStyle(field)
        : { filters: [] };
  return createFieldText(path, {
    ...style,
    filters: [...style.filters, ...more],
  });
}

function createPageItems(
  editor: Editor,
  owner: string | null,
  isPlain: boolean,
): MenuItem[] {
  const entry = owner === null ? null : editor.tree.peek().entries.get(owner);
  if (isPlain || !entry || entry.region === "body") return [];
  const item = {
    group: t("common.page"),
    icon: "page" as const,
    keywords: "page",
  };
  return [
    {
      ...item,
      id: "page",
      label: t("components.pageNumber"),
      sample: "1",
      action: { kind: "number", source: "page" },
    },
    {
      ...item,
      id: "pages",
      label: t("text.numberOfPages"),
      sample: "3",
      action: { kind: "number", source: "pages" },
    },
  ];
}

const CALCULATIONS: readonly [Aggregate, string, string][] = [
  ["SUM", t("text.sumOfList"), t("text.sumKeywords")],
  ["AVG", t("text.averageOfList"), "mean"],
  ["COUNT", t("text.countOfList"), t("text.countKeywords")],
  ["MIN", t("text.smallestOfList"), t("text.minKeywords")],
  ["MAX", t("text.largestOfList"), t("text.maxKeywords")],
];

function createFunctionItems(
  editor: Editor,
  owner: string | null,
  options: readonly PathOption[],
): MenuItem[] {
  const lists = options.filter(({ kind }) => kind === "list");
  const sums = CALCULATIONS.map(([name, label, keywords]): MenuItem => {
    const items = () =>
      lists.map((list) => createListItem(editor, owner, name, list));
    const title = t("text.labelWhichList", { label });
    const action = { kind: "step" as const, title, items };
    return {
      ...CALCULATION_BASE,
      id: name,
      label,
      icon: "formula",
      keywords,
      action,
    };
  });
  const numbers = options.filter(isNumeric);
  return [
    ...(numbers.length > 0 ? createFormulaItems(numbers) : []),
    ...(lists.length > 0 ? sums : []),
    createTodayItem(),
    createDateItem(options),
    createFallbackItem(options),
  ];
}

const OPERATIONS: readonly [
  operator: string,
  label: string,
  keywords: string,
][] = [
  ["*", t("text.multiplyTwoFields"), t("text.multiplyKeywords")],
  ["+", t("text.addTwoFields"), t("text.addKeywords")],
  ["-", t("text.subtractTwoFields"), t("text.subtractKeywords")],
  ["/", t("text.divideTwoFields"), t("text.divideKeywords")],
];

/** Formulas of two fields: the first is chosen, then the second. */
function createFormulaItems(numbers: readonly PathOption[]): MenuItem[] {
  return OPERATIONS.map(([operator, label, keywords]) => ({
    ...CALCULATION_BASE,
    id: `formula ${operator}`,
    label,
    icon: "formula",
    keywords,
    action: chooseTwoFields(
      numbers,
      (one, other) => `{{ ${one} ${operator} ${other} }}`,
    ),
  }));
}

/** @param write the source of the chip for two paths */
function chooseTwoFields(
  fields: readonly PathOption[],
  write: (one: string, other: string) => string,
): MenuAction {
  // The field that was chosen first comes last: it is rarely meant twice.
  const listSecond = (one: PathOption) => () =>
    [...fields.filter((other) => other !== one), one].map((other): MenuItem => {
      const source = write(one.path, other.path);
      return { ...toItem(other), action: { kind: "chip", source } };
    });
  return {
    kind: "step",
    title: t("text.whichFirstField"),
    items: () =>
      fields.map((one) => ({
        ...toItem(one),
        action: {
          kind: "step",
          title: t("text.whichSecondField", { field: one.label }),
          items: listSecond(one),
        },
      })),
  };
}

function isNumeric({ kind }: PathOption): boolean {
  return kind === "Number" || kind === "Autogenerated";
}

const CALCULATION_BASE = { group: t("text.calculate"), sample: "" };

function createTodayItem(): MenuItem {
  const source = serializeChip({
    base: { kind: "today" },
    filters: [{ name: "date", args: ["medium"] }],
  });
  return {
    ...CALCULATION_BASE,
    id: "today",
    label: t("text.todaysDate"),
    icon: "calendar",
    keywords: "now",
    action: { kind: "chip", source },
  };
}

const DEFAULT_DAYS = 14;

/** A date some days after another one, such as when an invoice is due. */
function createDateItem(options: readonly PathOption[]): MenuItem {
  const today = { ...createTodayItem(), path: TODAY };
  const dates = options
    .filter(({ kind }) => kind === "Date")
    .map((option) => ({ ...toItem(option), path: option.path }));
  return {
    ...CALCULATION_BASE,
    id: "date",
    label: t("text.dateAndDays"),
    icon: "calendar",
    keywords: t("text.dateKeywords"),
    action: {
      kind: "step",
      title: t("text.whichDate"),
      items: () =>
        [...dates, today].map(({ path, ...item }) => ({
          ...item,
          action: {
            kind: "chip",
            source: serializeChip({
              base: createDateBase(path, DEFAULT_DAYS, "days"),
              filters: [{ name: "date", args: ["medium"] }],
            }),
            opensSettings: true,
          },
        })),
    },
  };
}

function createFallbackItem(options: readonly PathOption[]): MenuItem {
  return {
    ...CALCULATION_BASE,
    id: "default",
    label: t("text.fieldWithDefaultValue"),
    icon: "condition",
    keywords: t("text.fallbackKeywords"),
    action: {
      kind: "step",
      title: t("text.whichField"),
      items: () =>
        options.flatMap((option) => createFallbackFieldItem(option) ?? []),
    },
  };
}

function createFallbackFieldItem(option: PathOption): MenuItem | null {
  const { kind } = option;
  if (kind === "record" || kind === "list" || kind === "special") return null;
  const source = createChipSource(option, [{ name: "default", args: ["–"] }]);
  return {
    ...toItem(option),
    action: { kind: "chip", source, opensSettings: true },
  };
}

function createListItem(
  editor: Editor,
  owner: string | null,
  name: Aggregate,
  list: PathOption,
): MenuItem {
  const make = (path: string, field?: Field) => {
    const style = field ? getNumberStyle(field) : { filters: [] };
    const { divisor = 1, filters } = style;
    const written = divisor === 1 ? path : `${path} / ${divisor}`;
    const base = { kind: "aggregate" as const, name, list: list.path };
    return {
      kind: "chip" as const,
      source: serializeChip({
        base: {
          ...base,
          field: written,
          ...(divisor !== 1 && { formula: [] }),
        },
        filters,
      }),
    };
  };
  if (name === "COUNT") return { ...toItem(list), action: make("") };
  const items = () => {
    const fields = listFields(editor, owner, list.path);
    const single = fields
      .filter(({ kind }) => canAggregate(name, kind))
      .map((field) => ({
        ...toItem(field),
        action: make(field.path, field.field),
      }));
    const numbers = fields.filter(isNumeric);
    if (numbers.length === 0) return single;
    const product: MenuItem = {
      ...CALCULATION_BASE,
      id: "product",
      label: t("text.multiplyTwoFields"),
      icon: "formula",
      keywords: t("text.multiplyKeywords"),
      action: chooseTwoFields(
        numbers,
        (one, other) => `{{ ${name}(${list.path}, ${one} * ${other}) }}`,
      ),
    };
    return [...single, product];
  };
  const action = { kind: "step" as const, title: t("text.whichField"), items };
  return { ...toItem(list), action };
}

function canAggregate(name: Aggregate, kind: PathKind): boolean {
  if (kind === "Number" || kind === "Autogenerated") return true;
  return kind === "Date" && (name === "MIN" || name === "MAX");
}

/** Offers a field that the data does not have yet, for a word of at least two letters. */
function createNewFieldItems(query: string): MenuItem[] {
  if (!/^\p{L}[^\s/]+$/u.test(query)) return [];
  const label = query.charAt(0).toUpperCase() + query.slice(1);
  return [
    {
      id: "new-field",
      group: t("common.add"),
      label: t("fields.addFieldNamed", { label }),
      icon: "plus",
      sample: "",
      keywords: "",
      action: { kind: "field", label },
    },
  ];
}

/** Adds a field to the record, or to what the component repeats for. @returns its path */
function addFieldInScope(surface: TextSurface, label: string): string | null {
  const { editor, owner } = surface.options;
  const scope = getScopeAt(editor, owner, "content");
  // The elements of a group are groups, which have no fields of their own.
  const element = scope?.collection.groupBy ? null : scope?.element;
  const collection = element?.id ?? getRoot(editor.definition.peek().schema).id;
  const name = addField(editor, collection, label, "String");
  return name === null
    ? null
    : appendToPath(element && scope ? scope.id : "root", name);
}

/** The items that contain every word of a query, in any order, ignoring accents. Labels that start with it come first. */
function filterItems(items: readonly MenuItem[], query: string): MenuItem[] {
  const words = foldAccents(query)
    .split(/[\s.›]+/)
    .filter(Boolean);
  if (words.length === 0) return [...items];
  const found = items.filter(({ label, group, keywords }) => {
    const text = foldAccents(`${label} ${group} ${keywords}`);
    return words.every((word) => text.includes(word));
  });
  const [first = ""] = words;
  const begins = ({ label }: MenuItem) => foldAccents(label).startsWith(first);
  return [...found.filter(begins), ...found.filter((one) => !begins(one))];
}

function foldAccents(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
