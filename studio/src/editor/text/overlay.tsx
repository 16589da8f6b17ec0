import "./text.css";
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

/** What an overlay is placed next to: an element, and a rectangle in it. */
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
  /** Whether pressing the overlay leaves the focus where it is. */
  keepsFocus?: boolean;
  onKeyDown?: (event: TargetedKeyboardEvent<HTMLDivElement>) => void;
  /** Called when the focus moves from the overlay to an unrelated element. */
  onLeave?: () => void;
  children: ComponentChildren;
}

/** Floats next to an anchor, within the window, and follows it. */
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
    return floating ? followAnchor(anchor, floating, placement) : undefined;
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
        if (isFocusLost(event, anchor.element)) onLeave?.();
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

/** False when the focus moves to another overlay or to the anchor, or when the window loses it. */
function isFocusLost(
  { relatedTarget: to }: TargetedFocusEvent<HTMLDivElement>,
  owner: Element,
): boolean {
  if (!(to instanceof Element) || owner.contains(to)) return false;
  return to.closest("[data-text-overlay]") === null;
}

function followAnchor(
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
  const updatePosition = async () => {
    const strategy = "fixed" as const;
    const options = { placement, strategy, middleware };
    const { x, y } = await computePosition(reference, floating, options);
    Object.assign(floating.style, { left: `${x}px`, top: `${y}px` });
  };
  return autoUpdate(reference, floating, () => void updatePosition());
}
