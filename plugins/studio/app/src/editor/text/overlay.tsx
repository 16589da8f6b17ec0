import "./overlay.css";
import {
  autoUpdate,
  computePosition,
  flip,
  offset,
  type Placement,
  shift,
  size,
} from "@floating-ui/dom";
import {
  type ComponentChildren,
  createPortal,
  type TargetedFocusEvent,
  type TargetedKeyboardEvent,
  type TargetedMouseEvent,
} from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** What something stands beside: an element, and where in it. */
export interface Anchor {
  element: Element;
  rect: () => DOMRect;
}

interface OverlayProps {
  anchor: Anchor;
  placement: Placement;
  class: string;
  role: "listbox" | "dialog" | "toolbar" | "presentation";
  label?: string;
  id?: string;
  /** Whether a press in it leaves the focus where it is. */
  keepsFocus?: boolean;
  onKeyDown?: (event: TargetedKeyboardEvent<HTMLDivElement>) => void;
  /** The focus went from it to something that does not belong to it. */
  onLeave?: () => void;
  children: ComponentChildren;
}

/** Stands over the page beside a place of it, always in sight, and moves along. */
export function Overlay({
  anchor,
  placement,
  keepsFocus = false,
  label,
  onKeyDown,
  onLeave,
  children,
  ...rest
}: OverlayProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const floating = box.current;
    return floating ? follow(anchor, floating, placement) : undefined;
  });
  const host = anchor.element.closest("dialog, .editor") ?? document.body;
  return createPortal(
    <div
      {...rest}
      ref={box}
      class={`overlay ${rest.class}`}
      aria-label={label}
      data-text-overlay
      onMouseDown={(event: TargetedMouseEvent<HTMLDivElement>) => {
        if (keepsFocus) event.preventDefault();
      }}
      onFocusOut={(event: TargetedFocusEvent<HTMLDivElement>) => {
        if (isLeft(event, anchor.element)) onLeave?.();
      }}
      onKeyDown={(event: TargetedKeyboardEvent<HTMLDivElement>) => {
        event.stopPropagation();
        onKeyDown?.(event);
      }}
    >
      {children}
    </div>,
    host,
  );
}

/** Not for what stands in it or beside it, nor for a window that is left. */
function isLeft(
  { relatedTarget: to }: TargetedFocusEvent<HTMLDivElement>,
  owner: Element,
): boolean {
  if (!(to instanceof Element) || owner.contains(to)) return false;
  return to.closest("[data-text-overlay]") === null;
}

function follow(
  { element, rect }: Anchor,
  floating: HTMLElement,
  placement: Placement,
): () => void {
  const reference = { getBoundingClientRect: rect, contextElement: element };
  const middleware = [
    offset(6),
    flip({ padding: 8 }),
    shift({ padding: 8 }),
    size({
      padding: 8,
      apply: ({ availableHeight }) => {
        floating.style.setProperty(
          "--room",
          `${Math.max(120, availableHeight)}px`,
        );
      },
    }),
  ];
  const place = async () => {
    const strategy = "fixed" as const;
    const options = { placement, strategy, middleware };
    const { x, y } = await computePosition(reference, floating, options);
    Object.assign(floating.style, { left: `${x}px`, top: `${y}px` });
  };
  return autoUpdate(reference, floating, () => void place());
}
