import type { TargetedKeyboardEvent } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../../messages/index.js";
import { Button } from "../../ui/button.js";
import "./tour.css";

interface Step {
  /** The elements that it is about, the one to point at first: the first that is visible. */
  targets: readonly string[];
  title: string;
  help: string;
}

const steps: readonly Step[] = [
  {
    targets: [".palette", ".panel-tabs [role=tab]", ".phone-bar button"],
    title: t("tour.add"),
    help: t("tour.addHelp"),
  },
  { targets: [".sheet"], title: t("tour.page"), help: t("tour.pageHelp") },
  {
    targets: [".panel-tabs [role=tab]:nth-child(3)", ".phone-bar button"],
    title: t("firstSteps.data"),
    help: t("tour.dataHelp"),
  },
  {
    targets: [".editor-right", ".phone-bar button:nth-child(2)"],
    title: t("tour.properties"),
    help: t("tour.propertiesHelp"),
  },
  {
    targets: [".preview-switch", ".phone-bar button:nth-child(3)"],
    title: t("tour.preview"),
    help: t("tour.previewHelp"),
  },
  {
    targets: [".bar-end .primary"],
    title: t("tour.publish"),
    help: t("tour.publishHelp"),
  },
];

/** Shows what is where in the editor, step by step, beside the real elements. Escape ends it. */
export function Tour({ onClose }: { onClose: () => void }) {
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  const step = steps[at];
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    focusNext(dialog);
    return () => dialog?.close();
  }, []);
  useLayoutEffect(() => {
    const dialog = box.current;
    let frame = 0;
    // The target moves when something else is loaded or saved.
    const follow = () => {
      if (step && dialog) pointAt(step, dialog);
      frame = requestAnimationFrame(follow);
    };
    follow();
    // "Back" goes away at the first step, and "Skip" at the last.
    if (!document.activeElement?.matches(".tour button")) focusNext(dialog);
    return () => cancelAnimationFrame(frame);
  }, [step]);
  if (!step) return null;
  const isLast = at + 1 === steps.length;
  const back = () => setAt(Math.max(0, at - 1));
  const next = () => (isLast ? onClose() : setAt(at + 1));
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDialogElement>) => {
    if (event.key === "ArrowLeft") back();
    if (event.key === "ArrowRight" && !isLast) next();
    // The shortcuts of the editor wait until the tour has ended.
    event.stopPropagation();
  };
  return (
    <dialog
      class="tour"
      ref={box}
      aria-label={t("tour.name")}
      aria-describedby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={onKeyDown}
    >
      <span class="tour-spot" />
      <div class="tour-card">
        <div class="tour-words" id={id} aria-live="polite">
          <h2>{step.title}</h2>
          <p>{step.help}</p>
        </div>
        <div class="tour-end">
          <span class="muted small">
            {t("tour.step", { number: at + 1, total: steps.length })}
          </span>
          {!isLast && (
            <Button kind="quiet" onPress={onClose}>
              {t("tour.skip")}
            </Button>
          )}
          {at > 0 && <Button onPress={back}>{t("common.back")}</Button>}
          <Button kind="primary" onPress={next}>
            {isLast ? t("tour.done") : t("tour.next")}
          </Button>
        </div>
      </div>
    </dialog>
  );
}

function focusNext(dialog: HTMLElement | null): void {
  dialog?.querySelector<HTMLElement>(".primary")?.focus();
}

/** From the target to the ring around it, and from the ring or the window's edge to the card. */
const gapPx = 6;
const edgePx = 12;

/** Puts the ring around the step's target, and the card where there is room beside it. */
function pointAt({ targets }: Step, dialog: HTMLElement): void {
  const target = targets
    .map((selector) => document.querySelector(selector))
    .find((element) => element?.checkVisibility());
  const spot = dialog.querySelector<HTMLElement>(".tour-spot");
  const card = dialog.querySelector<HTMLElement>(".tour-card");
  if (!target || !spot || !card) return;
  const view = document.documentElement;
  const box = target.getBoundingClientRect();
  const ring = {
    left: Math.max(box.left - gapPx, 2),
    top: Math.max(box.top - gapPx, 2),
    right: Math.min(box.right + gapPx, view.clientWidth - 2),
    bottom: Math.min(box.bottom + gapPx, view.clientHeight - 2),
  };
  place(spot, ring.left, ring.top);
  spot.style.width = `${ring.right - ring.left}px`;
  spot.style.height = `${ring.bottom - ring.top}px`;
  place(card, ...findPlace(ring, card, view));
}

function place({ style }: HTMLElement, x: number, y: number): void {
  style.left = `${x}px`;
  style.top = `${y}px`;
}

type Edges = Record<"left" | "top" | "right" | "bottom", number>;

/** Beside the target, below or above it; on top of one that leaves no room. */
function findPlace(
  { left, top, right, bottom }: Edges,
  { offsetWidth: width, offsetHeight: height }: HTMLElement,
  { clientWidth, clientHeight }: HTMLElement,
): [x: number, y: number] {
  const within = (value: number, size: number, room: number) =>
    Math.max(edgePx, Math.min(value, room - size - edgePx));
  const x = within((left + right - width) / 2, width, clientWidth);
  const y = within(top + edgePx, height, clientHeight);
  if (right + width + 2 * edgePx < clientWidth) return [right + edgePx, y];
  if (left - width - 2 * edgePx > 0) return [left - width - edgePx, y];
  if (bottom + height + 2 * edgePx < clientHeight) return [x, bottom + edgePx];
  if (top - height - 2 * edgePx > 0) return [x, top - height - edgePx];
  return [x, clientHeight - height - edgePx];
}
