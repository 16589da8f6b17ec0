import { useId, useRef } from "preact/hooks";
import type { Problem } from "../../../../core/plugin-api/errors.js";
import { selectText } from "../../ui/form.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { createComponentFinder } from "../model/tree.js";
import { t } from "../../messages/index.js";

interface CodeFieldProps {
  label: string;
  value: string;
  /** The component whose property it is. */
  owner: string | null;
  property: string;
  onChange: (value: string) => void;
  onLeave: () => void;
}

/** A text in a language of markup, with the problems that the checker found in it. */
export function CodeField({
  label,
  value,
  owner,
  property,
  onChange,
  onLeave,
}: CodeFieldProps) {
  const editor = useEditor();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const problems = findProblems(editor, owner, property);
  return (
    <div class="prop-row wide">
      <label for={id}>{label}</label>
      <textarea
        ref={field}
        id={id}
        class="input code code-field"
        rows={property === "css" ? 10 : 16}
        wrap="off"
        spellcheck={false}
        autocomplete="off"
        aria-invalid={problems.length > 0}
        aria-describedby={`${id}-problems`}
        readOnly={!editor.mayEdit}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={onLeave}
        // The field has its own undo; the page's shortcuts do not apply.
        onKeyDown={(event) => event.stopPropagation()}
      />
      <ul id={`${id}-problems`} class="code-problems">
        {problems.map((problem) => (
          <li key={`${problem.line} ${problem.column} ${problem.message}`}>
            <button
              type="button"
              class="link"
              onClick={() => {
                const at = findOffset(value, problem);
                if (field.current)
                  selectText(field.current, { from: at, to: at + 1 });
              }}
            >
              {t("content.lineColumn", {
                line: problem.line ?? 1,
                column: problem.column ?? 1,
              })}
            </button>{" "}
            {[problem.message, problem.hint].filter(Boolean).join(" ")}
          </li>
        ))}
      </ul>
    </div>
  );
}

function findProblems(
  editor: Editor,
  owner: string | null,
  property: string,
): readonly Problem[] {
  const problems = editor.facts.value?.problems ?? [];
  if (problems.length === 0) return [];
  // `peek`: the problems belong to the definition that was checked, not to the edits since.
  const findComponent = createComponentFinder(editor.tree.peek());
  return problems.filter(
    ({ path }) =>
      path.endsWith(`.${property}`) && findComponent(path) === owner,
  );
}

function findOffset(text: string, { line = 1, column = 1 }: Problem): number {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce(
    (sum, lineText) => sum + lineText.length + 1,
    column - 1,
  );
}
