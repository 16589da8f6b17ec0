import { useState } from "preact/hooks";
import type { Problem } from "../../../../core/plugin-api/errors.js";
import { t } from "../../messages/index.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { useAction, FormActions, Form, InputField } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { toast } from "../../ui/toast.js";
import { useEditor } from "../model/editor-context.js";
import { createComponentFinder, toJsonPath } from "../model/tree.js";
import { describeComponent, describeSchemaProperty } from "./descriptions.js";
import type { DraftSession } from "./draft-session.js";

interface PublishDialogProps {
  session: DraftSession;
  onClose: () => void;
}

export function PublishDialog({ session, onClose }: PublishDialogProps) {
  const problems = listProblems(session);
  if (problems.length === 0)
    return <PublishForm session={session} onClose={onClose} />;
  return (
    <Dialog
      title={t("draft.problemsToFixFirst", { count: problems.length })}
      onClose={onClose}
    >
      <p class="muted">{t("draft.cannotPublishHelp")}</p>
      <ProblemList problems={problems} onShow={onClose} />
      <div class="dialog-end">
        <Button onPress={onClose}>{t("common.close")}</Button>
      </div>
    </Dialog>
  );
}

/** Enabled once something changed. Shows the number of problems beside it. */
export function PublishButton({ session }: { session: DraftSession }) {
  const [isOpen, setOpen] = useState(false);
  if (!session.editor.mayEdit) return null;
  const count = listProblems(session).length;
  return (
    <>
      {count > 0 && (
        <Button
          kind="quiet"
          label={t("draft.problemsToFix", { count })}
          onPress={() => setOpen(true)}
        >
          <span class="problem-count">
            <Icon name="warn" size={16} />
            {count}
          </span>
        </Button>
      )}
      <Button
        kind="primary"
        reason={getDisabledReason(session)}
        onPress={() => setOpen(true)}
      >
        {t("draft.publish")}
      </Button>
      {isOpen && (
        <PublishDialog session={session} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

/** What keeps the draft from being published. */
function listProblems({ editor }: DraftSession): readonly Problem[] {
  const { problems = [], unfinished = [] } = editor.facts.value ?? {};
  return [...problems, ...unfinished];
}

function getDisabledReason(session: DraftSession): string | null {
  if (session.isOutdated.value) return t("draft.mergeBeforePublishing");
  return session.isChanged.value ? null : t("draft.noChanges");
}

interface PublishFormProps {
  session: DraftSession;
  onClose: () => void;
}

/** Publishes the draft, as a version by default. Without changes, saves what is published as a version. */
function PublishForm({ session, onClose }: PublishFormProps) {
  const [isNew] = useState(session.isChanged.peek());
  const [isWanted, setWanted] = useState(true);
  const [note, setNote] = useState("");
  const [next] = useState(session.view.peek().published.version + 1);
  const isKept = isWanted || !isNew;
  const { isBusy, fault, run } = useAction(async () => {
    const versionNote = note.trim() === "" ? null : note.trim();
    const view = await session.publish({ createVersion: isKept, versionNote });
    const { version } = view.published;
    if (isNew)
      toast(
        isKept
          ? t("draft.publishedAsVersionVersion", { version })
          : t("draft.published"),
      );
    else toast(t("draft.versionVersionSaved", { version }));
    onClose();
  });
  return (
    <Dialog
      title={isNew ? t("draft.publishChanges") : t("draft.saveVersion")}
      onClose={onClose}
    >
      <Form onSend={run}>
        <p class="muted">
          {isNew ? t("draft.publishHelp") : t("draft.saveVersionHelp")}
        </p>
        {isNew && (
          <VersionCheckbox next={next} isKept={isKept} onChange={setWanted} />
        )}
        {isKept && (
          <InputField
            label={t("draft.whatChangedOptional")}
            autofocus
            maxLength={255}
            value={note}
            onChange={setNote}
          />
        )}
        <FormActions
          act={
            isNew ? t("draft.publish") : t("draft.saveVersionNext", { next })
          }
          fault={fault}
          isBusy={isBusy}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

interface VersionCheckboxProps {
  /** The number of the new version. */
  next: number;
  isKept: boolean;
  onChange: (isKept: boolean) => void;
}

function VersionCheckbox({ next, isKept, onChange }: VersionCheckboxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isKept}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        {t("draft.saveAsVersion", { next })}
        <br />
        <span class="muted small">
          {isKept
            ? t("draft.compareOrRestoreLater")
            : t("draft.stillUsingVersion", { version: next - 1 })}
        </span>
      </span>
    </label>
  );
}

interface ProblemListProps {
  problems: readonly Problem[];
  /** Called after the component with the problem was selected. */
  onShow?: () => void;
}

/** The problems that validation found, each with a button that selects its component. */
export function ProblemList({ problems, onShow }: ProblemListProps) {
  return (
    <ul class="problem-list">
      {problems.map((problem) => (
        <ProblemLine
          key={`${problem.path} ${problem.code} ${problem.message}`}
          problem={problem}
          onShow={onShow}
        />
      ))}
    </ul>
  );
}

function ProblemLine({
  problem,
  onShow,
}: {
  problem: Problem;
  onShow: (() => void) | undefined;
}) {
  const editor = useEditor();
  const { path, message, hint } = problem;
  const tree = editor.tree.value;
  const id = createComponentFinder(tree)(path);
  const entry = id === null ? undefined : tree.entries.get(id);
  const component = entry?.component;
  const label = describePlace(path.slice(toJsonPath(entry?.path ?? []).length));
  const show = () => {
    editor.selected.value = id;
    onShow?.();
  };
  return (
    <li>
      <Icon name="warn" size={18} />
      <span class="words">
        <strong>
          {component ? describeComponent(component) : t("draft.template")}
        </strong>
        <span>
          {label !== "" && <span class="muted">{label}: </span>}
          {message}
        </span>
        {hint && <span class="muted">{hint}</span>}
      </span>
      {component && <Button onPress={show}>{t("common.show")}</Button>}
    </li>
  );
}

/** The property that the rest of a problem's path leads to. */
function describePlace(rest: string): string {
  const names = [...rest.matchAll(/\.([\w-]+)/g)].map(([, name = ""]) => name);
  return names.length === 0 ? "" : describeSchemaProperty(names);
}
