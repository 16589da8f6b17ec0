import type { ComponentChildren } from "preact";
import { Icon } from "../ui/icon.js";

interface PickProps {
  title: string;
  /** What is chosen now. */
  isChosen?: boolean;
  badge?: ComponentChildren;
  children?: ComponentChildren;
  onPick: () => void;
}

/** One of several to choose from; choosing leads on. */
export function Pick({ title, isChosen, badge, children, onPick }: PickProps) {
  return (
    <button
      type="button"
      class="pick"
      aria-current={isChosen ? "true" : undefined}
      onClick={onPick}
    >
      <span class="words">
        <span class="strong">{title}</span>
        {children}
      </span>
      {badge}
      <Icon name={isChosen ? "check" : "next"} size={16} />
    </button>
  );
}
