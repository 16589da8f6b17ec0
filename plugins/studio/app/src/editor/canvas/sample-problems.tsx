import { useId, useRef } from "preact/hooks";
import type { SampleProblem } from "../../../../../../core/plugin-api/app-drafts.js";
import { t } from "../../messages/index.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { declareFields } from "../fields/schema-edits.js";
import { describePlace, summarizeProblems } from "../model/sample-problems.js";
import type { UnknownField } from "../model/unknown-fields.js";
import { asWords } from "../scope/path-text.js";
import { useCanvas } from "./canvas-state.js";

/**
 * How many values of the sample are missing or wrong, and how many printed fields are unknown; a click lists them. Each
 * leads to where it is printed, and unknown fields can be added.
 */
export function SampleProblems() {
  const { editor } = useCanvas();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const problems = editor.facts.value?.sampleProblems ?? [];
  const unknown = getDistinct(editor.unknownFields.value);
  if (problems.length + unknown.length === 0) return null;
  const { schema } = editor.drawn.value;
  const show = ({ places: [place] }: SampleProblem) => {
    list.current?.hidePopover();
    if (place) editor.selected.value = place.component;
  };
  const summary = summarize(problems, unknown.length);
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
