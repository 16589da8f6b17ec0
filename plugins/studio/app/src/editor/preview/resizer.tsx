import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact";

interface ResizerProps {
  label: string;
  /** In px; what is right of the edge. */
  value: number;
  least: number;
  most: number;
  step: number;
  onChange: (value: number) => void;
}

/** The left edge of a pane, by which it is made wider. */
export function Resizer(props: ResizerProps) {
  const { label, value, least, most, step, onChange } = props;
  const drag = (event: TargetedPointerEvent<HTMLDivElement>) => {
    const edge = event.currentTarget;
    const from = event.clientX;
    edge.setPointerCapture(event.pointerId);
    const move = (to: PointerEvent) => onChange(value + from - to.clientX);
    edge.addEventListener("pointermove", move);
    edge.addEventListener(
      "lostpointercapture",
      () => edge.removeEventListener("pointermove", move),
      { once: true },
    );
  };
  const press = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowLeft: step, ArrowRight: -step }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(value + by);
  };
  return (
    <div
      class="resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}
