import { useLayoutEffect, useRef } from "preact/hooks";
import type { ComponentType } from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { walk } from "../../ui/action-menu.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { canWrap } from "../model/arrange.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor, PropertiesPart } from "../model/editor.js";
import { isWithin } from "../model/edits.js";
import { editTable, listTableEdits } from "../model/table-edits.js";
import { equalizeColumns } from "../model/resize.js";
import { type Entry, lineage } from "../model/tree.js";
import "./commands.css";
import {
  copySelected,
  cutSelected,
  deleteSelected,
  duplicateSelected,
  enterSelected,
  hasEditableText,
  moveSelected,
  wrapSelected,
} from "./commands.js";
import {
  focusSelectedOnPage,
  getFocusArea,
  pasteClipboard,
  selectAllOnPage,
  writeClipboard,
} from "./page-commands.js";
import { formatChord } from "./keyboard.js";
import { TABLE_TOOLS } from "./table-tools.js";

interface MenuItem {
  label: string;
  icon: IconName;
  /** The shortcut that does the same. */
  chord?: string;
  isGrave?: boolean;
  /** Whether the focus goes elsewhere than to the selected component. */
  movesFocus?: boolean;
  run: () => unknown;
}

/** Opens the context menu on a right click on the page or the outline, for what is under the pointer. */
export function useContextMenu(editor: Editor): void {
  useLayoutEffect(() => {
    const open = (event: MouseEvent) => {
      const { target, clientX: x, clientY: y } = event;
      if (event.defaultPrevented || !(target instanceof Element)) return;
      if (target.closest(".context-menu")) {
        event.preventDefault();
        return;
      }
      const area = getFocusArea(target);
      // Texts that are being typed keep the menu of the browser, which has the spelling.
      if (area !== "canvas" && area !== "outline") return;
      event.preventDefault();
      selectAt(editor, target);
      editor.menuPoint.value = { x, y };
    };
    addEventListener("contextmenu", open);
    return () => removeEventListener("contextmenu", open);
  }, [editor]);
}

/** Selects the component at an element, unless it is selected already, alone or with others. */
function selectAt(editor: Editor, target: Element): void {
  const holder = target.closest<HTMLElement>("[data-id], [data-row]");
  const id = holder?.dataset["id"] ?? holder?.dataset["row"] ?? null;
  const isSelected =
    id !== null &&
    editor.selection.peek().some((entry) => isWithin(editor, id, entry.id));
  if (!isSelected) editor.selected.value = id;
}

export function ContextMenu() {
  const editor = useEditor();
  return editor.menuPoint.value ? <OpenMenu /> : null;
}

