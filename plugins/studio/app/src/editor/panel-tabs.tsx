import type { Signal } from "@preact/signals";
import { Icon, type IconName } from "../ui/icon.js";

interface PanelTabsProps<T extends string> {
  name: string;
  tabs: readonly (readonly [value: T, words: string, icon: IconName])[];
  shown: Signal<T>;
}

/** Which of a panel's parts is shown; arrow keys walk through them. */
export function PanelTabs<T extends string>({
  name,
  tabs,
  shown,
}: PanelTabsProps<T>) {
  const step = (event: KeyboardEvent, by: number) => {
    const here = tabs.findIndex(([one]) => one === shown.value);
    const next = tabs[(here + by + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    shown.value = next[0];
    const { currentTarget } = event;
    if (currentTarget instanceof HTMLElement)
      currentTarget
        .querySelectorAll<HTMLElement>("[role=tab]")
        .item(tabs.indexOf(next))
        .focus();
  };
  return (
    <div
      class="panel-tabs"
      role="tablist"
      aria-label={name}
      onKeyDown={(event) => {
        if (event.key === "ArrowRight") step(event, 1);
        if (event.key === "ArrowLeft") step(event, -1);
      }}
    >
      {tabs.map(([value, words, icon]) => (
        <button
          type="button"
          role="tab"
          key={value}
          aria-selected={shown.value === value}
          tabIndex={shown.value === value ? 0 : -1}
          onClick={() => {
            shown.value = value;
          }}
        >
          <Icon name={icon} size={16} />
          {words}
        </button>
      ))}
    </div>
  );
}
