import type { ComponentChildren, TargetedMouseEvent } from "preact";
import { base, go } from "./router.js";

interface LinkProps {
  /** A path of the app. */
  to: string;
  class?: string;
  /** The page that is shown now. */
  isHere?: boolean;
  children: ComponentChildren;
  onClick?: () => void;
}

/** A link to a page of the app. With a modifier it does as all links do. */
export function Link({
  to,
  class: classes,
  isHere = false,
  children,
  onClick,
}: LinkProps) {
  const open = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    onClick?.();
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a
      href={base + to}
      class={classes}
      aria-current={isHere ? "page" : undefined}
      onClick={open}
    >
      {children}
    </a>
  );
}
