import type { ComponentChildren } from "preact";
import { Icon } from "../../../ui/icon.js";

interface GroupProps {
  title: string;
  /** Open unless the person folded it. */
  isFolded?: boolean;
  children: ComponentChildren;
}

const prefix = "platen-folded:";

/** Properties that belong together; whether they are folded is remembered in this browser. */
export function Group({ title, isFolded = false, children }: GroupProps) {
  const kept = localStorage.getItem(prefix + title);
  const isOpen = kept === null ? !isFolded : kept === "no";
  return (
    <details
      class="prop-group"
      open={isOpen}
      onToggle={({ currentTarget }) =>
        localStorage.setItem(prefix + title, currentTarget.open ? "no" : "yes")
      }
    >
      <summary>
        <Icon name="next" size={14} />
        {title}
      </summary>
      <div class="props">{children}</div>
    </details>
  );
}