function OpenMenu() {
  const editor = useEditor();
  const menu = useRef<HTMLDivElement>(null);
  const point = editor.menuPoint.value;
  const close = () => {
    editor.menuPoint.value = null;
  };
  useLayoutEffect(() => {
    const element = menu.current;
    if (!element || !point) return undefined;
    element.showPopover();
    const { offsetWidth, offsetHeight } = element;
    const x = Math.min(point.x, innerWidth - offsetWidth - 8);
    const y = Math.min(point.y, innerHeight - offsetHeight - 8);
    element.style.left = `${Math.max(8, x)}px`;
    element.style.top = `${Math.max(8, y)}px`;
    element.querySelector("button")?.focus();
    // The browser itself would close a popover that opened before the button was released.
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && !element.contains(target)) close();
    };
    addEventListener("pointerdown", onPointerDown, { capture: true });
    addEventListener("resize", close);
    return () => {
      removeEventListener("pointerdown", onPointerDown, { capture: true });
      removeEventListener("resize", close);
    };
  }, [point]);
  const act = ({ run, movesFocus }: MenuItem) => {
    close();
    void run();
    if (!movesFocus) focusSelectedOnPage(editor);
  };
  return (
    <div
      class="action-menu context-menu"
      role="menu"
      aria-label={t("arrange.actions")}
      popover="manual"
      ref={menu}
      onKeyDown={(event) => {
        // Keys of the menu are no shortcuts of the editor.
        event.stopPropagation();
        walk(event);
        if (event.key === "Escape" || event.key === "Tab") {
          event.preventDefault();
          close();
          focusSelectedOnPage(editor);
        }
      }}
    >
      {listItems(editor).map((group, index) => (
        <div role="group" key={index}>
          {group.map((item) => (
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={`menu-item ${item.isGrave ? "grave" : ""}`}
              key={item.label}
              onClick={() => act(item)}
            >
              <Icon name={item.icon} size={16} />
              <span>{item.label}</span>
              {item.chord && <kbd>{formatChord(item.chord)}</kbd>}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

function listItems(editor: Editor): MenuItem[][] {
  const entries = editor.selection.peek();
  const groups = editor.mayEdit
    ? [
        listTextItems(editor, entries),
        listClipboardItems(editor, entries),
        listMoves(editor, entries),
        [
          ...listWraps(editor, entries),
          ...listTableItems(editor, entries),
          ...listColumnItems(editor, entries),
        ],
        listProperties(editor, entries),
        listGeneralItems(editor),
      ]
    : [
        listClipboardItems(editor, entries),
        listSelections(editor, entries),
        listGeneralItems(editor),
      ];
  return groups.filter(({ length }) => length > 0);
}

function listTextItems(
  editor: Editor,
  [entry, ...others]: readonly Entry[],
): MenuItem[] {
  if (!entry || others.length > 0 || !hasEditableText(entry.component))
    return [];
  return [
    {
      label: t("arrange.editText"),
      icon: "edit",
      chord: "Enter",
      movesFocus: true,
      run: () => enterSelected(editor),
    },
  ];
}

function listClipboardItems(
  editor: Editor,
  entries: readonly Entry[],
): MenuItem[] {
  const copy: MenuItem = {
    label: t("common.copy"),
    icon: "copy",
    chord: "Mod+C",
    run: () => writeClipboard(copySelected(editor)),
  };
  const paste: MenuItem = {
    label: t("arrange.paste"),
    icon: "paste",
    chord: "Mod+V",
    run: () => pasteClipboard(editor),
  };
  if (entries.length === 0) return editor.mayEdit ? [paste] : [];
  if (!editor.mayEdit) return [copy];
  return [
    {
      label: t("editor.cut"),
      icon: "cut",
      chord: "Mod+X",
      run: () => writeClipboard(cutSelected(editor)),
    },
    copy,
    paste,
    {
      label: t("common.duplicate"),
      icon: "batches",
      chord: "Mod+D",
      run: () => duplicateSelected(editor),
    },
    {
      label: t("common.delete"),
      icon: "trash",
      chord: "Delete",
      isGrave: true,
      run: () => deleteSelected(editor),
    },
  ];
}

function listMoves(editor: Editor, entries: readonly Entry[]): MenuItem[] {
  const type = entries[0]?.component.type;
  const isAcross = type === "table-cell" || type === "column";
  const moves: MenuItem[] = [
    {
      label: isAcross ? t("canvas.moveLeft") : t("common.moveUp"),
      icon: isAcross ? "back" : "up",
      chord: "Alt+ArrowUp",
      run: () => moveSelected(editor, "up"),
    },
    {
      label: isAcross ? t("canvas.moveRight") : t("common.moveDown"),
      icon: isAcross ? "next" : "down",
      chord: "Alt+ArrowDown",
      run: () => moveSelected(editor, "down"),
    },
  ];
  return [...(type ? moves : []), ...listSelections(editor, entries)];
}

function listSelections(
  editor: Editor,
  [first, ...others]: readonly Entry[],
): MenuItem[] {
  const parentId = others.length === 0 && first ? first.parentId : null;
  return [
    ...(parentId === null
      ? []
      : [
          {
            label: t("editor.selectParent"),
            icon: "outward",
            chord: "Escape",
            run: () => {
              editor.selected.value = parentId;
            },
          } as const,
        ]),
    {
      label: t("editor.selectAll"),
      icon: "group",
      chord: "Mod+A",
      run: () => selectAllOnPage(editor),
    },
  ];
}

function listWraps(editor: Editor, entries: readonly Entry[]): MenuItem[] {
  return [
    ...(canWrap(editor, entries, "container")
      ? [
          {
            label: t("arrange.wrapInBox"),
            icon: "box",
            run: () => wrapSelected(editor, "container"),
          } as const,
        ]
      : []),
    ...(canWrap(editor, entries, "columns")
      ? [
          {
            label:
              entries.length > 1
                ? t("arrange.sideBySide")
                : t("arrange.wrapInColumns"),
            icon: "columns",
            run: () => wrapSelected(editor, "columns"),
          } as const,
        ]
      : []),
  ];
}

const TABLE_TYPES: readonly ComponentType[] = [
  "table",
  "table-row",
  "table-cell",
];

function listTableItems(
  editor: Editor,
  [entry, ...others]: readonly Entry[],
): MenuItem[] {
  if (!entry || others.length > 0) return [];
  if (!TABLE_TYPES.includes(entry.component.type)) return [];
  const edits = listTableEdits(editor, entry.id);
  const isWhole = edits.length === 2;
  return edits.map((edit) => {
    const { label, tableLabel = label, icon, announcement } = TABLE_TOOLS[edit];
    return {
      label: isWhole ? tableLabel : label,
      icon,
      run: () => {
        editTable(editor, entry.id, edit);
        editor.announced.value = announcement;
      },
    };
  });
}

/** For the innermost table or columns around the selected component, or itself. */
function listColumnItems(
  editor: Editor,
  [entry, ...others]: readonly Entry[],
): MenuItem[] {
  if (!entry || others.length > 0) return [];
  const { type } = entry.component;
  const isPart = TABLE_TYPES.includes(type) || type === "column";
  if (!isPart && type !== "columns" && type !== "section") return [];
  const row = lineage(editor.tree.peek(), entry.id).findLast(({ component }) =>
    ["table", "columns", "section"].includes(component.type),
  );
  if (!row) return [];
  return [
    {
      label: t("arrange.equalWidths"),
      icon: "columns",
      run: () => equalizeColumns(editor, row),
    },
  ];
}

function listProperties(
  editor: Editor,
  [entry, ...others]: readonly Entry[],
): MenuItem[] {
  if (!entry || others.length > 0) return [];
  const open = (part: PropertiesPart) => ({
    movesFocus: true,
    run: () => {
      editor.shownPart.value = part;
    },
  });
  return [
    { label: t("arrange.repeat"), icon: "repeat", ...open("repeat") },
    { label: t("arrange.showOnlyIf"), icon: "condition", ...open("condition") },
    ...(entry.component.style
      ? [
          {
            label: t("arrange.saveStyle"),
            icon: "palette",
            ...open("save-style"),
          } as const,
        ]
      : []),
  ];
}

function listGeneralItems(editor: Editor): MenuItem[] {
  const open = (dialog: "add" | "keys") => ({
    movesFocus: true,
    run: () => {
      editor.dialog.value = dialog;
    },
  });
  return [
    ...(editor.mayEdit
      ? [
          {
            label: t("editor.addComponent"),
            icon: "plus",
            chord: "/",
            ...open("add"),
          } as const,
        ]
      : []),
    {
      label: t("editor.keyboardShortcuts"),
      icon: "help",
      chord: "?",
      ...open("keys"),
    },
  ];
}
