import { useId, useRef } from "preact/hooks";
import type { SampleProblem } from "../../../../core/definition/views.js";
import { t } from "../../messages/index.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { declareFields } from "../fields/schema-edits.js";
import {
  describePlace,
  splitSampleProblems,
  summarizeProblems,
} from "../model/sample-problems.js";
import type { UnknownField } from "../model/unknown-fields.js";
import { asWords } from "../scope/path-text.js";
import { useCanvas } from "./canvas-state.js";

/**
 * How many values of the sample are missing or wrong, and how many printed fields are unknown; a click lists them. Each
 * leads to where it is printed and to its input, and unknown fields can be added. Fields without a value are listed last.
 */
export function SampleProblems() {
  const { editor } = useCanvas();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { problems, empty } = splitSampleProblems(editor.facts.value);
  const unknown = getDistinct(editor.unknownFields.value);
  const printed = empty.filter(({ places }) => places.length > 0);
  const count = problems.length + unknown.length;
  if (count + printed.length === 0) return null;
  const { schema } = editor.drawn.value;
  const emptySummary = t("canvas.emptyInSample", { count: printed.length });
  const summary =
    count === 0 ? emptySummary : summarize(problems, unknown.length);
  const close = () => list.current?.hidePopover();
  return (
    <>
      <button
        type="button"
        class={`sample-problems ${count === 0 ? "quiet" : ""}`}
        title={summary}
        aria-label={summary}
        popovertarget={id}
        ref={button}
      >
        <Icon name={count === 0 ? "text" : "warn"} size={14} />
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
          {unknown.map((field) => (
            <li key={`${field.component} ${field.path}`} class="unknown-field">
              <button
                type="button"
                onClick={() => {
                  list.current?.hidePopover();
                  editor.selected.value = field.component;
                }}
              >
                <strong>{getFieldWords(field)}</strong>
                <span>{t("canvas.fieldNotInData")}</span>
              </button>
              {field.remedy && editor.mayEdit && (
                <Button
                  onPress={() => {
                    list.current?.hidePopover();
                    if (field.remedy) declareFields(editor, field.remedy);
                    editor.announced.value = t("canvas.fieldAdded", {
                      field: getFieldWords(field),
                    });
                  }}
                >
                  {t("canvas.addField")}
                </Button>
              )}
            </li>
          ))}
          {problems.map((problem) => (
            <ProblemLine
              key={problem.keys.join(".")}
              place={describePlace(schema, problem)}
              problem={problem}
              onPress={close}
            />
          ))}
        </ul>
        {count > 0 && printed.length > 0 && (
          <p class="sample-empty-title">{emptySummary}</p>
        )}
        <ul>
          {printed.map((problem) => (
            <ProblemLine
              key={problem.keys.join(".")}
              place={describePlace(schema, problem)}
              problem={problem}
              onPress={close}
            />
          ))}
        </ul>
      </div>
    </>
  );
}

interface ProblemLineProps {
  /** The value's place as people know it. */
  place: string;
  problem: SampleProblem;
  onPress: () => void;
}

/** A problem, which leads to where the value is printed, and a button that leads to the value. */
function ProblemLine({ place, problem, onPress }: ProblemLineProps) {
  const { editor } = useCanvas();
  const [printed] = problem.places;
  const openSample = () => {
    onPress();
    editor.samplePlace.value = problem.keys;
  };
  return (
    <li class="sample-problem">
      <button
        type="button"
        onClick={() => {
          if (!printed) {
            openSample();
            return;
          }
          onPress();
          editor.selected.value = printed.component;
        }}
      >
        <strong>{place}</strong>
        {problem.code !== "empty_value" && <span>{problem.message}</span>}
      </button>
      {editor.mayEdit && (
        <Button
          isIcon
          kind="quiet"
          label={t("canvas.showInSample", { place })}
          onPress={openSample}
        >
          <Icon name="edit" size={16} />
        </Button>
      )}
    </li>
  );
}

/** A field as people know it: "Seller › Vat number". */
function getFieldWords({ remedy, path }: UnknownField): string {
  return remedy ? remedy.names.map(asWords).join(" › ") : path;
}

/** One of each field that several components print. */
function getDistinct(fields: readonly UnknownField[]): UnknownField[] {
  const byField = new Map(
    fields.map((field) => [JSON.stringify(field.remedy ?? field.path), field]),
  );
  return [...byField.values()];
}

function summarize(
  problems: readonly SampleProblem[],
  unknown: number,
): string {
  if (problems.length === 0)
    return t("canvas.unknownFields", { count: unknown });
  if (unknown > 0)
    return t("canvas.fieldsToCheck", { count: problems.length + unknown });
  return summarizeProblems(problems);
}

/** The popover is above the button, within the window. */
function placeAbove(list: HTMLElement | null, button: HTMLElement | null) {
  if (!list || !button) return;
  const { top, left } = button.getBoundingClientRect();
  const { clientWidth } = document.documentElement;
  list.style.left = `${Math.max(8, Math.min(left, clientWidth - 360))}px`;
  list.style.bottom = `${innerHeight - top + 6}px`;
}
