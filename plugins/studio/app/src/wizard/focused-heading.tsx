import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface FocusedHeadingProps {
  id: string;
  children: ComponentChildren;
}

/** The heading of what takes the place of something that was just pressed: the focus goes on from here. */
export function FocusedHeading({ id, children }: FocusedHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h2 id={id} tabIndex={-1} ref={heading}>
      {children}
    </h2>
  );
}
