import type { Signal } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { Icon, type IconName } from "../ui/icon.js";

interface PanelTabsProps<T extends string> {
  name: string;
  tabs: readonly (readonly [value: T, words: string, icon: IconName])[];
  current: Signal<T>;
}

type TabKey = TargetedKeyboardEvent<HTMLDivElement>;

/** The arrow keys switch between the tabs. */
export function PanelTabs<T extends string>({
  name,
  tabs,
  current: currentTab,
}: PanelTabsProps<T>) {
  const step = (event: TabKey) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const here = tabs.findIndex(([key]) => key === currentTab.value);
    const to = (here + by + tabs.length) % tabs.length;
    const next = tabs[to];
    if (!next) return;
    event.preventDefault();
    currentTab.value = next[0];
    focusTab(event.currentTarget, to);
  };
  return (
    <div class="panel-tabs" role="tablist" aria-label={name} onKeyDown={step}>
      {tabs.map(([value, words, icon]) => (
        <button
          type="button"
          role="tab"
          key={value}
          aria-selected={currentTab.value === value}
          tabIndex={currentTab.value === value ? 0 : -1}
          onClick={() => {
            currentTab.value = value;
          }}
        >
          <Icon name={icon} size={16} />
          {words}
        </button>
      ))}
    </div>
  );
}

function focusTab(list: HTMLElement, index: number): void {
  list.querySelectorAll<HTMLElement>("[role=tab]").item(index).focus();
}
