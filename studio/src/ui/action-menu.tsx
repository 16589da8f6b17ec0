import type { RefObject, TargetedKeyboardEvent } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { wordsOf } from "../api.js";
import { t } from "../messages/index.js";
import type { DrawDialog } from "./button.js";
import { askDelete, askRename } from "./dialog.js";
import { Icon, type IconName } from "./icon.js";
import { toast } from "./toast.js";

export interface MenuAction {
  words: string;
  icon: IconName;
  /** Whether the action deletes something. */
  isGrave?: boolean;
  onPress?: () => unknown;
  /** What the action opens in place of `onPress`. */
  dialog?: DrawDialog;
}

/** The action that renames what the menu is for. */
export function renameAction(
  name: string,
  onName: (name: string) => Promise<void>,
  icon: IconName = "edit",
): MenuAction {
  return { words: t("common.rename"), icon, dialog: askRename(name, onName) };
}

/** The action that deletes what the menu is for. @param text the consequences */
export function deleteAction(
  name: string,
  text: string,
  onAct: () => unknown,
): MenuAction {
  const dialog = askDelete(name, text, onAct);
  return { words: t("common.delete"), icon: "trash", isGrave: true, dialog };
}

/** The action that pauses what the menu is for, or resumes it. */
export function pauseAction(
  isPaused: boolean,
  onPause: (isPaused: boolean) => unknown,
): MenuAction {
  return {
    words: isPaused ? t("buttons.resume") : t("buttons.pause"),
    icon: isPaused ? "repeat" : "pause",
    onPress: () => onPause(!isPaused),
  };
}

interface ActionMenuProps {
  /** Accessible name, such as "Actions for Invoice". */
  label: string;
  /** By default three dots. */
  icon?: IconName;
  isQuiet?: boolean;
  actions: readonly MenuAction[];
}

/** A button that opens a menu. Clicks outside, Escape and Tab close it. */
export function ActionMenu(props: ActionMenuProps) {
  const { label, icon = "more", isQuiet = false } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const isOpened = ({ words }: MenuAction) => words === opened;
  return (
    <>
      <button
        type="button"
        class={`button icon ${isQuiet ? "quiet" : ""}`}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        popovertarget={id}
        ref={button}
      >
        <Icon name={icon} />
      </button>
      <Actions {...props} id={id} button={button} onOpen={setOpened} />
      {props.actions.find(isOpened)?.dialog?.(() => setOpened(null))}
    </>
  );
}

/** The menu of what has a name, such as a line of a list. */
export function EntryMenu({
  name,
  ...menu
}: Omit<ActionMenuProps, "label"> & { name: string }) {
  return <ActionMenu {...menu} label={t("common.actionsForName", { name })} />;
}

interface ActionsProps extends ActionMenuProps {
  id: string;
  button: RefObject<HTMLButtonElement | null>;
  /** Opens the dialog of the action with these words. */
  onOpen: (words: string) => void;
}

function Actions({ label, actions, id, button, onOpen }: ActionsProps) {
  const menu = useRef<HTMLDivElement>(null);
  const act = ({ words, onPress, dialog }: MenuAction) => {
    menu.current?.hidePopover();
    button.current?.focus();
    if (dialog) onOpen(words);
    else void orSaid(onPress);
  };
  return (
    <div
      class="action-menu"
      role="menu"
      aria-label={label}
      id={id}
      popover="auto"
      ref={menu}
      onBeforeToggle={() => {
        placeBeside(menu.current, button.current);
        focusFirst(menu.current);
      }}
      onToggle={() => closeByScrolling(menu.current)}
      onKeyDown={walk}
    >
      {actions.map((action) => (
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={`menu-item ${action.isGrave ? "grave" : ""}`}
          key={action.words}
          onClick={() => act(action)}
        >
          <Icon name={action.icon} />
          {action.words}
        </button>
      ))}
    </div>
  );
}

async function orSaid(act: MenuAction["onPress"]): Promise<void> {
  try {
    await act?.();
  } catch (error) {
    toast(wordsOf(error));
  }
}

/** Its position is fixed, so it closes when the page scrolls. */
function closeByScrolling(menu: HTMLElement | null): void {
  if (!menu?.matches(":popover-open")) return;
  addEventListener("scroll", () => menu.hidePopover(), { once: true });
}

function itemsOf(menu: HTMLElement): HTMLButtonElement[] {
  return [...menu.querySelectorAll("button")];
}

/** Places the menu below the button, or above it near the bottom of the window; right edges are aligned. */
function placeBeside(menu: HTMLElement | null, button: HTMLElement | null) {
  if (!menu || !button) return;
  const { top, bottom, right } = button.getBoundingClientRect();
  const { clientWidth } = document.documentElement;
  const isLow = bottom > innerHeight * 0.65;
  menu.style.right = `${Math.max(8, clientWidth - Math.max(right, 208))}px`;
  menu.style.top = isLow ? "auto" : `${bottom + 4}px`;
  menu.style.bottom = isLow ? `${innerHeight - top + 4}px` : "auto";
}

/** Set when the menu opens: as an attribute it would take the focus when the page is rendered. */
function focusFirst(menu: HTMLElement | null) {
  const first = menu?.querySelector("button");
  if (first) first.autofocus = true;
}

/** The key handler of a menu. Arrow keys, Home, End and first letters move the focus; Tab closes the menu. */
export function walk(event: TargetedKeyboardEvent<HTMLDivElement>) {
  const items = itemsOf(event.currentTarget);
  const at = items.findIndex((item) => item === document.activeElement);
  const next: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: items.length - 1,
  };
  if (event.key === "Tab") event.currentTarget.hidePopover();
  const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
  const to =
    next[event.key] ??
    (isShortcut ? undefined : findByLetter(items, at, event.key));
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}

/** The index of the next item that begins with this character; undefined for other keys. */
function findByLetter(
  items: readonly HTMLElement[],
  at: number,
  key: string,
): number | undefined {
  if (key.length !== 1 || key === " ") return undefined;
  const starts = items.map(({ textContent }) =>
    textContent.toLocaleLowerCase().startsWith(key.toLocaleLowerCase()),
  );
  const next = starts.indexOf(true, at + 1);
  const index = next < 0 ? starts.indexOf(true) : next;
  return index < 0 ? undefined : index;
}
