import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useMemo } from "preact/hooks";
import { t } from "../../messages/index.js";
import { Icon } from "../../ui/icon.js";
import { createFieldText } from "./chip.js";
import {
  addFieldInScope,
  CALCULATION_BASE,
  createNewFieldItems,
  filterItems,
  getMenuItems,
  type MenuItem,
} from "./menu-items.js";
import { type Anchor, Overlay } from "./overlay.js";
import type { TextSurface } from "./text-surface.js";

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
  const matches = filterItems(step.value.items, query);
  const isFirst = step.value === first;
  const items =
    isFirst && matches.length === 0 ? createNewFieldItems(query) : matches;
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
    const { editor, owner } = surface.options;
    const path = addFieldInScope(editor, owner, action.label);
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
