import { useId, useRef } from "preact/hooks";
import type { SampleProblem } from "../../../../../../core/plugin-api/app-drafts.js";
import { Icon } from "../../ui/icon.js";
import { describePlace, summarizeProblems } from "../model/sample-problems.js";
import { useCanvas } from "./canvas-state.js";

/** How many values of the sample are missing or wrong; a click lists them, and each leads to where it is printed. */
export function SampleProblems() {
  const { editor } = useCanvas();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const problems = editor.facts.value?.sampleProblems ?? [];
  if (problems.length === 0) return null;
  const { schema } = editor.drawn.value;
  const show = ({ places: [place] }: SampleProblem) => {
    list.current?.hidePopover();
    if (place) editor.selected.value = place.component;
  };
  const summary = summarizeProblems(problems);
  return (
    <>
      <button
        type="button"
        class="sample-problems"
        title={summary}
        aria-label={summary}
        popovertarget={id}
        ref={button}
      >
        <Icon name="warn" size={14} />
        <span>{summary}</span>
      </button>
      <div
        class="sample-problem-list"
        role="dialog"
        aria-label={summary}
        id={id}
        popover="auto"
        ref={list}
        onBeforeToggle={() => placeAbove(list.current, button.current)}
      >
        <ul>
          {problems.map((problem) => (
            <li key={problem.keys.join(".")}>
              <button
                type="button"
                disabled={problem.places.length === 0}
                onClick={() => show(problem)}
              >
                <strong>{describePlace(schema, problem)}</strong>
                <span>{problem.message}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** The popover is above the button, within the window. */
function placeAbove(list: HTMLElement | null, button: HTMLElement | null) {
  if (!list || !button) return;
  const { top, left } = button.getBoundingClientRect();
  const { clientWidth } = document.documentElement;
  list.style.left = `${Math.max(8, Math.min(left, clientWidth - 360))}px`;
  list.style.bottom = `${innerHeight - top + 6}px`;
}
